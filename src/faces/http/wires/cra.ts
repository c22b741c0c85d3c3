import type { BatonError } from '../../../kernel/error.ts';
import { errorMembers, retryHeaders, type WireCodec } from './wire-codec.ts';

const SPELLING: Readonly<Record<string, string>> = {
  invalid_input: 'INVALID_CARP_REQUEST',
  rate_limited: 'RATE_LIMIT_EXCEEDED',
  invalid_json: 'JSON_ERROR',
  session_not_found: 'SESSION_NOT_FOUND',
};

const CATEGORY: Readonly<Record<number, string>> = {
  400: 'validation',
  401: 'authorization',
  403: 'authorization',
  404: 'not_found',
  409: 'conflict',
  410: 'expired',
  422: 'integrity',
  429: 'rate_limit',
  502: 'external',
};

/** CRA spells its codes in upper case and sorts them into categories. */
export const craWire: WireCodec = {
  error: (error, requestId) => ({
    status: error.status,
    headers: {
      ...retryHeaders(error),
      ...(error.status === 401 && { 'www-authenticate': 'Bearer realm="baton"' }),
    },
    body: {
      error: {
        ...errorMembers(error, requestId),
        code: craCode(error),
        category: CATEGORY[error.status] ?? 'internal',
        recoverable: error.retryable,
      },
    },
  }),
  success: (body) => body,
};

function craCode(error: BatonError): string {
  if (error.status === 401) return 'UNAUTHORIZED';
  return SPELLING[error.code] ?? error.code.toUpperCase();
}
