import type { UnitOfWork } from '../../storage/database.ts';
import type { Migration } from '../../storage/migration.ts';
import { type AdoptionDeps, recordsOfRows } from './adopt.ts';
import { putRewriting, rewriteName, selectRewritings } from './rewrite-store.ts';
import { STORE } from './row-digest.ts';
import { selectStateRows } from './row-store.ts';
import { STATE_REWRITTEN } from './state-event.ts';
import { entriesOf, type StateEntries } from './state-journal.ts';

/** A provable table, and the step of the schema that changed its rows. */
export interface Rewrite {
  readonly step: string;
  readonly table: string;
}

const ROWS_PER_UNIT = 500;

export function rewritesOf(migrations: readonly Migration[]): Rewrite[] {
  return migrations.flatMap(({ name, rewrites = [] }) => rewrites.map((table) => ({ step: name, table })));
}

/**
 * Records all rows of these tables as they are now, a few at a time, and goes on where a crash left it. Each pair of step
 * and table is recorded once in the life of a store, a new one included, so that nobody can have rows recorded anew by
 * saying that a step did it. Verification knows which steps there are, and that each was completed once.
 */
export async function recordRewrites(deps: AdoptionDeps, rewrites: readonly Rewrite[]): Promise<void> {
  if (rewrites.length === 0) return;
  const known = await deps.db.read(selectRewritings);
  for (const rewrite of rewrites) {
    let left = !known.get(rewriteName(rewrite.step, rewrite.table))?.complete;
    while (left) left = await deps.db.write((uow) => recordSome(uow, deps, rewrite));
  }
}

/** Returns whether anything is left to do. */
export async function recordSome(
  uow: UnitOfWork,
  { tables, hasher, append }: AdoptionDeps,
  { step, table: name }: Rewrite,
): Promise<boolean> {
  await uow.lock('journal/rewrites');
  const done = (await selectRewritings(uow)).get(rewriteName(step, name));
  if (done?.complete) return false;
  const table = tables.get(name);
  // A step may have dropped the table: then all of its rows are gone.
  const rows =
    table === undefined
      ? []
      : await selectStateRows(uow, table, { after: done?.after, limit: ROWS_PER_UNIT, locked: true });
  const complete = rows.length < ROWS_PER_UNIT;
  const last = rows.at(-1);
  await putRewriting(uow, step, name, { after: last && table ? table.keyOf(last) : done?.after, complete });
  const entries = table === undefined ? [] : entriesOf(STATE_REWRITTEN, recordsOfRows(table, rows, hasher));
  await append(uow, [
    ...entries.map((entry) => named(entry, step)),
    ...(complete ? [completion(step, name)] : []),
  ]);
  return !complete;
}

function named(entries: StateEntries, step: string): StateEntries {
  return { ...entries, payloads: entries.payloads.map((payload) => ({ ...payload, step })) };
}

function completion(step: string, table: string): StateEntries {
  return { projectId: STORE, type: STATE_REWRITTEN, payloads: [{ complete: [table], rows: [], step }] };
}
