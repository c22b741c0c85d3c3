import { type BodyLimits, readUpTo, withinIdleTime } from '../../spine/operations/body.ts';
import { bodyErrors } from '../../spine/operations/errors.ts';

/** A body of up to this length comes in one piece or nearly so: it has the time of one pause in all. */
const SMALL_BODY = 65_536;

/** Reads a whole body, or nothing of one that is too large. Throws `body_timeout` for one that is too slow. */
export async function readBody(request: Request, limits: BodyLimits): Promise<Uint8Array | undefined> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  // Without a stream of the web's kind, whose making costs more than the reading.
  if (declared <= Math.min(SMALL_BODY, limits.maxBytes)) {
    return new Uint8Array(await withinIdleTime(request.arrayBuffer(), limits.idleSeconds));
  }
  return readUpTo(request, limits);
}

export function bodyTooLarge(limits: BodyLimits) {
  return bodyErrors.body_too_large({
    message: `The body is larger than the ${limits.maxBytes} bytes that this operation takes.`,
    details: { max_bytes: limits.maxBytes },
  });
}
