import type { Micros } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import type { Database, Reader, UnitOfWork } from '../../storage/database.ts';
import { dropPayloads, selectLastNumbers } from '../events/event-store.ts';
import type { Journal } from '../journal.ts';
import { moveOldest } from '../numbers/number-store.ts';
import type { Sequencer } from '../numbers/sequencer.ts';
import {
  type ChainRow,
  markPruned,
  type PrunableSession,
  recordPruning,
  selectPrunableSessions,
  selectSessionChains,
  selectSkeletons,
  selectUnrecordedPrunings,
} from './chain-store.ts';
import {
  type PrunedChain,
  pruningPayload,
  RETENTION_ADOPTED,
  RETENTION_APPLIED,
  skeletonDigest,
  skeletonText,
} from './pruning-record.ts';
import { systemChain } from './system-chain.ts';

export interface RetentionDeps {
  readonly db: Database;
  readonly sequencer: Sequencer;
  readonly journal: Journal;
  readonly hasher: Hasher;
}

export interface RetentionResult {
  readonly sessions: number;
  readonly events: number;
}

/** Small, so that no unit keeps other writers waiting. */
const SESSIONS_PER_UNIT = 20;
const CHAINS_PER_UNIT = 40;
const SKELETONS_AT_ONCE = 1_000;
const LOCK = 'journal/retention';

/**
 * Drops the payloads of sessions that ended, and were last written to, before the instant. Hashes, leaves and heads
 * stay, so that the tree and all proofs of other events hold; feeds below the dropped events answer `cursor_expired`.
 * What was dropped, and a digest of all that is left, is an event: a payload that is missing without one was taken away.
 */
export async function pruneEndedSessions(
  deps: RetentionDeps,
  endedBefore: Micros,
  signal?: AbortSignal,
): Promise<RetentionResult> {
  await deps.sequencer.run();
  const total = { sessions: 0, events: 0 };
  for (;;) {
    const pruned = await deps.db.write((uow) => pruneSome(uow, deps, endedBefore));
    total.sessions += pruned.sessions;
    total.events += pruned.events;
    if (pruned.sessions < SESSIONS_PER_UNIT) return total;
    signal?.throwIfAborted();
  }
}

/** Whether `pruneEndedSessions` would drop anything. */
export async function hasPrunable(reader: Reader, endedBefore: Micros): Promise<boolean> {
  return (await selectPrunableSessions(reader, endedBefore, 1)).length > 0;
}

/** Puts on record what earlier versions dropped. Only before the first checkpoint that vouches for there being a record. */
export async function adoptPrunings(deps: RetentionDeps): Promise<void> {
  while ((await deps.db.read((reader) => selectUnrecordedPrunings(reader, 1))).length > 0) {
    await deps.db.write(async (uow) => {
      await uow.lock(LOCK);
      const chains = await selectUnrecordedPrunings(uow, CHAINS_PER_UNIT);
      await record(uow, deps, RETENTION_ADOPTED, chains);
    });
  }
}

async function pruneSome(
  uow: UnitOfWork,
  deps: RetentionDeps,
  endedBefore: Micros,
): Promise<RetentionResult> {
  await uow.lock(LOCK);
  const sessions = await selectPrunableSessions(uow, endedBefore, SESSIONS_PER_UNIT);
  let events = 0;
  const chains: ChainRow[] = [];
  for (const session of sessions) {
    events += await pruneSession(uow, session);
    chains.push(...(await selectSessionChains(uow, session.session_id)));
  }
  await record(uow, deps, RETENTION_APPLIED, chains);
  return { sessions: sessions.length, events };
}

async function pruneSession(uow: UnitOfWork, { session_id, project_id }: PrunableSession): Promise<number> {
  // First, because it locks both chains: an event that is being appended is either seen below or kept.
  await markPruned(uow, session_id);
  const last = await selectLastNumbers(uow, session_id);
  const events = await dropPayloads(uow, session_id);
  if (last) await moveOldest(uow, project_id, last);
  return events;
}

/** One event a project. */
async function record(
  uow: UnitOfWork,
  deps: RetentionDeps,
  type: string,
  chains: readonly ChainRow[],
): Promise<void> {
  const pruned = chains.filter(({ pruned_through }) => pruned_through >= 0);
  for (const projectId of new Set(pruned.map(({ project_id }) => project_id))) {
    const entries: PrunedChain[] = [];
    for (const chain of pruned.filter(({ project_id }) => project_id === projectId)) {
      entries.push(await prunedChain(uow, deps.hasher, chain));
    }
    const chain = await systemChain(uow, deps, 'retention', projectId);
    const { eventId } = await deps.journal.append(uow, { chain, type, payload: pruningPayload(entries) });
    for (const { chainId } of entries) await recordPruning(uow, chainId, eventId);
  }
}

async function prunedChain(
  uow: UnitOfWork,
  hasher: Hasher,
  { chain_id, pruned_through }: ChainRow,
): Promise<PrunedChain> {
  let digest = '';
  for (let after = -1; after < pruned_through; ) {
    const events = await selectSkeletons(
      uow,
      chain_id,
      { after, through: pruned_through },
      SKELETONS_AT_ONCE,
    );
    for (const event of events) digest = skeletonDigest(hasher, digest, skeletonText(event));
    after = events.at(-1)?.sequence ?? pruned_through;
  }
  return { chainId: chain_id, through: pruned_through, digest };
}
