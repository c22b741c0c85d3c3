import type { Hasher } from '../../../kernel/hasher.ts';
import type { RowChange, Watch } from '../../storage/watch.ts';
import type { StateTable } from './row-digest.ts';
import { type RowRecord, STATE_RECORDED } from './state-event.ts';
import { type AppendState, payloadsOf } from './state-journal.ts';

interface Recorded extends RowChange {
  readonly table: StateTable;
}

/** Records every commit's rows by their digests, in one event per project. */
export function stateRecorder(
  tables: ReadonlyMap<string, StateTable>,
  hasher: Hasher,
  append: AppendState,
): Watch {
  return {
    tables,
    async record(uow, changes) {
      const projects = new Map<string, RowRecord[]>();
      for (const [projectId, record] of digested(lastOfEach(changes as readonly Recorded[]), hasher)) {
        const records = projects.get(projectId);
        if (records === undefined) projects.set(projectId, [record]);
        else records.push(record);
      }
      // In one order, so that commits on PostgreSQL that make new chains for the same projects meet in the same order.
      const entries = [...projects].sort(([a], [b]) => (a < b ? -1 : 1));
      await append(
        uow,
        entries.map(([projectId, rows]) => ({ projectId, type: STATE_RECORDED, payloads: payloadsOf(rows) })),
      );
    },
  };
}

/** A row that changed several times is recorded as the commit leaves it. */
function lastOfEach(changes: readonly Recorded[]): Iterable<Recorded> {
  if (changes.length === 1) return changes;
  const last = new Map<string, Recorded>();
  for (const change of changes) {
    const { table, cells } = change;
    last.set(`${table.name} ${JSON.stringify(table.keyOf(cells))}`, change);
  }
  return last.values();
}

function* digested(changes: Iterable<Recorded>, hasher: Hasher): Generator<[string, RowRecord]> {
  for (const { table, cells, gone } of changes) {
    const digest = gone ? null : hasher.hex(table.preimage(cells));
    yield [table.recordedIn(cells), [table.name, table.keyOf(cells), digest]];
  }
}
