import type { Socket } from 'node:net';
import type { BodyLimits } from '../../spine/operations/body.ts';
import type { PlainRequest } from '../../spine/operations/plain.ts';

/** A request to an operation, whether it came as Node's own objects or as the web's. */
export interface HttpRequest extends PlainRequest {
  /** Read once, however often it is called; refused as soon as it is too large or too slow. */
  body(limits: BodyLimits): Promise<Uint8Array>;
  /** Fires when the caller disconnects. Costs more than `onGone`. */
  readonly signal: AbortSignal;
  readonly socket: Socket | undefined;
}

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The caller's own id if it is safe in headers and log lines. */
export function requestIdOf(
  given: string | undefined,
  { newRequestId }: { readonly newRequestId: () => string },
): string {
  return given !== undefined && REQUEST_ID.test(given) ? given : newRequestId();
}
