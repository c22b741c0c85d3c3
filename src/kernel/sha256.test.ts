import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHex } from './base64.ts';
import { awkwardString } from './json/testing.ts';
import { portableHasher } from './sha256.ts';

const oracle = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

describe('the portable SHA-256', () => {
  it('gives the published digests', () => {
    expect(portableHasher.hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(portableHasher.hex('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  it('agrees with the runtime at every length around its blocks', () => {
    for (let length = 0; length <= 260; length += 1) {
      const data = Uint8Array.from({ length }, (_, at) => (at * 37 + length) & 0xff);
      expect(portableHasher.hex(data), `${length} bytes`).toBe(oracle(data));
    }
  });

  it('hashes text as UTF-8 and views without their surroundings', () => {
    fc.assert(
      fc.property(awkwardString, fc.uint8Array({ maxLength: 300 }), (text, bytes) => {
        expect(portableHasher.hex(text)).toBe(oracle(text));
        const view = bytes.subarray(Math.min(3, bytes.length));
        expect(toHex(portableHasher.bytes(view))).toBe(oracle(view));
      }),
    );
  });
});
