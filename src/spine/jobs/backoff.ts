import type { Micros, Random } from '../../kernel/clock.ts';

export interface Backoff {
  readonly firstSeconds: number;
  readonly longestSeconds: number;
}

export const defaultBackoff: Backoff = { firstSeconds: 1, longestSeconds: 3600 };

/** Doubles with each attempt up to the longest, and is spread over its upper half so that retries do not march in step. */
export function retryDelay(attempts: number, backoff: Backoff, random: Random): Micros {
  const seconds = Math.min(backoff.firstSeconds * 2 ** Math.max(attempts - 1, 0), backoff.longestSeconds);
  const [high = 0, low = 0] = random.bytes(2);
  const share = 0.5 + ((high << 8) | low) / 0x1_0000 / 2;
  return Math.round(seconds * share * 1_000_000);
}
