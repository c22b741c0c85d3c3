import { randomFillSync } from 'node:crypto';
import type { Random } from '../kernel/clock.ts';

const POOL_BYTES = 8192;
const LARGEST_FROM_POOL = 256;

const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/** Small requests are cut from a pool: one call into the kernel serves hundreds of ids. */
export const nodeRandom: Random = {
  bytes(count) {
    if (count > LARGEST_FROM_POOL) return randomFillSync(new Uint8Array(count));
    if (used + count > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = new Uint8Array(count);
    // Bytes that were handed out are wiped. A loop, because two library calls take longer for so few bytes.
    for (let at = 0; at < count; at += 1, used += 1) {
      bytes[at] = pool[used] as number;
      pool[used] = 0;
    }
    return bytes;
  },
};
