import type { Clock, Random } from './clock.ts';
import { toHex } from './hex.ts';

const COUNTER_LIMIT = 0x1000;

/**
 * RFC 9562 UUIDs of version 7. Each is greater than the one before, also within a millisecond and when the clock steps
 * back: twelve bits count, and what they cannot hold is carried into the milliseconds.
 */
export function uuidV7Source(clock: Clock, random: Random): () => string {
  let lastMillis = -1;
  let timeText = '';
  let counter = 0;

  function useMillis(millis: number): void {
    const hex = millis.toString(16).padStart(12, '0');
    timeText = `${hex.slice(0, 8)}-${hex.slice(8)}`;
    lastMillis = millis;
  }

  return () => {
    const bytes = random.bytes(10);
    const millis = Math.floor(clock.now() / 1000);
    if (millis > lastMillis) {
      useMillis(millis);
      // Half of the range stays free for counting up.
      counter = (((bytes[8] as number) << 8) | (bytes[9] as number)) & 0x7ff;
    } else {
      counter += 1;
      if (counter === COUNTER_LIMIT) {
        counter = 0;
        useMillis(lastMillis + 1);
      }
    }
    bytes[0] = ((bytes[0] as number) & 0x3f) | 0x80;
    const tail = toHex(bytes.subarray(0, 8));
    const count = (0x7000 | counter).toString(16);
    return `${timeText}-${count}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  };
}

/** `prefix_` and 32 hex digits. */
export function prefixedId(prefix: string, random: Random): string {
  return `${prefix}_${toHex(random.bytes(16))}`;
}

/** 8-4-4-4-12 hex digits, whatever version and variant they claim. */
export function isUuidShaped(text: string): boolean {
  return /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/.test(text);
}
