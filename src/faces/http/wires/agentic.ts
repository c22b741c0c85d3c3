import { errorMembers, retryHeaders, type WireCodec } from './wire-codec.ts';

/** The codes for which the Agentic Protocol has a word of its own. */
const SPELLING: Readonly<Record<string, string>> = {
  invalid_input: 'invalid_schema',
  invalid_json: 'invalid_schema',
  duplicate_key: 'invalid_schema',
  lone_surrogate: 'invalid_schema',
  lossy_number: 'invalid_schema',
  too_deep: 'invalid_schema',
};

/** On every response, so that a client knows the protocol and level of the server (4.7). */
const ALWAYS = { 'relay-protocol': '0.1', 'relay-level': 'L3' };

/** A rejected credential is 403 `unauthorized` here (8.1), where HTTP would say 401. */
export const agenticWire: WireCodec = {
  error: (error, requestId) => {
    const unauthorized = error.status === 401;
    const members = errorMembers(error, requestId);
    const spelled = SPELLING[error.code];
    return {
      status: unauthorized ? 403 : error.status,
      headers: {
        ...ALWAYS,
        ...retryHeaders(error),
        ...(unauthorized && { 'www-authenticate': 'Bearer realm="baton"' }),
      },
      body: {
        error: {
          ...members,
          ...(spelled && { code: spelled, cause: error.code }),
          ...(unauthorized && { code: 'unauthorized' }),
        },
      },
    };
  },
  success: (body) => body,
};
