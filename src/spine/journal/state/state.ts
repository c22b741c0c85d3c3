import type { Database } from '../../storage/database.ts';
import type { Migration } from '../../storage/migration.ts';
import type { TableDeclarations } from '../../storage/tables.ts';
import type { EventMakerDeps } from '../events/next-event.ts';
import { plainPayloads } from '../events/payload-codec.ts';
import { stateAdoption } from './adopt.ts';
import { stateRecorder } from './recorder.ts';
import { recordRewrites, rewritesOf } from './rewrite.ts';
import type { StateTable } from './row-digest.ts';
import { stateJournal } from './state-journal.ts';
import { readStateTables } from './state-tables.ts';

export interface State {
  /** Says of tables without rows that they are complete: all of a new store, and those that an upgrade added. */
  adoptEmpty(): Promise<void>;
  /** Records some of the rows that were there before; returns whether more may be left. */
  adoptSome(): Promise<boolean>;
  /** Records anew what steps of the schema have changed, which nothing else has to wait for but a store that serves. */
  recordRewrites(migrations: readonly Migration[]): Promise<void>;
  /** The provable tables of this store. */
  readonly tables: ReadonlyMap<string, StateTable>;
}

/** From now on, every commit of this handle records the rows that it changes. */
export async function recordState(
  db: Database,
  declarations: TableDeclarations,
  deps: EventMakerDeps,
): Promise<State> {
  const { hasher, payloads = plainPayloads } = deps;
  const tables = await db.read((reader) => readStateTables(reader, declarations, { hasher, payloads }));
  const append = stateJournal(deps);
  db.watch(stateRecorder(tables, hasher, append));
  return {
    ...stateAdoption({ db, tables, hasher, append }),
    recordRewrites: (migrations) => recordRewrites({ db, tables, hasher, append }, rewritesOf(migrations)),
    tables,
  };
}
