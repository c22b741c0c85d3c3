import { dispatchErrors } from '../../spine/dispatch/errors.ts';

export interface BodyLimits {
  readonly maxBytes: number;
  /** How long the sender may pause between two pieces. */
  readonly idleSeconds: number;
}

/** A body of up to this length comes in one piece or nearly so: it has the time of one pause in all. */
const SMALL_BODY = 65_536;

/** Reads a whole body, or refuses it as soon as it is too large or too slow. */
export async function readBody(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared > limits.maxBytes) throw bodyTooLarge(limits);
  // Without a stream of the web's kind, whose making costs more than the reading.
  if (declared <= SMALL_BODY) {
    return new Uint8Array(await withinIdleTime(request.arrayBuffer(), limits.idleSeconds));
  }
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    while (true) {
      const { done, value } = await withinIdleTime(reader.read(), limits.idleSeconds);
      if (done) break;
      size += value.byteLength;
      if (size > limits.maxBytes) throw bodyTooLarge(limits);
      pieces.push(value);
    }
  } catch (error) {
    reader.cancel().catch(() => undefined);
    throw error;
  }
  if (pieces.length === 1 && pieces[0]) return pieces[0];
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.byteLength;
  }
  return whole;
}

export function bodyTooLarge(limits: BodyLimits) {
  return dispatchErrors.body_too_large({
    message: `The body is larger than the ${limits.maxBytes} bytes that this operation takes.`,
    details: { max_bytes: limits.maxBytes },
  });
}

async function withinIdleTime<T>(work: Promise<T>, seconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(dispatchErrors.body_timeout()), seconds * 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
