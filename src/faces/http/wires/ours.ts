import { errorMembers, retryHeaders, type WireCodec } from './wire-codec.ts';

export const oursWire: WireCodec = {
  error: (error, requestId) => ({
    status: error.status,
    headers: {
      ...retryHeaders(error),
      ...(error.status === 401 && { 'www-authenticate': 'Bearer realm="baton"' }),
    },
    body: { error: errorMembers(error, requestId) },
  }),
  success: (body) => body,
};
