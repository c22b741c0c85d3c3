import type { Clock, Random } from './clock.ts';
import { hexOfByte, toHex } from './hex.ts';

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
    const millis = Math.floor(clock.now() / 1000);
    if (millis > lastMillis) {
      useMillis(millis);
      const [high, low] = random.bytes(2) as unknown as [number, number];
      // Half of the range stays free for counting up.
      counter = ((high << 8) | low) & 0x7ff;
    } else {
      counter += 1;
      if (counter === COUNTER_LIMIT) {
        counter = 0;
        useMillis(lastMillis + 1);
      }
    }
    const count = hexOfByte(0x70 | (counter >> 8)) + hexOfByte(counter & 0xff);
    const tail = random.bytes(8);
    tail[0] = ((tail[0] as number) & 0x3f) | 0x80;
    const hex = toHex(tail);
    return `${timeText}-${count}-${hex.slice(0, 4)}-${hex.slice(4)}`;
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
