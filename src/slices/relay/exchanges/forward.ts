import type { LooseRecord } from '../../../kernel/json/loose.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { PlainAnswer, PlainHeaders, PlainRequest } from '../../../spine/operations/plain.ts';
import { errorResponse, peerError, type RpcId } from '../a2a/answers.ts';
import { type A2aBinding, type A2aOperation, type A2aVersion, isStreaming } from '../a2a/methods.ts';
import type { ObservedMessage } from '../a2a/observe.ts';
import type { PeerInterface } from '../peers/directory.ts';
import { failureOf } from '../peers/failure.ts';
import type { Received } from '../peers/received.ts';
import type { Peer } from '../peers/store.ts';
import { streamedAnswer } from '../streams/pass-on.ts';
import type { RelayContext } from './deps.ts';
import { type Keeping, keepExchange } from './recorder.ts';
import { outgoing, routeOf } from './route.ts';
import type { ExchangeTrace } from './trace.ts';
import { unaryAnswer } from './unary.ts';

/** One request of a caller, understood. */
export interface Exchange {
  readonly projectId: string;
  readonly principal: Principal | undefined;
  /** Who asks, as far as it can be proved: positions in a stream are kept by it. */
  readonly caller: string;
  readonly peer: Peer;
  readonly interfaces: readonly PeerInterface[];
  readonly operation: A2aOperation;
  readonly version: A2aVersion;
  readonly binding: A2aBinding;
  readonly id: RpcId;
  readonly params: LooseRecord;
  readonly message: ObservedMessage | undefined;
  /** The task that it is about was known to be this peer's before. */
  readonly ownerStored: boolean;
  readonly method: string;
  /** What stands after the agent in the path, with the query: for HTTP+JSON. */
  readonly rest: string;
  readonly headers: PlainHeaders;
  readonly bytes: Uint8Array | undefined;
  /** The peer's answer as its caller is to see it, where that is not the same. */
  readonly revealed: ((answer: Uint8Array) => Promise<Uint8Array>) | undefined;
  readonly onGone: PlainRequest['onGone'];
}

/** Sends the request on, and the answer back: byte for byte where both speak the same, translated where not. */
export async function forward(
  context: RelayContext,
  exchange: Exchange,
  trace: ExchangeTrace,
): Promise<PlainAnswer> {
  const { settings } = context;
  const streaming = isStreaming(exchange.operation);
  const route = routeOf(exchange);
  const mode = `${route.verbatim ? 'forward' : 'bridge'}${streaming ? '-stream' : ''}`;
  const request = outgoing(exchange, route, trace.forward.context);
  const sent = context.upstream.send({
    url: request.url,
    method: request.method,
    headers: request.headers,
    body: request.body,
    timeoutMs: (exchange.peer.timeout_seconds ?? settings.timeoutSeconds) * 1000,
    idleMs: settings.idleSeconds * 1000,
    // A caller that leaves a unary exchange ends it; a stream is read on, so that it can come back.
    onGone: streaming ? undefined : exchange.onGone,
  });
  const keeping = keepExchange(context, exchange, trace);
  // What is written down is written down while the peer works: the socket has the request only when this turn is over.
  setImmediate(keeping.begin);
  const answeredWith = (status: number) =>
    trace.peerAnswered({ status, version: route.target.version, url: request.url, mode });
  let response: Received;
  try {
    response = await sent;
  } catch (thrown) {
    answeredWith(0);
    return failed(exchange, trace, keeping, thrown);
  }
  answeredWith(response.status);
  if (streaming && isEventStream(response))
    return streamedAnswer(context, exchange, route, trace, response, keeping);
  try {
    const told = await response.bytes(settings.maxBodyBytes);
    const bytes = exchange.revealed ? await exchange.revealed(told) : told;
    const answer = unaryAnswer(exchange, route, trace, response, bytes);
    await keeping.beforeAnswer();
    keeping.finish();
    return answer;
  } catch (thrown) {
    return failed(exchange, trace, keeping, thrown);
  }
}

function failed(exchange: Exchange, trace: ExchangeTrace, keeping: Keeping, thrown: unknown): PlainAnswer {
  const failure = failureOf(thrown);
  if (failure.failureClass === 'client_disconnect') trace.callerLeft();
  trace.fail(failure.failureClass, failure.message);
  keeping.finish();
  return errorResponse(exchange, peerError(failure));
}

function isEventStream({ headers }: Received): boolean {
  return (headers['content-type'] ?? '').startsWith('text/event-stream');
}
