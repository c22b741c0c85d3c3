import type { JsonObject } from '../../../kernel/json/value.ts';
import type { UnitOfWork } from '../../storage/database.ts';
import { type Appending, extendedBy, writeAppendings } from '../chains/append-buffer.ts';
import { type Chain, systemLedger } from '../chains/chain.ts';
import { holdStateChain, insertStateChain } from '../chains/chain-store.ts';
import { type EventMakerDeps, eventMaker } from '../events/next-event.ts';
import type { RowRecord } from './state-event.ts';

/** A project's records, each to become one event. */
export interface StateEntries {
  readonly projectId: string;
  readonly type: string;
  readonly payloads: readonly JsonObject[];
}

/** So many rows that an event stays a small document. */
const ROWS_PER_EVENT = 500;

/** Records by where they belong, in one order: commits that make new chains for the same projects meet alike. */
export function entriesOf(
  type: string,
  records: Iterable<readonly [projectId: string, record: RowRecord]>,
): StateEntries[] {
  const projects = new Map<string, RowRecord[]>();
  for (const [projectId, record] of records) {
    const known = projects.get(projectId);
    if (known === undefined) projects.set(projectId, [record]);
    else known.push(record);
  }
  return [...projects]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([projectId, rows]) => ({ projectId, type, payloads: payloadsOf(rows) }));
}

function payloadsOf(rows: readonly RowRecord[]): JsonObject[] {
  const payloads: JsonObject[] = [];
  for (let at = 0; at < rows.length; at += ROWS_PER_EVENT) {
    payloads.push({ rows: rows.slice(at, at + ROWS_PER_EVENT) });
  }
  return payloads;
}

/**
 * Appends to chains of a project that hold nothing else. They belong to no session, so retention leaves them alone, and
 * no commit waits for another's: each takes one that is free.
 */
export function stateJournal(deps: EventMakerDeps) {
  const nextEvent = eventMaker(deps);

  async function freeChain(uow: UnitOfWork, projectId: string): Promise<Chain> {
    const free = await holdStateChain(uow, projectId);
    if (free !== undefined) return free;
    const chainId = deps.ids();
    const chain = systemLedger({ chainId, projectId, traceId: deps.ids() });
    await insertStateChain(uow, chain);
    return chain;
  }

  return async (uow: UnitOfWork, entries: readonly StateEntries[]): Promise<void> => {
    const appendings: Appending[] = [];
    const heads = new Map<string, Chain>();
    for (const { projectId, type, payloads } of entries) {
      let head = heads.get(projectId) ?? (await freeChain(uow, projectId));
      for (const payload of payloads) {
        const event = nextEvent(head, { type, payload });
        head = extendedBy(head, event, false);
        appendings.push({ event, head });
      }
      heads.set(projectId, head);
    }
    await writeAppendings(uow, appendings);
  };
}

export type AppendState = ReturnType<typeof stateJournal>;
