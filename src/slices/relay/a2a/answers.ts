/** Answers that the relay gives itself, in whichever binding the caller speaks. */
import { PlainAnswer } from '../../../spine/operations/plain.ts';
import type { PeerFailure } from '../peers/failure.ts';
import type { A2aBinding, A2aVersion } from './methods.ts';
import { restType } from './rest.ts';
import { errorInfo, errorToRest, type RpcError } from './translate/error.ts';

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
  if (binding === 'JSONRPC') return json({ jsonrpc: '2.0', id, error }, status);
  const { status: restStatus, body } = errorToRest(error, version);
  return json(body, restStatus);
}

export function resultResponse({ binding, version, id }: Addressee, result: unknown): PlainAnswer {
  if (binding === 'JSONRPC') return json({ jsonrpc: '2.0', id, result }, 200);
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
  if (binding === 'JSONRPC')
    return encoder.encode(`data: ${JSON.stringify({ jsonrpc: '2.0', id, ...member })}\n\n`);
  if ('result' in member) return encoder.encode(`data: ${JSON.stringify(member.result)}\n\n`);
  return encoder.encode(`event: error\ndata: ${JSON.stringify(errorToRest(member.error, version).body)}\n\n`);
}
