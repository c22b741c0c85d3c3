import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64, decodeBase64Url, encodeBase64, encodeBase64Url, fromHex, toHex } from './base64.ts';

describe('bytes as text', () => {
  it('are written as Node writes them and read back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const buffer = Buffer.from(bytes);
        expect(toHex(bytes)).toBe(buffer.toString('hex'));
        expect(encodeBase64(bytes)).toBe(buffer.toString('base64'));
        expect(encodeBase64Url(bytes)).toBe(buffer.toString('base64url'));
        expect(fromHex(toHex(bytes))).toEqual(bytes);
        expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
        expect(decodeBase64Url(encodeBase64Url(bytes))).toEqual(bytes);
      }),
    );
  });

  it.each(['A', 'AA', 'AA=', 'A===', 'AB==', 'AAB=', 'A A=', 'AA-_', 'AA==AA==', '=AAA'])(
    'refuse %j as base64: each run of bytes has one spelling',
    (text) => {
      expect(decodeBase64(text)).toBeUndefined();
    },
  );

  it.each(['A', 'AA==', 'AB', 'A+', 'A/', 'A='])('refuse %j as base64url', (text) => {
    expect(decodeBase64Url(text)).toBeUndefined();
  });

  it.each(['a', 'zz', '0x', 'aa '])('refuse %j as hex', (text) => {
    expect(fromHex(text)).toBeUndefined();
  });

  it('read hex of either case', () => {
    expect(fromHex('aAfF')).toEqual(Uint8Array.from([0xaa, 0xff]));
  });
});
