import { PlainAnswer } from '../../../spine/operations/plain.ts';
import { type A2aOperation, isReading, isStreaming } from '../a2a/methods.ts';
import { observeResult } from '../a2a/observe.ts';
import {
  type Dialect,
  errorResponse,
  parseJson,
  peerError,
  type Reply,
  RPC,
  replyFor,
  replyOf,
  resultResponse,
} from '../a2a/reply.ts';
import { faultOf } from '../a2a/translate/check-request.ts';
import type { PeerResponse } from '../peers/connections.ts';
import { classOfStatus, failureOf, PeerFailure } from '../peers/failure.ts';
import { streamedAnswer } from '../streams/streamed-answer.ts';
import type { Exchange, ExchangeDeps } from './exchange.ts';
import { extensionsFor, headersForCaller } from './headers.ts';
import { listedTasks } from './list-tasks.ts';
import { createExchangeRecorder, type ExchangeRecorder } from './recorder.ts';
import { outgoing, type Route, routeOf } from './route.ts';
import type { ExchangeTrace } from './trace.ts';
import { turnBetween } from './turn-between.ts';

/** Sends the request on, and the answer back: byte for byte where both speak the same, translated where not. */
export async function forward(
  deps: ExchangeDeps,
  exchange: Exchange,
  trace: ExchangeTrace,
): Promise<PlainAnswer> {
  const { settings } = deps;
  const streaming = isStreaming(exchange.operation);
  const route = routeOf(exchange);
  const mode = `${route.verbatim ? 'forward' : 'bridge'}${streaming ? '-stream' : ''}`;
  const fault = route.verbatim ? undefined : faultOf(exchange.operation, exchange.version, exchange.params);
  if (fault) return notTranslated(deps, exchange, trace, fault);
  if (exchange.operation === 'list' && route.target.version === '0.3')
    return listedTasks(deps, exchange, trace);
  const request = outgoing(exchange, route, trace.forward.context);
  const timeoutMs = (exchange.peer.timeout_seconds ?? settings.timeoutSeconds) * 1000;
  const began = deps.clock.now();
  const sent = deps.sender.send(exchange.peer, {
    url: request.url,
    method: request.method,
    headers: request.headers,
    body: request.body,
    timeoutMs,
    idleMs: (exchange.peer.idle_seconds ?? settings.idleSeconds) * 1000,
    repeatable: isReading(exchange.operation),
    // A caller that leaves a unary exchange ends it; a stream is read on, so that it can come back.
    onGone: streaming ? undefined : exchange.onGone,
  });
  const recorder = createExchangeRecorder(deps, exchange, trace);
  // What is written down is written down while the peer works: the socket has the request only when this turn is over.
  setImmediate(recorder.begin);
  const answeredWith = (status: number) =>
    trace.peerAnswered({ status, version: route.target.version, url: request.url, mode });
  let response: PeerResponse;
  try {
    response = await sent;
  } catch (thrown) {
    answeredWith(0);
    return failed(exchange, trace, recorder, thrown);
  }
  answeredWith(response.status);
  if (streaming && isEventStream(response) && !isRedirect(response))
    return streamedAnswer(deps, exchange, route, trace, response, recorder);
  try {
    const left = timeoutMs - (deps.clock.now() - began) / 1000;
    const received = await response.bytes(settings.maxBodyBytes, Math.max(left, LEAST_TO_END_MS));
    const bytes = exchange.revealed ? await exchange.revealed(received) : received;
    await turnBetween(bytes);
    const answer = unaryAnswer(exchange, route, trace, response, bytes);
    await turnBetween(bytes);
    await recorder.beforeAnswer();
    recorder.finish();
    return answer;
  } catch (thrown) {
    return failed(exchange, trace, recorder, thrown);
  }
}

/** An answer that begins in the last moment may be read to its end. */
const LEAST_TO_END_MS = 1_000;

/** Nothing went to the peer: what it would get is not what its caller said. */
function notTranslated(
  deps: ExchangeDeps,
  exchange: Exchange,
  trace: ExchangeTrace,
  fault: string,
): PlainAnswer {
  const recorder = createExchangeRecorder(deps, exchange, trace);
  trace.rpcError(RPC.invalidParams, fault);
  recorder.answered();
  recorder.finish();
  return errorResponse(exchange, { code: RPC.invalidParams, message: fault });
}

function failed(
  exchange: Exchange,
  trace: ExchangeTrace,
  recorder: ExchangeRecorder,
  thrown: unknown,
): PlainAnswer {
  const failure = failureOf(thrown);
  if (failure.failureClass === 'client_disconnect') trace.callerLeft();
  trace.fail(failure.failureClass, failure.message);
  recorder.answered();
  recorder.finish();
  return errorResponse(exchange, peerError(failure));
}

function isEventStream({ headers }: PeerResponse): boolean {
  return (headers['content-type'] ?? '').startsWith('text/event-stream');
}

/** Never passed on, whatever else it says: a caller would follow it with all its headers, our key among them. */
function isRedirect({ status }: Pick<PeerResponse, 'status'>): boolean {
  return status >= 300 && status < 400;
}

const decoder = new TextDecoder();

/** One whole answer of a peer, passed on as it came or in the caller's version. */
function unaryAnswer(
  exchange: Exchange,
  { target, verbatim }: Route,
  trace: ExchangeTrace,
  response: PeerResponse,
  bytes: Uint8Array,
): PlainAnswer {
  const reply = isRedirect(response)
    ? undefined
    : readReply(target, exchange.operation, response.status, bytes);
  if (!reply) {
    const failureClass = classOfStatus(response.status) ?? 'peer_disconnect';
    const failure = new PeerFailure(
      failureClass,
      `The peer answered ${response.status} with something that is not A2A.`,
      response.status,
    );
    trace.fail(failureClass, failure.message);
    // What the peer asks of its caller (a credential, patience, another form) is between the two of them.
    const isRefusal = response.status >= 400 && response.status < 500 && response.status !== 404;
    if (isRefusal && (verbatim || failureClass === 'peer_auth' || response.status === 429))
      return passedOn(response, bytes);
    return errorResponse(exchange, peerError(failure));
  }
  observe(trace, reply);
  if (verbatim) return passedOn(response, bytes);
  const own = replyFor(exchange, target.version, reply);
  const answer = 'error' in own ? errorResponse(exchange, own.error) : resultResponse(exchange, own.result);
  const headers = { ...answer.headers, ...extensionsFor(exchange.version, response.headers) };
  return new PlainAnswer(answer.status, headers, answer.body);
}

function readReply(
  peer: Dialect,
  operation: A2aOperation,
  status: number,
  bytes: Uint8Array,
): Reply | undefined {
  const value = parseJson(decoder.decode(bytes));
  const empty = bytes.length === 0 && status < 300;
  return value === undefined && !empty ? undefined : replyOf(peer, operation, status, value);
}

function observe(trace: ExchangeTrace, reply: Reply): void {
  if ('error' in reply) {
    trace.rpcError(Number(reply.error.code), String(reply.error.message ?? ''));
    return;
  }
  const observed = observeResult(reply.result);
  if (observed) trace.observe(observed);
}

function passedOn(response: PeerResponse, bytes: Uint8Array): PlainAnswer {
  const bodyless = response.status === 204 || response.status === 304;
  return new PlainAnswer(response.status, headersForCaller(response.headers), bodyless ? null : bytes);
}
