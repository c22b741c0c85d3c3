import { isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { PlainAnswer } from '../../../spine/operations/plain.ts';
import type { PeerFailure } from '../peers/failure.ts';
import type { A2aBinding, A2aOperation, A2aVersion } from './methods.ts';
import { restType } from './rest.ts';
import type { SseFrame } from './sse-frames.ts';
import {
  errorFromRest,
  errorInfo,
  errorTo03,
  errorTo10,
  errorToRest,
  isRestError,
  type RpcError,
} from './translate/error.ts';
import { resultTo03, resultTo10 } from './translate/operation.ts';
import { resultFromRest03, resultToRest03 } from './translate/rest-03.ts';

export type Reply = { readonly result: unknown } | { readonly error: RpcError };

/** How one side of an exchange speaks. */
export interface Dialect {
  readonly binding: A2aBinding;
  readonly version: A2aVersion;
}

/** What a peer's JSON says, whichever binding it came by; undefined where it is no answer of A2A's. */
export function replyOf(
  peer: Dialect,
  operation: A2aOperation,
  status: number,
  value: unknown,
): Reply | undefined {
  if (peer.binding !== 'HTTP+JSON') {
    if (!isRecord(value)) return undefined;
    if (isRecord(value.error)) return { error: value.error as unknown as RpcError };
    return 'result' in value && status < 400 ? { result: value.result } : undefined;
  }
  if (status >= 400)
    return isRestError(peer.version, value) ? { error: errorFromRest(status, value) } : undefined;
  return { result: peer.version === '0.3' ? resultFromRest03(operation, value) : value };
}

/** The same for one event of a stream. */
export function frameReply(peer: Dialect, frame: SseFrame): Reply | undefined {
  const { event, data } = frame.read();
  const value = data === undefined ? undefined : parseJson(data);
  if (!isRecord(value)) return undefined;
  if (peer.binding === 'HTTP+JSON' && (event === 'error' || isRecord(value.error)))
    return { error: errorFromRest(500, value) };
  return replyOf(peer, 'stream', 200, value);
}

/** A peer's reply in the version of its caller, and in the spelling of its binding. */
export function replyFor(
  { version, operation, binding }: Dialect & { readonly operation: A2aOperation },
  peerVersion: A2aVersion,
  reply: Reply,
): Reply {
  if ('error' in reply) {
    const error = reply.error as unknown as LooseRecord;
    return {
      error: translated(peerVersion, version, {
        to10: () => errorTo10(error),
        to03: () => errorTo03(error),
        same: () => error,
      }) as unknown as RpcError,
    };
  }
  const result = translated(peerVersion, version, {
    to10: () => resultTo10(operation, reply.result),
    to03: () => resultTo03(operation, reply.result),
    same: () => reply.result,
  });
  return {
    result: binding === 'HTTP+JSON' && version === '0.3' ? resultToRest03(operation, result) : result,
  };
}

export function translated<T>(
  from: A2aVersion,
  to: A2aVersion,
  ways: { readonly to10: () => T; readonly to03: () => T; readonly same: () => T },
): T {
  if (from === to) return ways.same();
  return to === '1.0' ? ways.to10() : ways.to03();
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/* Answers of our own, in whichever binding the caller speaks. */

export type RpcId = string | number | null;

const DOMAIN = 'relay.baton.local';

export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  taskNotFound: -32001,
  versionNotSupported: -32009,
  topology: -32010,
  peer: -32011,
} as const;

export function ownRpcError(code: number, message: string, reason: string): RpcError {
  return { code, message, data: [errorInfo(reason.toUpperCase(), DOMAIN)] };
}

export function peerError(failure: PeerFailure): RpcError {
  return ownRpcError(RPC.peer, failure.message, failure.failureClass);
}

/** Whom an answer is for: how they speak, and what they asked under which id. */
export interface Addressee {
  readonly binding: A2aBinding;
  readonly version: A2aVersion;
  readonly id: RpcId;
}

export function errorResponse(
  { binding, version, id }: Addressee,
  error: RpcError,
  status = 200,
): PlainAnswer {
  if (binding !== 'HTTP+JSON') return json({ jsonrpc: '2.0', id, error }, status);
  const { status: restStatus, body } = errorToRest(error, version);
  return json(body, restStatus);
}

export function resultResponse({ binding, version, id }: Addressee, result: unknown): PlainAnswer {
  // A peer that has nothing to say answers nothing; JSON-RPC must have a result.
  if (binding !== 'HTTP+JSON') return json({ jsonrpc: '2.0', id, result: result ?? null }, 200);
  return json(result, 200, restType(version));
}

function json(body: unknown, status: number, type = 'application/json'): PlainAnswer {
  return new PlainAnswer(status, { 'content-type': type }, JSON.stringify(body));
}

const encoder = new TextEncoder();

export function eventFrame(
  { binding, version, id }: Addressee,
  member: { readonly result: unknown } | { readonly error: RpcError },
): Uint8Array {
  if (binding !== 'HTTP+JSON')
    return encoder.encode(`data: ${JSON.stringify({ jsonrpc: '2.0', id, ...member })}\n\n`);
  if ('result' in member) return encoder.encode(`data: ${JSON.stringify(member.result)}\n\n`);
  return encoder.encode(`event: error\ndata: ${JSON.stringify(errorToRest(member.error, version).body)}\n\n`);
}
