import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { insertion } from '../../../spine/storage/insertion.ts';
import type { Reason } from './reasons.ts';
import type { REPLAY_STATES, STEP_STATES } from './schema.ts';

export type ReplayState = (typeof REPLAY_STATES)[number];
export type StepState = (typeof STEP_STATES)[number];

export interface ReplayRow {
  readonly replay_id: string;
  readonly project_id: string;
  readonly source_kind: 'trace' | 'session';
  readonly source_id: string;
  readonly state: ReplayState;
  /** Why it ended early. */
  readonly why: string | null;
  readonly made_by: string;
  readonly created_us: Micros;
  /** When its process last said that it goes on. */
  readonly seen_us: Micros;
  readonly ended_us: Micros | null;
}

export interface StepRow {
  readonly replay_id: string;
  readonly number: number;
  readonly state: StepState;
  readonly reason: Reason | null;
  readonly agent: string;
  readonly peer_id: string;
  readonly exact: number;
  readonly streams: number;
  readonly trace_id: string;
  readonly span_id: string;
  readonly context_id: string | null;
  readonly new_trace_id: string | null;
  readonly new_context_id: string | null;
}

const steps = insertion({
  into: 'relay_replay_steps',
  columns: [
    'replay_id',
    'number',
    'state',
    'reason',
    'agent',
    'peer_id',
    'exact',
    'streams',
    'trace_id',
    'span_id',
    'context_id',
  ],
});

export async function insertReplay(
  uow: UnitOfWork,
  replay: ReplayRow,
  of: readonly Omit<StepRow, 'replay_id' | 'new_trace_id' | 'new_context_id'>[],
): Promise<void> {
  const { replay_id, project_id, source_kind, source_id, state, made_by, created_us } = replay;
  await uow.run(
    `insert into relay_replays (replay_id, project_id, source_kind, source_id, state, made_by, created_us, seen_us)
      values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [replay_id, project_id, source_kind, source_id, state, made_by, created_us, created_us],
  );
  await steps.run(
    uow,
    of.map((step) => [
      replay_id,
      step.number,
      step.state,
      step.reason,
      step.agent,
      step.peer_id,
      step.exact,
      step.streams,
      step.trace_id,
      step.span_id,
      step.context_id,
    ]),
  );
}

const REPLAY =
  'select replay_id, project_id, source_kind, source_id, state, why, made_by, created_us, seen_us, ended_us from relay_replays';

export function selectReplay(
  reader: Reader,
  projectId: string,
  replayId: string,
): Promise<ReplayRow | undefined> {
  return reader.get<ReplayRow>(`${REPLAY} where project_id = ? and replay_id = ?`, [projectId, replayId]);
}

/** The latest first. */
export function selectReplays(reader: Reader, projectId: string, limit: number): Promise<ReplayRow[]> {
  return reader.all<ReplayRow>(`${REPLAY} where project_id = ? order by created_us desc, replay_id limit ?`, [
    projectId,
    limit,
  ]);
}

export interface StepCounts {
  readonly replay_id: string;
  readonly messages: number;
  readonly sent: number;
  readonly skipped: number;
}

export async function countSteps(
  reader: Reader,
  replayIds: readonly string[],
): Promise<ReadonlyMap<string, StepCounts>> {
  if (replayIds.length === 0) return new Map();
  const rows = await reader.all<StepCounts>(
    `select replay_id, count(*) as messages,
        sum(case when state in ('sent', 'unknown') then 1 else 0 end) as sent,
        sum(case when state = 'skipped' then 1 else 0 end) as skipped
      from relay_replay_steps where replay_id in (${replayIds.map(() => '?').join(', ')}) group by replay_id`,
    replayIds,
  );
  return new Map(rows.map((row) => [row.replay_id, row]));
}

export function selectSteps(
  reader: Reader,
  replayId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<StepRow[]> {
  return reader.all<StepRow>(
    'select * from relay_replay_steps where replay_id = ? and number > ? order by number limit ?',
    [replayId, after, limit],
  );
}

/** Which context of the replay stands for which of the original. */
export function selectContexts(
  reader: Reader,
  replayId: string,
  limit: number,
): Promise<{ original: string; replayed: string }[]> {
  return reader.all(
    `select context_id as original, new_context_id as replayed from relay_replay_steps
      where replay_id = ? and context_id is not null and new_context_id is not null
      group by context_id, new_context_id order by min(number) limit ?`,
    [replayId, limit],
  );
}

/** Answers false where the replay does not run any more: somebody stopped it. */
export async function keepRunning(uow: UnitOfWork, replayId: string, now: Micros): Promise<boolean> {
  const found = await uow.all(
    `update relay_replays set seen_us = ? where replay_id = ? and state = 'running' returning replay_id`,
    [now, replayId],
  );
  return found.length > 0;
}

export async function updateStep(
  uow: UnitOfWork,
  { replay_id, number }: Pick<StepRow, 'replay_id' | 'number'>,
  change: Partial<Pick<StepRow, 'state' | 'reason' | 'new_trace_id' | 'new_context_id'>>,
): Promise<void> {
  const names = Object.keys(change) as (keyof typeof change)[];
  await uow.run(
    `update relay_replay_steps set ${names.map((name) => `${name} = ?`).join(', ')} where replay_id = ? and number = ?`,
    [...names.map((name) => change[name] ?? null), replay_id, number],
  );
}

/** Ends a replay that runs: what waits is never sent. Answers false where it was over. */
export async function endReplay(
  uow: UnitOfWork,
  replayId: string,
  state: Exclude<ReplayState, 'running'>,
  why: string | null,
  now: Micros,
): Promise<boolean> {
  const found = await uow.all(
    `update relay_replays set state = ?, why = ?, ended_us = ? where replay_id = ? and state = 'running' returning replay_id`,
    [state, why, now, replayId],
  );
  if (found.length === 0) return false;
  await uow.run(
    `update relay_replay_steps set state = 'skipped', reason = 'stopped' where replay_id = ? and state = 'waiting'`,
    [replayId],
  );
  return true;
}

/** What was being sent when its process ended: the agent has it, or has not. */
export async function leaveUnknown(uow: UnitOfWork, replayId: string): Promise<void> {
  await uow.run(
    `update relay_replay_steps set state = 'unknown', reason = 'interrupted' where replay_id = ? and state = 'sending'`,
    [replayId],
  );
}

/** Replays of which nobody has said for a while that they go on. */
export async function selectAbandoned(reader: Reader, seenBefore: Micros): Promise<string[]> {
  const rows = await reader.all<{ replay_id: string }>(
    `select replay_id from relay_replays where state = 'running' and seen_us < ? limit 100`,
    [seenBefore],
  );
  return rows.map(({ replay_id }) => replay_id);
}

/** The message that this trace sent again, and by which replay. */
export function selectReplayedIn(
  reader: Reader,
  projectId: string,
  traceId: string,
): Promise<Pick<StepRow, 'replay_id' | 'trace_id' | 'span_id'> | undefined> {
  return reader.get(
    `select s.replay_id, s.trace_id, s.span_id from relay_replay_steps s join relay_replays r on r.replay_id = s.replay_id
      where s.new_trace_id = ? and r.project_id = ?`,
    [traceId, projectId],
  );
}

export async function pruneReplays(uow: UnitOfWork, before: Micros): Promise<void> {
  const old = `select replay_id from relay_replays where ended_us < ?`;
  await uow.run(`delete from relay_replay_steps where replay_id in (${old})`, [before]);
  await uow.run('delete from relay_replays where ended_us < ?', [before]);
}
