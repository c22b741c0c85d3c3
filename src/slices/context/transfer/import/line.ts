/** What importing any line has in common. */
import type { z } from 'zod';
import { parseInstant } from '../../../../kernel/instant.ts';
import { readPlain } from '../../../../kernel/json/reader.ts';
import { requireProject } from '../../../../spine/identity/access.ts';
import type { Principal } from '../../../../spine/identity/principal.ts';
import { requireStoredProject } from '../../../../spine/identity/projects/project-store.ts';
import type { UnitOfWork } from '../../../../spine/storage/database.ts';
import { contextErrors } from '../../errors.ts';

/** Returns false if everything in the line was known before. */
export type ImportLine = (uow: UnitOfWork, line: string, principal: Principal) => Promise<boolean>;

/** More than a request may have: what another store has taken is not lost on the way. */
export const MOST_LINE_VALUES = 100_000;

export function refused(message: string, details: Record<string, unknown>) {
  return contextErrors.invalid_import({ message, details });
}

export function parsed<S extends z.ZodType>(schema: S, line: string): z.output<S> {
  const checked = schema.safeParse(readPlain(line, { maxValues: MOST_LINE_VALUES }));
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  throw refused(`A line is not valid: ${issue?.message} at /${issue?.path.join('/')}.`, {
    line: line.slice(0, 200),
  });
}

export function microsOf(text: string): number {
  const instant = parseInstant(text);
  if (!instant) throw refused(`${text} is not an instant.`, { value: text });
  return instant.micros;
}

export async function requireOwnProject(
  uow: UnitOfWork,
  principal: Principal,
  projectId: string,
): Promise<void> {
  requireProject(principal, projectId);
  await requireStoredProject(uow, projectId);
}
