import type { BatonError } from '../../../kernel/error.ts';

/** The members of an error body that every wire has, in our order. */
export function errorMembers(error: BatonError, requestId: string): Record<string, unknown> {
  return {
    code: error.code,
    message: error.message,
    ...(error.pointer !== undefined && { pointer: error.pointer }),
    next: error.next,
    ...(error.retryable && { retryable: true }),
    ...(error.details && { details: error.details }),
    request_id: requestId,
  };
}

export function retryHeaders(error: BatonError): Record<string, string> {
  return error.retryAfterSeconds === undefined
    ? {}
    : { 'retry-after': String(Math.max(1, Math.ceil(error.retryAfterSeconds))) };
}
