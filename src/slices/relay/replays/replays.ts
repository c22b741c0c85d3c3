import { formatMicros } from '../../../kernel/instant.ts';
import { requireScope, subjectOf } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import type { DeferredWrites } from '../deferred-writes.ts';
import { relayErrors } from '../errors.ts';
import type { RelayDeps } from '../ports.ts';
import { selectSpans } from '../spans/store.ts';
import { BRIEF, comparedExchange, type Room, WHOLE } from './compare.ts';
import { type PlanDeps, plannedView, planReplay } from './plan.ts';
import { REASONS } from './reasons.ts';
import { recordedOf } from './recorded.ts';
import { type RunDeps, runReplay } from './run.ts';
import type { ReplayPage, ReplayPlan, ReplaySource, ReplayStepView, ReplayView } from './schema.ts';
import {
  countSteps,
  endReplay,
  insertReplay,
  leaveUnknown,
  type ReplayRow,
  type StepRow,
  selectAbandoned,
  selectContexts,
  selectReplay,
  selectReplays,
  selectSteps,
} from './store.ts';

/** Captured messages sent again, and what came of them beside what came of the originals. */
export interface Replays {
  plan(principal: Principal, source: ReplaySource): Promise<ReplayPlan>;
  /** Answers at once; the messages are sent meanwhile. */
  start(principal: Principal, source: ReplaySource): Promise<ReplayView>;
  list(reader: Reader, projectId: string, limit: number): Promise<ReplayView[]>;
  show(projectId: string, replayId: string, page: PageAsked, signal: AbortSignal): Promise<ReplayPage>;
  step(projectId: string, replayId: string, number: number): Promise<ReplayStepView>;
  /** For who began it, or may manage the relay. */
  stop(principal: Principal, replayId: string): Promise<ReplayView>;
  /** Ends what processes that are gone left running: nothing is sent that nobody waits for any more. */
  endAbandoned(): Promise<void>;
  close(): Promise<void>;
}

export interface PageAsked {
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
  readonly wait?: number | undefined;
}

export interface ReplaysDeps
  extends Omit<RunDeps, 'db'>,
    PlanDeps,
    Pick<RelayDeps, 'db' | 'clock' | 'ids' | 'onError'> {
  readonly deferred: Pick<DeferredWrites, 'settled'>;
}

const MOST_RUNNING = 4;
const MOST_PLANNED = 200;
const MOST_CONTEXTS = 200;
const PAGE = 20;
const LOOK_AGAIN_MS = 200;
const ABANDONED_MICROS = 60e6;
const SPANS_OF_A_TRACE = 200;

export function createReplays(deps: ReplaysDeps): Replays {
  const { db, clock, ids, onError } = deps;
  const running = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>();

  function viewOf(row: ReplayRow, counts: Awaited<ReturnType<typeof countSteps>>): ReplayView {
    const { messages = 0, sent = 0, skipped = 0 } = counts.get(row.replay_id) ?? {};
    return {
      replay_id: row.replay_id,
      source: { kind: row.source_kind, id: row.source_id },
      state: row.state,
      why: row.why,
      made_by: row.made_by,
      created_at: formatMicros(row.created_us),
      ended_at: row.ended_us === null ? null : formatMicros(row.ended_us),
      messages: Number(messages),
      sent: Number(sent),
      skipped: Number(skipped),
    };
  }

  async function found(reader: Reader, projectId: string, replayId: string): Promise<ReplayView> {
    const row = await selectReplay(reader, projectId, replayId);
    if (!row) throw relayErrors.replay_not_found();
    return viewOf(row, await countSteps(reader, [replayId]));
  }

  async function stepView(projectId: string, row: StepRow, room: Room): Promise<ReplayStepView> {
    return {
      number: row.number,
      state: row.state,
      agent: row.agent,
      to: row.peer_id,
      exact: row.exact === 1,
      trace_id: row.trace_id,
      span_id: row.span_id,
      new_trace_id: row.new_trace_id,
      ...(row.reason !== null && { reason: row.reason, why: REASONS[row.reason] }),
      ...(row.state === 'sent' && { compared: await compared(projectId, row, room) }),
    };
  }

  function compared(projectId: string, row: StepRow, room: Room) {
    return db.read(async (reader) => {
      const recorded = async (traceId: string, spanId?: string) =>
        recordedOf(await selectSpans(reader, projectId, { traceId, limit: SPANS_OF_A_TRACE }), spanId);
      const original = await recorded(row.trace_id, row.span_id);
      const replayed = row.new_trace_id === null ? undefined : await recorded(row.new_trace_id);
      return comparedExchange(original, replayed, row.streams === 1, room);
    });
  }

  return {
    async plan(principal, source) {
      const { planned } = await planReplay(deps, principal.defaultProject, source);
      return {
        messages: planned.length,
        to_send: planned.filter(({ reason }) => reason === undefined).length,
        speaker: principal.actor.id,
        steps: planned.slice(0, MOST_PLANNED).map(plannedView),
      };
    },
    async start(principal, source) {
      // What it sends, it shows.
      requireScope(principal, 'trace:read');
      if (running.size >= MOST_RUNNING) throw relayErrors.too_many_replays();
      const projectId = principal.defaultProject;
      const plan = await planReplay(deps, projectId, source);
      const now = clock.now();
      const row: ReplayRow = {
        replay_id: ids(),
        project_id: projectId,
        source_kind: plan.source.kind,
        source_id: plan.source.id,
        state: 'running',
        why: null,
        made_by: subjectOf(principal.actor),
        created_us: now,
        seen_us: now,
        ended_us: null,
      };
      const { replay_id: replayId } = row;
      const view = await db.write(async (uow) => {
        await insertReplay(
          uow,
          row,
          plan.planned.map(({ captured, to, reason }, at) => ({
            number: at + 1,
            state: reason === undefined ? 'waiting' : 'skipped',
            reason: reason ?? null,
            agent: captured.peerId,
            peer_id: to,
            exact: captured.isExact ? 1 : 0,
            streams: captured.operation === 'stream' ? 1 : 0,
            trace_id: captured.traceId,
            span_id: captured.spanId,
            context_id: captured.contextId ?? null,
          })),
        );
        return found(uow, projectId, replayId);
      });
      const stop = new AbortController();
      const done = runReplay(deps, { replayId, principal, plan }, stop.signal).finally(() =>
        running.delete(replayId),
      );
      running.set(replayId, { stop, done });
      return view;
    },
    async list(reader, projectId, limit) {
      const rows = await selectReplays(reader, projectId, limit);
      const counts = await countSteps(
        reader,
        rows.map(({ replay_id }) => replay_id),
      );
      return rows.map((row) => viewOf(row, counts));
    },
    async show(projectId, replayId, { after = 0, limit = PAGE, wait = 0 }, signal) {
      const until = clock.now() + wait * 1e6;
      const read = () => db.read((reader) => found(reader, projectId, replayId));
      let replay = await read();
      while (replay.state === 'running' && clock.now() < until && !signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
        replay = await read();
      }
      // The spans of what was answered a moment ago.
      await deps.deferred.settled();
      const { rows, contexts } = await db.read(async (reader) => ({
        rows: await selectSteps(reader, replayId, { after, limit: limit + 1 }),
        contexts: await selectContexts(reader, replayId, MOST_CONTEXTS),
      }));
      const steps: ReplayStepView[] = [];
      for (const row of rows.slice(0, limit)) steps.push(await stepView(projectId, row, BRIEF));
      return {
        ...replay,
        contexts,
        steps,
        next: rows.length > limit ? (steps.at(-1)?.number ?? null) : null,
      };
    },
    async step(projectId, replayId, number) {
      await deps.deferred.settled();
      const row = await db.read(async (reader) => {
        await found(reader, projectId, replayId);
        const [own] = await selectSteps(reader, replayId, { after: number - 1, limit: 1 });
        return own;
      });
      if (row?.number !== number)
        throw relayErrors.replay_not_found({ message: 'The replay has no such step.' });
      return stepView(projectId, row, WHOLE);
    },
    async stop(principal, replayId) {
      const projectId = principal.defaultProject;
      const view = await db.write(async (uow) => {
        const { made_by } = await found(uow, projectId, replayId);
        if (made_by !== subjectOf(principal.actor)) requireScope(principal, 'relay:manage');
        await endReplay(uow, replayId, 'stopped', 'It was stopped.', clock.now());
        return found(uow, projectId, replayId);
      });
      // Another process notices when it says the next time that it goes on.
      running.get(replayId)?.stop.abort();
      await running.get(replayId)?.done;
      return db.read((reader) => found(reader, projectId, view.replay_id));
    },
    async endAbandoned() {
      const now = clock.now();
      const abandoned = await db.read((reader) => selectAbandoned(reader, now - ABANDONED_MICROS));
      for (const replayId of abandoned.filter((id) => !running.has(id)))
        await db.write(async (uow) => {
          await leaveUnknown(uow, replayId);
          await endReplay(uow, replayId, 'interrupted', 'The server ended.', now);
        });
    },
    async close() {
      for (const { stop } of running.values()) stop.abort();
      await Promise.all([...running.values()].map(({ done }) => done)).catch((error) =>
        onError(error, 'a replay did not end in order'),
      );
    },
  };
}
