import { bodyErrors } from './errors.ts';

export interface BodyLimits {
  readonly maxBytes: number;
  /** How long the sender may pause between two pieces. */
  readonly idleSeconds: number;
}

/** How many values the JSON of a request may have: to read, check, hash and store one takes up to two microseconds. */
export const MOST_VALUES = 25_000;

/** How long a sender may pause, for what reads the stream of a request itself. */
export const IDLE_SECONDS = 20;

/** A sender that has had its pause must bring so many bytes a second on the whole, or it keeps a request open at will. */
const SLOWEST_BYTES_PER_SECOND = 8_192;

/** Whether a body comes so slowly that it need not be waited for. */
export function isTooSlow(size: number, startedMs: number, { idleSeconds }: BodyLimits): boolean {
  const seconds = (performance.now() - startedMs) / 1000;
  return seconds > idleSeconds + size / SLOWEST_BYTES_PER_SECOND;
}

/** Collects a body, whichever way its pieces come, and keeps nothing of one that is too long. */
export class BodyPieces {
  readonly #most: number;
  #pieces: Uint8Array[] = [];
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** False as soon as the body is too long: what was collected is let go. */
  add(piece: Uint8Array): boolean {
    this.#size += piece.byteLength;
    if (this.#size <= this.#most) this.#pieces.push(piece);
    else this.#pieces = [];
    return this.#size <= this.#most;
  }

  whole(): Uint8Array {
    const [only] = this.#pieces;
    if (only && this.#pieces.length === 1) return only;
    const whole = new Uint8Array(this.#size);
    let offset = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, offset);
      offset += piece.byteLength;
    }
    return whole;
  }
}

/**
 * Reads a body of the web's kind. Undefined as soon as it is too long, declared or not: the rest is not read. Throws
 * `body_timeout` if its sender pauses for too long or goes away.
 */
export async function readUpTo(
  request: Pick<Request, 'headers' | 'body'>,
  limits: BodyLimits,
): Promise<Uint8Array | undefined> {
  const { maxBytes, idleSeconds } = limits;
  const started = performance.now();
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return undefined;
  if (!request.body) return new Uint8Array();
  const pieces = new BodyPieces(maxBytes);
  const reader = request.body.getReader();
  let finished = false;
  try {
    while (true) {
      const { done, value } = await withinIdleTime(reader.read(), idleSeconds);
      if (done) {
        finished = true;
        return pieces.whole();
      }
      if (!pieces.add(value)) return undefined;
      if (isTooSlow(pieces.size, started, limits)) throw bodyErrors.body_timeout();
    }
  } finally {
    if (!finished) reader.cancel().catch(() => undefined);
  }
}

/** A body that is cut off is as late as one that does not come: nobody reads the response, and it is not our fault. */
export async function withinIdleTime<T>(work: Promise<T>, seconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(bodyErrors.body_timeout()), seconds * 1000);
  });
  const arriving = work.catch((cause: unknown) => {
    throw bodyErrors.body_timeout({ cause });
  });
  try {
    return await Promise.race([arriving, late]);
  } finally {
    clearTimeout(timer);
  }
}
