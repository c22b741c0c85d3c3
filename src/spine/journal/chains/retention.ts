import type { Micros } from '../../../kernel/clock.ts';
import type { Database, UnitOfWork } from '../../storage/database.ts';
import { dropPayloads, selectLastNumbers } from '../events/event-store.ts';
import { moveOldest } from '../numbers/number-store.ts';
import type { Sequencer } from '../numbers/sequencer.ts';
import { markPruned, type PrunableSession, selectPrunableSessions } from './chain-store.ts';

export interface RetentionResult {
  readonly sessions: number;
  readonly events: number;
}

/** Small, so that no unit keeps other writers waiting. */
const SESSIONS_PER_UNIT = 20;

/**
 * Drops the payloads of sessions that ended, and were last written to, before the instant. Hashes, leaves and heads
 * stay, so that the tree and all proofs of other events hold; feeds below the dropped events answer `cursor_expired`.
 */
export async function pruneEndedSessions(
  db: Database,
  sequencer: Sequencer,
  endedBefore: Micros,
): Promise<RetentionResult> {
  await sequencer.run();
  const total = { sessions: 0, events: 0 };
  for (;;) {
    const pruned = await db.write((uow) => pruneSome(uow, endedBefore));
    total.sessions += pruned.sessions;
    total.events += pruned.events;
    if (pruned.sessions < SESSIONS_PER_UNIT) return total;
  }
}

async function pruneSome(uow: UnitOfWork, endedBefore: Micros): Promise<RetentionResult> {
  await uow.lock('journal/retention');
  const sessions = await selectPrunableSessions(uow, endedBefore, SESSIONS_PER_UNIT);
  let events = 0;
  for (const session of sessions) events += await pruneSession(uow, session);
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
