import type { Hasher } from '../../../kernel/hasher.ts';
import type { RowChange, Watch } from '../../storage/watch.ts';
import type { StateTable } from './row-digest.ts';
import { type RowRecord, rowId, STATE_RECORDED } from './state-event.ts';
import { type AppendState, entriesOf } from './state-journal.ts';

interface Recorded extends RowChange {
  readonly table: StateTable;
}

const ROWS_BETWEEN_TURNS = 50;

/** Records every commit's rows by their digests, in one event per project. */
export function stateRecorder(
  tables: ReadonlyMap<string, StateTable>,
  hasher: Hasher,
  append: AppendState,
): Watch {
  return {
    tables,
    async record(uow, changes) {
      const last = lastOfEach(changes as readonly Recorded[]);
      const records: [string, RowRecord][] = [];
      for (const { table, cells, gone } of last) {
        if (records.length % ROWS_BETWEEN_TURNS === ROWS_BETWEEN_TURNS - 1) await uow.giveTurn();
        const digest = gone ? null : hasher.hex(table.preimage(cells));
        records.push([table.recordedIn(cells), [table.name, table.keyOf(cells), digest]]);
      }
      await append(uow, entriesOf(STATE_RECORDED, records));
    },
  };
}

/** A row that changed several times is recorded as the commit leaves it. */
function lastOfEach(changes: readonly Recorded[]): Iterable<Recorded> {
  if (changes.length === 1) return changes;
  const last = new Map<string, Recorded>();
  for (const change of changes) {
    const { table, cells } = change;
    last.set(rowId(table.name, table.keyOf(cells)), change);
  }
  return last.values();
}
