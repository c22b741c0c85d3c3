import type { Micros } from '../../../kernel/clock.ts';
import type { Database, UnitOfWork } from '../../storage/database.ts';
import type { Sequencer } from '../numbers/sequencer.ts';

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

interface Prunable {
  readonly session_id: string;
  readonly project_id: string;
}

async function pruneSome(uow: UnitOfWork, endedBefore: Micros): Promise<RetentionResult> {
  await uow.lock('journal/retention');
  const sessions = await uow.all<Prunable>(
    `select trace.session_id, trace.project_id from chains trace
     join chains ledger on ledger.session_id = trace.session_id and ledger.kind = 'ledger'
     where trace.kind = 'trace' and trace.ended = 1 and trace.last_time_us < ? and ledger.last_time_us < ?
       and (trace.pruned_through < trace.next_sequence - 1 or ledger.pruned_through < ledger.next_sequence - 1)
     order by trace.last_time_us limit ?`,
    [endedBefore, endedBefore, SESSIONS_PER_UNIT],
  );
  let events = 0;
  for (const session of sessions) events += await pruneSession(uow, session);
  return { sessions: sessions.length, events };
}

async function pruneSession(uow: UnitOfWork, { session_id, project_id }: Prunable): Promise<number> {
  // First, because it holds both chains: an event that is being appended is either seen below or kept.
  await uow.run('update chains set pruned_through = next_sequence - 1 where session_id = ?', [session_id]);
  const last = await uow.get<{ leaf: number | null; project_seq: number | null }>(
    `select max(leaf) as leaf, max(project_seq) as project_seq from events
     where chain_id in (select chain_id from chains where session_id = ?)`,
    [session_id],
  );
  const events = await uow.run(
    `update events set payload = null
     where payload is not null and chain_id in (select chain_id from chains where session_id = ?)`,
    [session_id],
  );
  if (last?.leaf == null || last.project_seq == null) return events;
  await uow.run('update journal_head set oldest_leaf = ? where id = 1 and oldest_leaf <= ?', [
    last.leaf + 1,
    last.leaf,
  ]);
  await uow.run('update journal_projects set oldest_seq = ? where project_id = ? and oldest_seq <= ?', [
    last.project_seq + 1,
    project_id,
    last.project_seq,
  ]);
  return events;
}
