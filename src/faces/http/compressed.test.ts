import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { acceptedEncoding, createCompressor } from './compressed.ts';

describe('what a client takes compressed', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('by %j is %j', (header, encoding) => {
    expect(acceptedEncoding(header)).toBe(encoding);
  });
});

describe('a compressor', () => {
  const text = new TextEncoder().encode('the same words again '.repeat(500));

  it('gives back what was compressed, smaller, and compresses each version once', async () => {
    const compress = createCompressor();
    const [br, gz] = [await compress('a 1', text, 'br'), await compress('a 1', text, 'gzip')];
    expect(new Uint8Array(brotliDecompressSync(br ?? new Uint8Array()))).toEqual(text);
    expect(new Uint8Array(gunzipSync(gz ?? new Uint8Array()))).toEqual(text);
    expect(br?.length).toBeLessThan(text.length / 10);
    expect(await compress('a 1', text, 'br')).toBe(br);
    expect(await compress('a 2', text, 'br')).not.toBe(br);
  });

  it('leaves alone what is small', async () => {
    expect(await createCompressor()('b', text.slice(0, 100), 'br')).toBeUndefined();
  });
});
