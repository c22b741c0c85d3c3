import type { Clock, Micros, Random } from '../kernel/clock.ts';
import { parseInstant } from '../kernel/instant.ts';

export interface FakeClock extends Clock {
  advance(by: { micros?: number; millis?: number; seconds?: number }): void;
  set(instant: string | Micros): void;
}

/** Stands still until it is moved. */
export function fakeClock(start: string | Micros = '2026-01-01T00:00:00Z'): FakeClock {
  let now = microsOf(start);
  return {
    now: () => now,
    advance({ micros = 0, millis = 0, seconds = 0 }) {
      now += micros + millis * 1000 + seconds * 1_000_000;
    },
    set(instant) {
      now = microsOf(instant);
    },
  };
}

/** The same bytes for the same seed (a xorshift generator: for tests, not for secrets). */
export function seededRandom(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) | 0 || 1;
  const nextByte = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (Math.imul(state, 0x2545f491) >>> 24) & 0xff;
  };
  return { bytes: (count) => Uint8Array.from({ length: count }, nextByte) };
}

function microsOf(instant: string | Micros): Micros {
  if (typeof instant === 'number') return instant;
  const parsed = parseInstant(instant);
  if (parsed === undefined) throw new RangeError(`${instant} is no RFC 3339 instant.`);
  return parsed.micros;
}
