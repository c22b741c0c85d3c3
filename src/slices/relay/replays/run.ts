import { setTimeout as pause } from 'node:timers/promises';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Audit } from '../exchanges/audit.ts';
import type { PeerDirectory } from '../peers/directory.ts';
import type { RelayDeps } from '../ports.ts';
import { type LiveSpan, SPAN_KIND, SPAN_STATUS } from '../spans/live-span.ts';
import type { Tracer } from '../spans/tracer.ts';
import { createCounterparts } from './counterparts.ts';
import { newRequest } from './new-message.ts';
import type { Plan, Planned } from './plan.ts';
import type { Reason } from './reasons.ts';
import { type SendAgainDeps, type SentAgain, sendAgain } from './send-again.ts';
import { endReplay, keepRunning, leaveUnknown, updateStep } from './store.ts';

export interface RunDeps extends SendAgainDeps, Pick<RelayDeps, 'db' | 'clock' | 'ids' | 'onError'> {
  readonly audit: Audit;
  readonly tracer: Tracer;
  readonly directory: Pick<PeerDirectory, 'find'>;
}

export interface Run {
  readonly replayId: string;
  readonly principal: Principal;
  readonly plan: Plan;
}

/** An agent that cannot be reached so many times in a row is not asked for the rest. */
const MOST_FAILURES = 5;
/** A message is given up after that: a stream may go on for ever. */
const MOST_SECONDS = 600;
const MOST_WAIT_MS = 60_000;
const MOST_TURNED_AWAY = 10;
const SEEN_EVERY_MS = 5_000;

/** Sends the messages of a plan, one after the other, until all are sent, the signal fires, or somebody stops it. */
export async function runReplay(deps: RunDeps, run: Run, signal: AbortSignal): Promise<void> {
  const { db, clock, onError } = deps;
  const { replayId, plan } = run;
  const stop = new AbortController();
  const going = AbortSignal.any([signal, stop.signal]);
  const seen = setInterval(() => {
    db.write((uow) => keepRunning(uow, replayId, clock.now())).then(
      (runs) => runs || stop.abort(),
      (error) => onError(error, 'a replay could not say that it goes on'),
    );
  }, SEEN_EVERY_MS);
  seen.unref();
  try {
    const early = await sendAll(deps, run, going);
    await db.write(async (uow) => {
      if (going.aborted) await leaveUnknown(uow, replayId);
      if (signal.aborted) await endReplay(uow, replayId, 'interrupted', 'The server ended.', clock.now());
      else await endReplay(uow, replayId, early ? 'stopped' : 'ended', early ?? null, clock.now());
    });
  } catch (error) {
    onError(error, `the replay of ${plan.source.kind} ${plan.source.id} broke off`);
    await db
      .write(async (uow) => {
        await leaveUnknown(uow, replayId);
        await endReplay(uow, replayId, 'interrupted', 'The server could not go on with it.', clock.now());
      })
      .catch((failed) => onError(failed, 'the end of a replay was not stored'));
  } finally {
    clearInterval(seen);
  }
}

/** Answers why it ended early, if it did. */
async function sendAll(deps: RunDeps, run: Run, going: AbortSignal): Promise<string | undefined> {
  const { db, clock } = deps;
  const { replayId, plan, principal } = run;
  const counterparts = createCounterparts(deps.ids, plan.opened);
  let failures = 0;
  for (const [at, planned] of plan.planned.entries()) {
    if (planned.reason !== undefined) continue;
    const step = { replay_id: replayId, number: at + 1 };
    const skip = (reason: Reason) => db.write((uow) => updateStep(uow, step, { state: 'skipped', reason }));
    const { captured, to } = planned;
    const peer = await deps.directory.find(principal.defaultProject, to);
    const task = counterparts.taskOf(captured);
    if (!peer || !captured.message) {
      await skip(peer ? 'not_kept' : 'peer_gone');
      continue;
    }
    if ('reason' in task) {
      await skip(task.reason);
      continue;
    }
    const contextId = counterparts.contextOf(captured);
    const ids = {
      ...{ messageId: deps.ids(), contextId, taskId: task.taskId },
      referenceTo: (id: string) => counterparts.referenceTo(id),
    };
    const params = newRequest(captured, captured.message, ids, { speaker: principal.actor.id, to });
    const span = spanOf(deps.tracer, run, planned, contextId);
    const newTraceId = span.context.traceId;
    const goesOn = await db.write(async (uow) => {
      if (!(await keepRunning(uow, replayId, clock.now()))) return false;
      await updateStep(uow, step, { state: 'sending', new_trace_id: newTraceId });
      return true;
    });
    if (!goesOn || going.aborted) return 'It was stopped.';
    const mark = { replayId, traceId: captured.traceId, spanId: captured.spanId };
    const again = { captured, peer, params, principal, replay: { ...mark, parent: span.context } };
    const sent = await deps.audit
      .around(
        principal,
        {
          ...{ verb: 'replay', target: to, sessionId: contextId },
          names: { to, replay: replayId, of: captured.spanId },
        },
        span,
        () => untilTaken(deps, again, going),
      )
      .catch((error) => {
        if (going.aborted) return undefined;
        throw error;
      });
    if (!sent || going.aborted) return 'It was stopped.';
    const answered = sent.is === 'answered' ? sent.answered : undefined;
    if (answered) counterparts.learned(captured, answered);
    await db.write((uow) =>
      updateStep(uow, step, {
        state: 'sent',
        new_context_id: contextId ?? answered?.contextId ?? null,
      }),
    );
    failures = sent.is === 'answered' && !sent.unreachable ? 0 : failures + 1;
    if (failures >= MOST_FAILURES && at + 1 < plan.planned.length)
      return `The agent could not be reached ${MOST_FAILURES} times in a row.`;
  }
  return undefined;
}

/** Waits as long as it is told to where there is no room for the message now. */
async function untilTaken(
  deps: RunDeps,
  again: Parameters<typeof sendAgain>[1],
  going: AbortSignal,
): Promise<SentAgain> {
  for (let times = 1; ; times += 1) {
    const signal = AbortSignal.any([going, AbortSignal.timeout(MOST_SECONDS * 1000)]);
    const sent = await sendAgain(deps, again, signal);
    if (sent.is === 'answered' || times >= MOST_TURNED_AWAY) return sent;
    await pause(Math.min(sent.retryAfterMs, MOST_WAIT_MS), undefined, { signal: going });
  }
}

/** What this side did: the parent of the exchange's own span, in a trace that is linked to the original. */
function spanOf(
  tracer: Tracer,
  { replayId, principal }: Run,
  { captured, to }: Planned,
  contextId: string | undefined,
): LiveSpan {
  const { traceId, spanId } = captured;
  const span = tracer.start('a2a.client.replay', SPAN_KIND.client, { links: [{ traceId, spanId }] });
  span.status = { code: SPAN_STATUS.ok };
  return span.set({
    agentId: principal.actor.id,
    agentName: principal.actor.id,
    agentRole: principal.actor.type === 'human' ? 'orchestrator' : 'worker',
    sessionId: contextId ?? '',
    userId: principal.actor.id,
    graphNodeId: principal.actor.id,
    taskId: '',
    taskState: '',
    method: captured.operation === 'stream' ? 'message/stream' : 'message/send',
    peerTarget: to,
    peerSenderRole: '',
    peerTargetRole: '',
    peerAgentId: to,
    spanKind: 'AGENT',
    replayId,
    replayOfTrace: traceId,
    replayOfSpan: spanId,
  });
}
