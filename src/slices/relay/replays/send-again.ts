import type { LooseRecord } from '../../../kernel/json/loose.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { piecesOf } from '../../../spine/operations/flow.ts';
import { goneBy, isFlow, type PlainAnswer, type PlainRequest } from '../../../spine/operations/plain.ts';
import { methodName } from '../a2a/methods.ts';
import { observeResult } from '../a2a/observe.ts';
import type { A2aRequest } from '../a2a/read-request.ts';
import { frameReply, parseJson, type Reply, RPC, replyOf } from '../a2a/reply.ts';
import { restType } from '../a2a/rest.ts';
import { createSseFrameReader } from '../a2a/sse-frames.ts';
import { isTerminal, type TaskState } from '../a2a/task-state.ts';
import type { Exchanges } from '../exchanges/begin.ts';
import { type Capacity, overloadAnswer } from '../exchanges/capacity.ts';
import { restCall } from '../exchanges/route.ts';
import type { ReplayMark } from '../exchanges/trace.ts';
import type { Peer } from '../peers/store.ts';
import type { TraceContext } from '../spans/trace-context.ts';
import type { Captured } from './captured.ts';
import type { Answered } from './counterparts.ts';

export interface Again {
  readonly captured: Captured;
  readonly peer: Peer;
  readonly params: LooseRecord;
  readonly principal: Principal;
  readonly replay: ReplayMark & { readonly parent: TraceContext };
}

export type SentAgain =
  | { readonly is: 'answered'; readonly answered: Answered; readonly unreachable: boolean }
  /** Nothing of it came to the agent, or it took none of it. */
  | { readonly is: 'turned away'; readonly retryAfterMs: number };

export interface SendAgainDeps {
  readonly exchanges: Pick<Exchanges, 'begin'>;
  readonly capacity: Pick<Capacity, 'within'>;
}

/** Sends a message as a caller of its version and binding would, and reads the answer to its end. */
export async function sendAgain(
  { exchanges, capacity }: SendAgainDeps,
  { captured, peer, params, principal, replay }: Again,
  signal: AbortSignal,
): Promise<SentAgain> {
  const { operation, version, binding } = captured;
  const call = callOf(captured, params, replay.parent.spanId);
  const { bytes, rest, type } = bodyOf(call);
  const request: PlainRequest = {
    method: 'POST',
    origin: 'http://relay.invalid',
    target: `/a2a/${encodeURIComponent(peer.id)}${rest && `/${rest}`}`,
    params: {},
    headers: { 'content-type': type, ...(version === '1.0' && { 'a2a-version': version }) },
    bytes: async () => bytes,
    onGone: goneBy(signal),
  };
  const answer = await capacity.within(
    () => exchanges.begin({ peer, call, request, rest, bytes, principal, projectId: peer.projectId, replay }),
    () => overloadAnswer({ binding, version, id: null }),
  );
  const retryAfterMs = turnedAwayFor(answer);
  if (retryAfterMs !== undefined) return { is: 'turned away', retryAfterMs };
  let state: TaskState | undefined;
  let ids: Pick<Answered, 'contextId' | 'taskId'> = { contextId: undefined, taskId: undefined };
  let unreachable = false;
  for await (const reply of repliesOf(answer, { operation, version, binding })) {
    if ('error' in reply) {
      unreachable ||= reply.error.code === RPC.peer;
      continue;
    }
    const seen = observeResult(reply.result);
    state = seen?.state ?? state;
    ids = { contextId: seen?.contextId ?? ids.contextId, taskId: seen?.taskId ?? ids.taskId };
  }
  const isOver = state !== undefined && isTerminal(state);
  return { is: 'answered', answered: { ...ids, isOver }, unreachable };
}

function callOf({ operation, version, binding }: Captured, params: LooseRecord, id: string): A2aRequest {
  const wireMethod =
    binding === 'HTTP+JSON'
      ? `POST ${restCall(operation, version, params).path}`
      : methodName(operation, version);
  return { operation, version, binding, id, params, wireMethod };
}

function bodyOf({ operation, version, binding, id, params, wireMethod }: A2aRequest) {
  const encoded = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  if (binding !== 'HTTP+JSON') {
    const bytes = encoded({ jsonrpc: '2.0', id, method: wireMethod, params });
    return { bytes, rest: '', type: 'application/json' };
  }
  const { path, body } = restCall(operation, version, params);
  return { bytes: encoded(body), rest: path, type: restType(version) };
}

const TURNED_AWAY: ReadonlySet<number> = new Set([429, 503]);
const AGAIN_MS = 1_000;

/** By a limit of the registration, by a relay that has too much to do, or by an agent that says so. */
function turnedAwayFor({ status, headers, body }: PlainAnswer): number | undefined {
  if (!TURNED_AWAY.has(status) || isFlow(body)) return undefined;
  const seconds = Number(headers['retry-after'] || Number.NaN);
  if (seconds >= 0) return seconds * 1000;
  return status === 429 ? AGAIN_MS : undefined;
}

async function* repliesOf(
  { status, body }: PlainAnswer,
  dialect: Pick<A2aRequest, 'operation' | 'version' | 'binding'>,
): AsyncGenerator<Reply> {
  if (!isFlow(body)) {
    const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : (body ?? '');
    const reply = replyOf(dialect, dialect.operation, status, parseJson(text));
    if (reply) yield reply;
    return;
  }
  const reader = createSseFrameReader();
  for await (const piece of piecesOf(body)) {
    for (const frame of reader.push(piece)) {
      const reply = frameReply(dialect, frame);
      if (reply) yield reply;
    }
  }
}
