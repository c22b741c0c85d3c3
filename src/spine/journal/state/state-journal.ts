import type { JsonObject } from '../../../kernel/json/value.ts';
import type { UnitOfWork } from '../../storage/database.ts';
import { appendings, extendedBy, lastHead } from '../chains/append-buffer.ts';
import { type Chain, systemLedger } from '../chains/chain.ts';
import { holdStateChains, insertStateChain } from '../chains/chain-store.ts';
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
  const make = eventMaker(deps);

  async function freeChains(uow: UnitOfWork, projectIds: readonly string[]): Promise<Map<string, Chain>> {
    const heads = new Map<string, Chain>();
    for (const projectId of projectIds) {
      // Only records are of such a project, so that whatever this commit has left to be written there is on its chain.
      const left = lastHead(uow, (head) => head.projectId === projectId);
      if (left) heads.set(projectId, left);
    }
    const wanted = projectIds.filter((projectId) => !heads.has(projectId));
    const free = wanted.length === 0 ? [] : await holdStateChains(uow, wanted);
    for (const chain of free) heads.set(chain.projectId, chain);
    for (const projectId of wanted) {
      if (heads.has(projectId)) continue;
      const chain = systemLedger({ chainId: deps.ids(), projectId, traceId: deps.ids() });
      await insertStateChain(uow, chain);
      heads.set(projectId, chain);
    }
    return heads;
  }

  return async (uow: UnitOfWork, entries: readonly StateEntries[]): Promise<void> => {
    const heads = await freeChains(uow, [...new Set(entries.map(({ projectId }) => projectId))]);
    for (const { projectId, type, payloads } of entries) {
      for (const payload of payloads) {
        const held = heads.get(projectId) as Chain;
        const event = make.next(held, { type, payload });
        const head = extendedBy(held, event, false);
        heads.set(projectId, head);
        uow.gather(appendings, { event, head });
      }
    }
  };
}

export type AppendState = ReturnType<typeof stateJournal>;
