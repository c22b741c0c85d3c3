import type { Hasher } from '../../../kernel/hasher.ts';
import type { Database, SqlValue, UnitOfWork } from '../../storage/database.ts';
import { putAdoption, selectAdoptions } from './adoption-store.ts';
import { STORE, type StateTable } from './row-digest.ts';
import { isEmpty, selectStateRows } from './row-store.ts';
import { type RowRecord, STATE_ADOPTED } from './state-event.ts';
import { type AppendState, entriesOf, type StateEntries } from './state-journal.ts';

/** Small, so that no unit keeps other writers waiting. */
const ROWS_PER_UNIT = 500;

export interface AdoptionDeps {
  readonly db: Database;
  readonly tables: ReadonlyMap<string, StateTable>;
  readonly hasher: Hasher;
  readonly append: AppendState;
}

/**
 * Records the rows of tables that were there before they were recorded, a few at a time, and where it has come to, so
 * that it goes on after a crash. From the event that completes a table, its state is attested: a row that no event
 * speaks of was never written by us.
 */
export function stateAdoption({ db, tables, hasher, append }: AdoptionDeps) {
  let done = false;

  async function waiting(): Promise<StateTable[]> {
    if (done) return [];
    const known = await db.read(selectAdoptions);
    const left = [...tables.values()].filter(({ name }) => !known.get(name)?.complete);
    done = left.length === 0;
    return left;
  }

  return {
    /** All tables of a new store, and those that an upgrade added: nothing is there to be read. */
    async adoptEmpty(): Promise<void> {
      const all = await waiting();
      if (all.length === 0) return;
      await db.write(async (uow) => {
        await uow.lock('journal/adoption');
        const complete: string[] = [];
        const known = await selectAdoptions(uow);
        for (const table of all) {
          if (known.get(table.name)?.complete || !(await isEmpty(uow, table))) continue;
          await putAdoption(uow, table.name, { after: undefined, complete: true });
          complete.push(table.name);
        }
        if (complete.length > 0) await append(uow, [completion(complete)]);
      });
    },

    /** Returns whether anything is left to do. */
    async adoptSome(): Promise<boolean> {
      const [table] = await waiting();
      if (table === undefined) return false;
      await db.write((uow) => adoptRows(uow, table));
      return true;
    },
  };

  async function adoptRows(uow: UnitOfWork, table: StateTable): Promise<void> {
    await uow.lock('journal/adoption');
    const adoption = (await selectAdoptions(uow)).get(table.name);
    if (adoption?.complete) return;
    const rows = await selectStateRows(uow, table, {
      after: adoption?.after,
      limit: ROWS_PER_UNIT,
      locked: true,
    });
    const complete = rows.length < ROWS_PER_UNIT;
    const last = rows.at(-1);
    await putAdoption(uow, table.name, { after: last ? table.keyOf(last) : adoption?.after, complete });
    await append(uow, [
      ...entriesOf(STATE_ADOPTED, recordsOfRows(table, rows, hasher)),
      ...(complete ? [completion([table.name])] : []),
    ]);
  }
}

/** Rows as they are, each with where it is recorded. */
export function recordsOfRows(
  table: StateTable,
  rows: readonly (readonly SqlValue[])[],
  hasher: Hasher,
): [string, RowRecord][] {
  return rows.map((cells) => [
    table.recordedIn(cells),
    [table.name, table.keyOf(cells), hasher.hex(table.preimage(cells))],
  ]);
}

function completion(tables: readonly string[]): StateEntries {
  return { projectId: STORE, type: STATE_ADOPTED, payloads: [{ complete: tables, rows: [] }] };
}
