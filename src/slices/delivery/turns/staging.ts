import { join } from 'node:path';
import { asRecord } from '../../../kernel/json/loose.ts';
import { deliveryErrors } from '../errors.ts';
import { parseDocument } from '../parse.ts';
import { regularFile, replaceFile } from '../repository/keep.ts';
import type { Lease, WorkPlace } from '../repository/leases.ts';
import { FILES, stagingPath, within } from '../repository/paths.ts';
import type { ActiveTurn } from '../run-state.ts';

const LARGEST_RESULT = 32 * 1024 * 1024;

export interface Staged {
  readonly result: unknown;
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Reads the agent's result from the turn's own path, or from the one path that older agents know. */
export async function readStaged(root: string, turn: ActiveTurn): Promise<Staged> {
  const own = stagingPath(turn.turn_id);
  const bytes = await bytesAt(root, own);
  if (bytes !== undefined) return parse(own, bytes);
  const legacy = await bytesAt(root, FILES.legacyStaging);
  if (legacy === undefined) {
    throw deliveryErrors.staging_missing({
      message: `There is no ${own}.`,
      details: { path: own, turn_id: turn.turn_id },
    });
  }
  const staged = parse(FILES.legacyStaging, legacy);
  const named = asRecord(staged.result).turn_id;
  if (named !== undefined && named !== turn.turn_id) {
    throw deliveryErrors.stale_staging({ details: { turn_id: turn.turn_id, staged_turn_id: named } });
  }
  return staged;
}

export async function hasStaged(root: string, turnId: string): Promise<boolean> {
  return (await bytesAt(root, stagingPath(turnId))) !== undefined;
}

/** Whether a turn has left a result in the tree of its own. */
export async function hasAnswered({ work, turn_id }: Lease): Promise<boolean> {
  return work.kind === 'tree' && (await bytesAt(placeOf(work), stagingPath(turn_id))) !== undefined;
}

/**
 * Copies a result from the turn's own tree to where the protocol has it. Only under the repository's lock: that place may
 * have become a link meanwhile, and is put right there.
 */
export async function bringStaged(root: string, { work, turn_id }: Lease): Promise<void> {
  if (work.kind !== 'tree') return;
  const path = stagingPath(turn_id);
  const bytes = await bytesAt(placeOf(work), path);
  if (bytes === undefined) return;
  if (bytes.byteLength > LARGEST_RESULT) throw deliveryErrors.staging_malformed();
  await replaceFile(within(root, path), bytes);
}

function placeOf({ path, prefix }: Extract<WorkPlace, { kind: 'tree' }>): string {
  return join(path, prefix);
}

/** Whether an answer has the minimum that makes it a turn result. */
export function isEnvelope(value: unknown): boolean {
  const doc = asRecord(value);
  return (
    doc.schema_version !== undefined &&
    (doc.run_id !== undefined || doc.turn_id !== undefined) &&
    (doc.status !== undefined || doc.role !== undefined || doc.runtime_id !== undefined)
  );
}

function parse(path: string, bytes: Uint8Array): Staged {
  try {
    return { result: parseDocument(bytes), path, bytes };
  } catch (cause) {
    throw deliveryErrors.staging_malformed({ message: `${path} is not readable JSON.`, cause });
  }
}

async function bytesAt(root: string, path: string): Promise<Uint8Array | undefined> {
  const bytes = await regularFile(within(root, path));
  return typeof bytes === 'string' ? undefined : bytes;
}
