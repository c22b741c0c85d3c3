import type { BatonError } from '../../../kernel/error.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { errorMembers, retryHeaders, type WireCodec } from './wire-codec.ts';

/** a2p numbers its errors; what it has no number for falls to the nearest by status. */
const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'A2P006',
  401: 'A2P001',
  403: 'A2P002',
  404: 'A2P003',
  409: 'A2P006',
  410: 'A2P006',
  413: 'A2P006',
  415: 'A2P006',
  429: 'A2P005',
};

export const a2pWire: WireCodec = {
  error: (error, requestId) => ({
    status: error.status,
    headers: { 'a2p-version': '0.1', ...retryHeaders(error), ...rateHeaders(error) },
    body: {
      success: false,
      error: { ...errorMembers(error, requestId), code: a2pCode(error) },
    },
  }),
  success: (body, requestId, now) =>
    `{"success":true,"data":${body === '' ? 'null' : body},"meta":${JSON.stringify({ requestId, timestamp: formatMillis(now) })}}`,
};

/** An exceeded limit is reported in the same headers as one that was not. */
function rateHeaders({ details }: BatonError): Record<string, string> {
  if (details?.limit === undefined || details.reset === undefined) return {};
  return {
    'x-ratelimit-limit': String(details.limit),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(details.reset),
  };
}

function a2pCode(error: BatonError): string {
  return /^A2P\d{3}$/.test(error.code) ? error.code : (BY_STATUS[error.status] ?? error.code);
}
