import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AsnParser } from '../../scripts/lean/ecdsa-signature.mjs';

/** As whoever checks the signature wants its integers: without the sign's zero, and filled up to the curve's length. */
function fixed(integer: ArrayBuffer, length: number): Buffer {
  const bytes = Buffer.from(integer);
  const plain = bytes.length > length && bytes[0] === 0 ? bytes.subarray(1) : bytes;
  return Buffer.concat([Buffer.alloc(length - plain.length), plain]);
}

describe('the reader of passkey signatures in the bundle', () => {
  it.each([
    ['P-256', 32, 400],
    ['P-384', 48, 100],
    ['P-521', 66, 100],
  ])('finds both integers of every signature over %s', (namedCurve, length, times) => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
    for (let i = 0; i < times; i += 1) {
      const data = randomBytes(32);
      const { r, s } = AsnParser.parse(sign('sha256', data, privateKey));
      const raw = Buffer.concat([fixed(r, length), fixed(s, length)]);
      expect(verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, raw)).toBe(true);
    }
  });

  it('refuses what is anything else', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const signature = sign('sha256', randomBytes(32), privateKey);
    for (let end = 0; end < signature.length; end += 1) {
      expect(() => AsnParser.parse(signature.subarray(0, end))).toThrow();
    }
    expect(() => AsnParser.parse(Buffer.concat([signature, Buffer.from([0])]))).toThrow();
    for (const at of [0, 1, 2, 3]) {
      const changed = Buffer.from(signature);
      changed[at] = (changed[at] ?? 0) ^ 0x7f;
      expect(() => AsnParser.parse(changed)).toThrow();
    }
    for (let i = 0; i < 2000; i += 1) {
      const noise = Buffer.concat([Buffer.from([0x30]), randomBytes(i % 90)]);
      try {
        const { r, s } = AsnParser.parse(noise);
        expect(r.byteLength + s.byteLength).toBeLessThan(noise.length);
      } catch (error) {
        expect((error as Error).message).toMatch(/signature/);
      }
    }
  });
});
