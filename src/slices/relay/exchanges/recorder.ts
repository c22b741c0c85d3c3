/** For speed: with a commit before each answer, a unary message takes 1.36 times as long. */
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { textOf } from '../a2a/observe.ts';
import { isTerminal } from '../a2a/task-state.ts';
import type { EndingAlong } from '../spans/tracer.ts';
import type { TaskRow } from '../tasks/store.ts';
import type { Exchange, ExchangeDeps } from './exchange.ts';
import type { ExchangeTrace } from './trace.ts';

/**
 * What is kept of one exchange, and when. Nobody waits for a commit but a caller who is told of a task that goes on:
 * it must find the way back to the task's owner whatever happens to this machine. All the rest (that the exchange began,
 * how it ended, the task's owner and state, the reply and its digest, the journal's event) is in the log before the
 * answer, which outlives a kill, and in the store a tenth of a second later. A message or a finished task lost to a power
 * failure in between misleads nobody: its caller has the whole answer, and nothing claims that the exchange did not happen.
 */
export interface ExchangeRecorder {
  /** The request is on its way: from now on a kill leaves a trace of the exchange. */
  begin(): void;
  /** Of a stream: its task is known, and others may ask for it. */
  taskKnown(): void;
  /** How it ends is known, and the caller is about to be told: from now on a kill leaves it as told. */
  answered(): void;
  /** To be awaited before a unary answer goes out. Implies `answered`. */
  beforeAnswer(): Promise<void>;
  /** The exchange is over. Costs nothing now; stored a tenth of a second later. */
  finish(): void;
}

export function createExchangeRecorder(
  deps: ExchangeDeps,
  exchange: Exchange,
  trace: ExchangeTrace,
): ExchangeRecorder {
  let learned: { readonly state: string; readonly save: (uow: UnitOfWork) => Promise<void> } | undefined;
  let begun = false;
  let requestDigest = '';

  function begin(): void {
    if (begun) return;
    begun = true;
    requestDigest = deps.hasher.hex(exchange.bytes ?? '');
    trace.noteInput(exchange.bytes?.length ?? 0);
    deps.tracer.opened(exchange.projectId, trace.task);
  }

  function learn() {
    const row = rowOf(deps, exchange, trace);
    if (row && row.state !== learned?.state) learned = { state: row.state, save: deps.tasks.learned(row) };
    return learned;
  }

  const along = () => alongOf(exchange, trace, requestDigest);

  function answered(): void {
    begin();
    learn();
    deps.tracer.answered(exchange.projectId, trace.task, trace.ending(), along());
  }

  function finish(): void {
    begin();
    const spans = trace.complete();
    const task = learn();
    deps.tracer.endTogether(exchange.projectId, spans, async (uow) => {
      await task?.save(uow);
      await exchange.recordDecision?.(uow);
      const { event, deposit } = along();
      const marks = event && (await deps.recordEvent(uow, event));
      if (deposit) await deps.deposit?.(uow, deposit);
      return marks;
    });
  }

  return {
    begin,
    taskKnown() {
      const task = learn();
      deps.log.flush();
      if (task) deps.deferred.add(task.save);
    },
    answered,
    async beforeAnswer() {
      answered();
      const task = learn();
      if (!task || exchange.ownerStored || (trace.standing.state && isTerminal(trace.standing.state))) return;
      // The peer has the task whether or not the store takes the row: its caller gets the answer in any case.
      await deps.db
        .write(task.save)
        .catch((error) => deps.onError(error, 'the owner of a task was not stored'));
    },
    finish() {
      exchange.leave();
      deps.deferred.afterAnswer(finish);
    },
  };
}

function rowOf({ clock }: ExchangeDeps, exchange: Exchange, trace: ExchangeTrace): TaskRow | undefined {
  if (!trace.standing.taskId || trace.standing.state === undefined || exchange.operation === 'list')
    return undefined;
  const now = clock.now();
  return {
    project_id: exchange.projectId,
    task_id: trace.standing.taskId,
    peer_id: exchange.peer.id,
    context_id: trace.standing.contextId ?? null,
    state: trace.standing.state,
    trace_id: trace.task.context.traceId,
    span_id: trace.task.context.spanId,
    caller: exchange.caller,
    opened_us: now,
    updated_us: now,
  };
}

/** The journal keeps where tasks begin and end, by digest; what was said stands in the spans. */
function alongOf(exchange: Exchange, trace: ExchangeTrace, requestDigest: string): EndingAlong {
  const { taskId, contextId, state } = trace.standing;
  const { projectId, peer, message, replay } = exchange;
  if (!message || !taskId || !state) return {};
  const actor = exchange.principal?.actor ?? { id: 'open', type: 'script' as const };
  const { traceId } = trace.task.context;
  const event = {
    projectId,
    actor,
    contextId,
    type: isTerminal(state) ? 'relay.task_ended' : 'relay.task_seen',
    payload: {
      task_id: taskId,
      peer_id: peer.id,
      context_id: contextId ?? null,
      state,
      trace_id: traceId,
      request_digest: requestDigest,
      reply_digest: trace.replyDigest(),
      ...(replay && { replay_of: replay.spanId }),
    },
  };
  // What is sent again to see what comes of it is nobody's work.
  if (state !== 'completed' || !peer.deposit || replay) return { event };
  const request = textOf(message.parts);
  const reply = trace.replyText();
  return {
    event,
    deposit: { projectId, actor, peerId: peer.id, taskId, contextId, traceId, request, reply },
  };
}
