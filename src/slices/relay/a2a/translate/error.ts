import { isRecord, type LooseRecord, present } from '../../../../kernel/json/loose.ts';
import type { A2aVersion } from '../methods.ts';

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

const REASONS: Readonly<Record<number, string>> = {
  [-32001]: 'TASK_NOT_FOUND',
  [-32002]: 'TASK_NOT_CANCELABLE',
  [-32003]: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  [-32004]: 'UNSUPPORTED_OPERATION',
  [-32005]: 'CONTENT_TYPE_NOT_SUPPORTED',
  [-32006]: 'INVALID_AGENT_RESPONSE',
  [-32007]: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  [-32008]: 'EXTENSION_SUPPORT_REQUIRED',
  [-32009]: 'VERSION_NOT_SUPPORTED',
};

/** How 1.0 names its errors where they have no number. */
export function reasonOfCode(code: number): string | undefined {
  return REASONS[code];
}

export function codeOfReason(reason: unknown): number | undefined {
  const key = Object.keys(REASONS).find((code) => REASONS[Number(code)] === reason);
  return key === undefined ? undefined : Number(key);
}

/** 1.0 wants a google.rpc.ErrorInfo beside each of its own codes. */
export function errorTo10(error: LooseRecord): LooseRecord {
  const reason = REASONS[Number(error.code)];
  if (!reason || Array.isArray(error.data)) return error;
  return { ...error, data: [errorInfo(reason, 'a2a-protocol.org')] };
}

/** 0.3 ends at -32007; what came later is an invalid request to it. */
export function errorTo03(error: LooseRecord): LooseRecord {
  const code = Number(error.code);
  return present({ ...error, code: code === -32008 || code === -32009 ? -32600 : code });
}

export function errorInfo(reason: string, domain: string, metadata?: Record<string, string>): LooseRecord {
  return present({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain, metadata });
}

const STATUSES: Readonly<Record<number, readonly [number, string]>> = {
  [-32700]: [400, 'INVALID_ARGUMENT'],
  [-32600]: [400, 'INVALID_ARGUMENT'],
  [-32602]: [400, 'INVALID_ARGUMENT'],
  [-32601]: [404, 'NOT_FOUND'],
  [-32001]: [404, 'NOT_FOUND'],
  [-32002]: [409, 'FAILED_PRECONDITION'],
  [-32003]: [400, 'UNIMPLEMENTED'],
  [-32004]: [400, 'UNIMPLEMENTED'],
  [-32005]: [415, 'INVALID_ARGUMENT'],
  [-32006]: [502, 'INTERNAL'],
  [-32007]: [400, 'FAILED_PRECONDITION'],
  [-32008]: [400, 'FAILED_PRECONDITION'],
  [-32009]: [400, 'UNIMPLEMENTED'],
  [-32010]: [403, 'PERMISSION_DENIED'],
  [-32011]: [502, 'UNAVAILABLE'],
};

/** A JSON-RPC error as the HTTP+JSON binding answers it; that of 0.3 answers the error itself. */
export function errorToRest(
  error: RpcError,
  version: A2aVersion,
): { readonly status: number; readonly body: LooseRecord } {
  const [status, name] = STATUSES[error.code] ?? [500, 'INTERNAL'];
  if (version === '0.3') return { status, body: { ...error } };
  const details = Array.isArray(error.data) ? error.data : [];
  return { status, body: { error: { code: status, status: name, message: error.message, details } } };
}

/** 1.0 has one form of them. Agents of 0.3 agree on no more than a message, with or without its code. */
export function isRestError(version: A2aVersion, body: unknown): boolean {
  return isRecord(body) && (isRecord(body.error) || (version === '0.3' && typeof body.message === 'string'));
}

/** And back: what an HTTP+JSON peer answered, as a JSON-RPC error. */
export function errorFromRest(status: number, body: unknown): RpcError {
  if (isRecord(body) && typeof body.code === 'number' && body.error === undefined)
    return { ...body, code: body.code, message: String(body.message ?? '') };
  const error = (body as { error?: { message?: unknown; details?: unknown } } | undefined)?.error;
  const details = Array.isArray(error?.details) ? error.details : [];
  const reason = details
    .map((detail: { reason?: unknown }) => detail?.reason)
    .find((value) => typeof value === 'string');
  const code = codeOfReason(reason);
  const said = error?.message ?? (isRecord(body) ? body.message : undefined);
  const message = typeof said === 'string' ? said : `The peer answered ${status}.`;
  const guess = status === 404 ? -32001 : status === 400 ? -32602 : -32603;
  return { code: code ?? guess, message, ...(details.length > 0 && { data: details }) };
}
