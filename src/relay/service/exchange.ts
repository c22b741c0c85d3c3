import type { Principal } from '../../identity/principal.ts';
import type { UnitOfWork } from '../../storage/database.ts';
import { isObj, type Obj } from '../a2a/json.ts';
import {
  type A2aBinding,
  type A2aOperation,
  type A2aVersion,
  isStreaming,
  methodName,
} from '../a2a/methods.ts';
import { type ObservedMessage, observeResult } from '../a2a/observe.ts';
import { writeRest } from '../a2a/rest.ts';
import { errorFromRest, errorTo03, errorTo10, type RpcError } from '../a2a/translate/error.ts';
import { paramsTo03, paramsTo10 } from '../a2a/translate/params.ts';
import { resultTo03, resultTo10 } from '../a2a/translate/result.ts';
import { classOfStatus, failureOf, PeerFailure } from '../rules/failure.ts';
import { headersForCaller, headersForPeer } from '../rules/header-policy.ts';
import type { SseFrame } from '../rules/sse-frames.ts';
import { isTerminal } from '../rules/task-state.ts';
import { writeTraceparent } from '../rules/trace-context.ts';
import type { Peer } from '../store/peer-store.ts';
import { upsertTask } from '../store/task-store.ts';
import { errorResponse, eventFrame, peerError, type RpcId, resultResponse } from './answers.ts';
import type { ExchangeTrace } from './exchange-trace.ts';
import { type PeerInterface, under } from './peers.ts';
import type { RelayContext } from './relay-context.ts';
import { createStreamHub, type StreamHub } from './stream-hub.ts';
import { readAll, type UpstreamResponse } from './upstream.ts';

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
  readonly params: Obj;
  readonly message: ObservedMessage | undefined;
  readonly method: string;
  /** What stands after the agent in the path, with the query: for HTTP+JSON. */
  readonly rest: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array | undefined;
  readonly signal: AbortSignal;
}

interface Route {
  readonly target: PeerInterface;
  /** The caller's own bytes are what the peer understands. */
  readonly verbatim: boolean;
}

/** Sends the request on, and the answer back: byte for byte where both speak the same, translated where not. */
export async function forward(
  context: RelayContext,
  exchange: Exchange,
  trace: ExchangeTrace,
): Promise<Response> {
  const { tracer, settings } = context;
  const route = routeOf(exchange);
  const opened = tracer.opened(exchange.projectId, trace.task);
  opened.catch((error) => context.onError(error, 'an open span was not stored'));
  const finish = () => {
    trace.end();
    tracer.end(exchange.projectId, trace.task, (uow) => saveTask(context, exchange, trace, uow));
    context.taskEnded(exchange, trace);
  };
  const mode = `${route.verbatim ? 'forward' : 'bridge'}${isStreaming(exchange.operation) ? '-stream' : ''}`;
  const { url, ...request } = outgoing(exchange, route, trace);
  const gaveUp = new AbortController();
  // A caller that leaves a unary exchange ends it; a stream is read on, so that it can come back.
  const signal = isStreaming(exchange.operation) ? gaveUp.signal : exchange.signal;
  let response: UpstreamResponse;
  try {
    response = await context.upstream.send({
      url,
      ...request,
      timeoutMs: (exchange.peer.timeout_seconds ?? settings.timeoutSeconds) * 1000,
      idleMs: settings.idleSeconds * 1000,
      signal,
    });
  } catch (thrown) {
    const failure = failureOf(thrown);
    trace.peerAnswered(0, route.target.version, url, mode);
    if (failure.failureClass === 'client_disconnect') trace.callerLeft();
    trace.fail(failure.failureClass, failure.message);
    await opened.catch(() => undefined);
    finish();
    return errorResponse(exchange.binding, exchange.id, peerError(failure));
  }
  trace.peerAnswered(response.status, route.target.version, url, mode);
  if (isEventStream(response) && isStreaming(exchange.operation)) {
    return streamed(context, exchange, route, trace, response, opened, finish);
  }
  try {
    const bytes = await readAll(response.body, settings.maxBodyBytes);
    await opened.catch(() => undefined);
    return unary(exchange, route, trace, response, bytes);
  } catch (thrown) {
    const failure = failureOf(thrown);
    trace.fail(failure.failureClass, failure.message);
    await opened.catch(() => undefined);
    return errorResponse(exchange.binding, exchange.id, peerError(failure));
  } finally {
    finish();
  }
}

function routeOf({ interfaces, binding, version, peer }: Exchange): Route {
  const same = interfaces.find((one) => one.binding === binding && one.version === version);
  if (same) return { target: same, verbatim: true };
  const bridged = interfaces.find((one) => one.binding === 'JSONRPC') ?? interfaces[0];
  if (bridged) return { target: bridged, verbatim: false };
  return { target: { binding, version, url: peer.url }, verbatim: true };
}

function outgoing(exchange: Exchange, { target, verbatim }: Route, trace: ExchangeTrace) {
  const headers = {
    ...headersForPeer(exchange.headers),
    traceparent: writeTraceparent(trace.forward.context),
  };
  if (verbatim) {
    const url = exchange.binding === 'JSONRPC' ? new URL(target.url) : under(target.url, exchange.rest);
    return { url, method: exchange.method, headers, body: exchange.bytes };
  }
  const params = translated(exchange.version, target.version, {
    to10: () => paramsTo10(exchange.operation, exchange.params),
    to03: () => paramsTo03(exchange.operation, exchange.params),
    same: () => exchange.params,
  });
  const spoken = { ...headers, 'a2a-version': target.version };
  if (target.binding === 'JSONRPC') {
    const call = {
      jsonrpc: '2.0',
      id: exchange.id ?? 1,
      method: methodName(exchange.operation, target.version),
      params,
    };
    return {
      url: new URL(target.url),
      method: 'POST',
      headers: { ...spoken, 'content-type': 'application/json' },
      body: encoded(call),
    };
  }
  const call = writeRest(exchange.operation, params);
  return {
    url: under(target.url, call.path),
    method: call.method,
    headers: { ...spoken, ...(call.body && { 'content-type': 'application/json' }) },
    body: call.body && encoded(call.body),
  };
}

function encoded(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function translated<T>(
  from: A2aVersion,
  to: A2aVersion,
  ways: { to10: () => T; to03: () => T; same: () => T },
): T {
  if (from === to) return ways.same();
  return to === '1.0' ? ways.to10() : ways.to03();
}

function isEventStream({ headers }: UpstreamResponse): boolean {
  return (headers['content-type'] ?? '').startsWith('text/event-stream');
}

type Reply = { readonly result: unknown } | { readonly error: RpcError };

/** What a peer's JSON says, whichever binding it came by; undefined where it is no answer of A2A's. */
function replyOf(binding: A2aBinding, status: number, value: unknown): Reply | undefined {
  if (binding === 'JSONRPC') {
    if (!isObj(value)) return undefined;
    if (isObj(value.error)) return { error: value.error as unknown as RpcError };
    return 'result' in value && status < 400 ? { result: value.result } : undefined;
  }
  return status >= 400 ? { error: errorFromRest(status, value) } : { result: value };
}

function unary(
  exchange: Exchange,
  route: Route,
  trace: ExchangeTrace,
  response: UpstreamResponse,
  bytes: Uint8Array,
): Response {
  const { target, verbatim } = route;
  const value = parsed(bytes);
  const empty = bytes.length === 0 && response.status < 300;
  const reply = value === undefined && !empty ? undefined : replyOf(target.binding, response.status, value);
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
    return errorResponse(exchange.binding, exchange.id, peerError(failure));
  }
  if ('error' in reply) trace.rpcError(Number(reply.error.code), String(reply.error.message ?? ''));
  else {
    const observed = observeResult(reply.result);
    if (observed) trace.observe(observed);
  }
  if (verbatim) return passedOn(response, bytes);
  const own = replyFor(exchange, target.version, reply);
  return 'error' in own
    ? errorResponse(exchange.binding, exchange.id, own.error)
    : resultResponse(exchange.binding, exchange.version, exchange.id, own.result);
}

function replyFor({ version, operation }: Exchange, peerVersion: A2aVersion, reply: Reply): Reply {
  if ('error' in reply) {
    const error = reply.error as unknown as Obj;
    return {
      error: translated(peerVersion, version, {
        to10: () => errorTo10(error),
        to03: () => errorTo03(error),
        same: () => error,
      }) as unknown as RpcError,
    };
  }
  return {
    result: translated(peerVersion, version, {
      to10: () => resultTo10(operation, reply.result),
      to03: () => resultTo03(operation, reply.result),
      same: () => reply.result,
    }),
  };
}

function passedOn(response: UpstreamResponse, bytes: Uint8Array): Response {
  const headers = new Headers(headersForCaller(response.headers));
  headers.delete('content-length');
  const bodyless = response.status === 204 || response.status === 304;
  return new Response(bodyless ? null : (bytes as Uint8Array<ArrayBuffer>), {
    status: response.status,
    headers,
  });
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

async function streamed(
  context: RelayContext,
  exchange: Exchange,
  route: Route,
  trace: ExchangeTrace,
  response: UpstreamResponse,
  opened: Promise<void>,
  finish: () => void,
): Promise<Response> {
  let registered = false;
  let failed = false;
  const { target } = route;
  const hub = createStreamHub({
    body: response.body,
    waitSeconds: context.settings.replaySeconds,
    onFrame(frame) {
      const reply = frameReply(target.binding, frame);
      if (!reply) return;
      if ('error' in reply) {
        failed = true;
        trace.rpcError(Number(reply.error.code), String(reply.error.message ?? ''));
        return;
      }
      const observed = observeResult(reply.result);
      if (!observed) return;
      trace.observe(observed);
      if (trace.taskId && !registered) {
        registered = true;
        context.hubs.add(exchange, trace.taskId, { hub, target });
        context.saveSoon((uow) => saveTask(context, exchange, trace, uow));
      }
    },
    onEnd(thrown) {
      const state = trace.state;
      const settled =
        failed ||
        state === undefined ||
        isTerminal(state) ||
        state === 'input-required' ||
        state === 'auth-required';
      const failure =
        thrown !== undefined
          ? failureOf(thrown)
          : settled || exchange.operation === 'subscribe'
            ? undefined
            : new PeerFailure('peer_disconnect', `The stream ended while the task was ${state}.`);
      if (failure && !(settled && failed)) trace.fail(failure.failureClass, failure.message);
      finish();
      if (trace.taskId) context.hubs.ended(exchange, trace.taskId);
      return thrown === undefined ? undefined : failure && peerError(failure);
    },
    onAlone: () => trace.callerLeft(),
    giveUp: () => response.destroy(),
  });
  await opened.catch(() => undefined);
  const headers = new Headers(headersForCaller(response.headers));
  headers.delete('content-length');
  const body = hub.subscribe({
    caller: exchange.caller,
    from: 0,
    ...encoderFor(exchange, route.target, route.verbatim),
  });
  return new Response(body, { status: response.status, headers });
}

function frameReply(binding: A2aBinding, frame: SseFrame): Reply | undefined {
  if (frame.data === undefined) return undefined;
  const value = parsed(new TextEncoder().encode(frame.data));
  if (!isObj(value)) return undefined;
  if (binding === 'HTTP+JSON' && (frame.event === 'error' || isObj(value.error)))
    return { error: errorFromRest(500, value) };
  return replyOf(binding, 200, value);
}

function encoderFor(exchange: Exchange, target: PeerInterface, verbatim: boolean) {
  return {
    encode: (frame: SseFrame) => {
      if (verbatim) return frame.bytes;
      const reply = frameReply(target.binding, frame);
      return reply && eventFrame(exchange.binding, exchange.id, replyFor(exchange, target.version, reply));
    },
    encodeError: (error: RpcError) => eventFrame(exchange.binding, exchange.id, { error }),
  };
}

/**
 * A caller that dropped comes back: it gets the task as it stood when it left, then every event since, each once. Other
 * subscribers of a running stream join where it is now. Undefined where this relay does not hold the stream.
 */
export function resumed(
  context: RelayContext,
  exchange: Exchange,
  trace: ExchangeTrace,
): Response | undefined {
  const taskId = typeof exchange.params.id === 'string' ? exchange.params.id : undefined;
  const held = taskId === undefined ? undefined : context.hubs.find(exchange, taskId);
  if (!held || !taskId) return undefined;
  const { hub, target } = held;
  const lastId = exchange.headers.get('last-event-id');
  const from = (lastId === null ? undefined : hub.positionAfter(lastId)) ?? hub.droppedAt(exchange.caller);
  if (from === undefined) return undefined;
  const snapshot = snapshotAt(hub, target, taskId, from);
  trace.peerAnswered(0, target.version, new URL(target.url), 'replay');
  const body = hub.subscribe({
    caller: exchange.caller,
    from,
    // The request has an id of its own, so no frame can be passed on as it is.
    ...encoderFor(exchange, target, false),
    before: snapshot
      ? [eventFrame(exchange.binding, exchange.id, replyFor(exchange, target.version, { result: snapshot }))]
      : [],
  });
  return new Response(body, {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  });
}

function snapshotAt(
  hub: StreamHub,
  target: PeerInterface,
  taskId: string,
  position: number,
): Obj | undefined {
  let status: unknown;
  let contextId: unknown;
  for (const frame of hub.framesBefore(position)) {
    const reply = frameReply(target.binding, frame);
    const result = reply && 'result' in reply && isObj(reply.result) ? reply.result : undefined;
    const event = result && [result.task, result.statusUpdate, result].find(isObj);
    if (!event) continue;
    status = event.status ?? status;
    contextId = event.contextId ?? contextId;
  }
  if (!isObj(status)) return undefined;
  const task = { id: taskId, contextId, status };
  return target.version === '1.0' ? { task } : { kind: 'task', ...task };
}

async function saveTask(
  context: RelayContext,
  exchange: Exchange,
  trace: ExchangeTrace,
  uow: UnitOfWork,
): Promise<void> {
  if (!trace.taskId || trace.state === undefined || exchange.operation === 'list') return;
  const now = context.clock.now();
  await upsertTask(uow, {
    project_id: exchange.projectId,
    task_id: trace.taskId,
    peer_id: exchange.peer.id,
    context_id: trace.contextId ?? null,
    state: trace.state,
    trace_id: trace.task.context.traceId,
    span_id: trace.task.context.spanId,
    caller: exchange.caller,
    opened_us: now,
    updated_us: now,
  });
}
