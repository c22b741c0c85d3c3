import { asBatonError } from '../../spine/dispatch/dispatch.ts';
import type { WireCodec } from './wires/wire-codec.ts';

/** A text response, without the headers that every response has. */
export interface TextAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Whatever was thrown, as a protocol spells its errors. */
export function refusalBy(wire: WireCodec, thrown: unknown, requestId: string): TextAnswer {
  const error = asBatonError(thrown);
  const { status, headers, body } = wire.error(error, requestId);
  return {
    status,
    headers: {
      'content-type': 'application/json',
      ...headers,
      // The rest of the body is still on its way: the connection cannot serve another request.
      ...(UNREAD.has(error.code) && { connection: 'close' }),
    },
    body: JSON.stringify(body),
  };
}

const UNREAD = new Set(['body_too_large', 'body_timeout']);
