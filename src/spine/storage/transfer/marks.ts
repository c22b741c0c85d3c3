import type { Reader, UnitOfWork } from '../database.ts';
import { storageErrors } from '../errors.ts';

/**
 * A store that must not be opened says so in the list of its schema steps, by a step that no program has: an earlier version
 * of Baton refuses it too.
 */
export type Mark = 'arriving' | 'moved';

const NAMES: Readonly<Record<Mark, string>> = {
  arriving: 'storage/9998-arriving',
  moved: 'storage/9999-moved',
};
const POSITIONS: Readonly<Record<Mark, number>> = { arriving: 1_000_000, moved: 1_000_001 };

export function isMark(step: string): boolean {
  return Object.values(NAMES).includes(step);
}

export function refuseMarked(steps: Iterable<string>): void {
  for (const step of steps) {
    if (step === NAMES.moved) throw storageErrors.storage_moved();
    if (step === NAMES.arriving) throw storageErrors.storage_arriving();
  }
}

/** Whose transfer the store is part of. */
export async function selectMark(reader: Reader, mark: Mark): Promise<string | undefined> {
  const row = await reader.get<{ checksum: string }>(
    'select checksum from schema_migrations where name = ?',
    [NAMES[mark]],
  );
  return row?.checksum;
}

export async function insertMark(uow: UnitOfWork, mark: Mark, transfer: string): Promise<void> {
  await uow.run('insert into schema_migrations (name, checksum, position) values (?, ?, ?)', [
    NAMES[mark],
    transfer,
    POSITIONS[mark],
  ]);
}

export async function deleteMark(uow: UnitOfWork, mark: Mark): Promise<void> {
  await uow.run('delete from schema_migrations where name = ?', [NAMES[mark]]);
}
