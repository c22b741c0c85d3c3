import type { Socket } from 'node:net';
import type { PlainRequest } from '../../spine/operations/plain.ts';
import type { BodyLimits } from './body.ts';

/** A request as the operations are asked by it, whichever way it came in: as Node's own objects, or as the web's. */
export interface HttpRequest extends PlainRequest {
  /** Read once, however often it is asked for; refused as soon as it is too large or too slow. */
  body(limits: BodyLimits): Promise<Uint8Array>;
  /** Fires when the caller has gone. Costs more than `onGone`. */
  readonly signal: AbortSignal;
  readonly socket: Socket | undefined;
}

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The caller's own where it can stand in a header and a log line. */
export function requestIdOf(
  given: string | undefined,
  { newRequestId }: { readonly newRequestId: () => string },
): string {
  return given !== undefined && REQUEST_ID.test(given) ? given : newRequestId();
}
