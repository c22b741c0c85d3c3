import { hash } from 'node:crypto';
import type { Hasher } from '../kernel/hasher.ts';

export const nodeHasher: Hasher = {
  hex: (data) => hash('sha256', data, 'hex'),
  bytes(data) {
    // Not a Buffer, whose `slice` and `toJSON` behave otherwise.
    const digest = hash('sha256', data, 'buffer');
    return new Uint8Array(digest.buffer, digest.byteOffset, digest.byteLength);
  },
};
