import { PlainAnswer } from '../../../spine/operations/plain.ts';
import { errorResponse, peerError, resultResponse } from '../a2a/answers.ts';
import type { A2aOperation } from '../a2a/methods.ts';
import { observeResult } from '../a2a/observe.ts';
import { parseJson, type Reply, replyFor, replyOf, type Speech } from '../a2a/reply.ts';
import { classOfStatus, PeerFailure } from '../peers/failure.ts';
import type { Received } from '../peers/received.ts';
import type { Exchange } from './forward.ts';
import { extensionsFor, headersForCaller } from './headers.ts';
import type { Route } from './route.ts';
import type { ExchangeTrace } from './trace.ts';

const decoder = new TextDecoder();

/** One whole answer of a peer, passed on as it came or in the caller's version. */
export function unaryAnswer(
  exchange: Exchange,
  { target, verbatim }: Route,
  trace: ExchangeTrace,
  response: Received,
  bytes: Uint8Array,
): PlainAnswer {
  const reply = readReply(target, exchange.operation, response.status, bytes);
  if (!reply) {
    const failureClass = classOfStatus(response.status) ?? 'peer_disconnect';
    const failure = new PeerFailure(
      failureClass,
      `The peer answered ${response.status} with something that is not A2A.`,
      response.status,
    );
    trace.fail(failureClass, failure.message);
    // What the peer asks of its caller (a credential, patience) is between the two of them.
    if (failureClass === 'peer_auth' || response.status === 429) return passedOn(response, bytes);
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
  peer: Speech,
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

function passedOn(response: Received, bytes: Uint8Array): PlainAnswer {
  const bodyless = response.status === 204 || response.status === 304;
  return new PlainAnswer(response.status, headersForCaller(response.headers), bodyless ? null : bytes);
}
