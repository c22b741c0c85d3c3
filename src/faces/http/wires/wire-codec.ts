import type { Micros } from '../../../kernel/clock.ts';
import type { BatonError } from '../../../kernel/error.ts';

export interface WireError {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** How one protocol spells what all share: its error body, and the envelope of a success where it has one. */
export interface WireCodec {
  error(error: BatonError, requestId: string): WireError;
  /** Gives the text to send for a body that is JSON text. */
  success(body: string, requestId: string, now: Micros): string;
}

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
