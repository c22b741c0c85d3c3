import { PlainAnswer } from '../../../spine/operations/plain.ts';
import { observeResult } from '../a2a/observe.ts';
import { eventFrame, frameReply, peerError, replyFor } from '../a2a/reply.ts';
import type { SseFrame } from '../a2a/sse-frames.ts';
import { isTerminal, type TaskState } from '../a2a/task-state.ts';
import type { RpcError } from '../a2a/translate/error.ts';
import type { Exchange, ExchangeDeps } from '../exchanges/exchange.ts';
import { headersForCaller, headersIn } from '../exchanges/headers.ts';
import type { ExchangeRecorder } from '../exchanges/recorder.ts';
import type { Route } from '../exchanges/route.ts';
import type { ExchangeTrace } from '../exchanges/trace.ts';
import type { PeerResponse } from '../peers/connections.ts';
import type { PeerInterface } from '../peers/directory.ts';
import { failureOf, PeerFailure } from '../peers/failure.ts';
import { createStreamHub } from './hub.ts';

/** A stream of a peer, each event passed on as it comes: nothing that is kept of it stands in its way. */
export function streamedAnswer(
  deps: ExchangeDeps,
  exchange: Exchange,
  { target, verbatim }: Route,
  trace: ExchangeTrace,
  response: PeerResponse,
  recorder: ExchangeRecorder,
): PlainAnswer {
  let registered = false;
  let failed = false;
  let noted = 0;
  let isTold = false;
  let isStale = false;

  /** As it stands with each frame that tells of it; of a stream that does so without end, a few times and in the end. */
  function noteOutcome(): void {
    const { state } = trace.standing;
    const isOver = state !== undefined && isTerminal(state);
    isStale = noted >= MOST_NOTED && (!isOver || isTold);
    if (isStale) return;
    noted += 1;
    isTold ||= isOver;
    recorder.answered();
  }

  const hub = createStreamHub({
    source: response,
    waitSeconds: deps.settings.replaySeconds,
    onFrame(frame) {
      const reply = frameReply(target, frame);
      if (!reply) return;
      if ('error' in reply) {
        failed = true;
        trace.rpcError(Number(reply.error.code), String(reply.error.message ?? ''));
        noteOutcome();
        return;
      }
      const observed = observeResult(reply.result);
      if (!observed) return;
      trace.observe(observed);
      // A message in place of a task is the whole answer, too.
      if (isSettled(trace.standing.state)) noteOutcome();
      if (!trace.standing.taskId || registered) return;
      registered = true;
      const { taskId } = trace.standing;
      // The first frames may be looked at while the hub is being made.
      queueMicrotask(() => deps.heldStreams.add(exchange, taskId, { hub, target }));
      recorder.taskKnown();
    },
    mustBeSeen: ({ bytes }) =>
      OUTCOMES.some((word) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(word)),
    onEnd(thrown) {
      const failure = endOf(exchange, trace.standing.state, failed, thrown);
      if (failure) trace.fail(failure.failureClass, failure.message);
      if (failure || isStale) recorder.answered();
      recorder.finish();
      if (trace.standing.taskId) deps.heldStreams.ended(exchange, trace.standing.taskId);
      return thrown === undefined ? undefined : failure && peerError(failure);
    },
    onAlone: () => trace.callerLeft(),
  });
  const body = hub.subscribe({
    caller: exchange.caller,
    from: 0,
    ...encoderFor(exchange, target, verbatim),
  });
  const headers = headersForCaller(response.headers);
  return new PlainAnswer(response.status, verbatim ? headers : headersIn(exchange.version, headers), body);
}

const MOST_NOTED = 16;

/** Members of which one stands in every event that tells how a task stands, or that is the whole answer. */
const OUTCOMES = ['"state"', '"messageId"', '"error"', 'event: error'];

/** Nothing more comes of the exchange, for now: the caller takes it as answered. */
function isSettled(state: TaskState | undefined): boolean {
  return (
    state !== undefined && (isTerminal(state) || state === 'input-required' || state === 'auth-required')
  );
}

/** How the stream failed, if it did: a task that was still running when it ended is not called completed. */
function endOf(
  { operation }: Exchange,
  state: TaskState | undefined,
  failed: boolean,
  thrown: unknown,
): PeerFailure | undefined {
  if (thrown !== undefined) return failed ? undefined : failureOf(thrown);
  if (failed || state === undefined || isSettled(state) || operation === 'subscribe') return undefined;
  return new PeerFailure('peer_disconnect', `The stream ended while the task was ${state}.`);
}

/** How a subscriber gets the frames of a peer: as they came, or in its own version and under its own request id. */
export function encoderFor(exchange: Exchange, target: PeerInterface, verbatim: boolean) {
  return {
    encode: (frame: SseFrame) => {
      if (verbatim) return frame.bytes;
      const reply = frameReply(target, frame);
      return reply && eventFrame(exchange, replyFor(exchange, target.version, reply));
    },
    encodeError: (error: RpcError) => eventFrame(exchange, { error }),
  };
}
