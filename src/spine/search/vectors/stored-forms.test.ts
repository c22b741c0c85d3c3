import { describe, expect, test } from 'vitest';
import { packDocument } from '../store/document-vectors.ts';
import { signCode } from './sign-code.ts';
import { createStaticEmbedder } from './static-embedder.ts';

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** What stores hold is compared with what is made today: it may change only with the embedder's id. */
describe('in stores of earlier versions stand the same', () => {
  const vectorOf = (dim: number) =>
    Float32Array.from({ length: dim }, (_, at) => (((at + 3) * 7919) % 1009) / 1009 - 0.5);

  test.each([
    [17, '925cc775d18c8614e79ad165f38dc09f6a0f6c594cbbbb49593647910985070e'],
    [100, '974eee0751fe82bcc6ef53ab63a53b912b114df08fef3acd5b8046251d6fbdeb'],
    [768, '08109eb9f07ca62c2e6b56a32b8537e9a144c4e588bff441ec9bdcfa710341c9'],
  ])('codes of %i dimensions', (dim, hex) => {
    const code = signCode(vectorOf(dim));
    const bytes = new DataView(new ArrayBuffer(32));
    for (const [at, word] of code.entries()) bytes.setUint32(at * 4, word, true);
    expect(hexOf(new Uint8Array(bytes.buffer))).toBe(hex);
  });

  test('a vector and its code', () => {
    const text = "The physician's fix for src/app.ts took 2,500 ms; it wasn't the parser.";
    const { vectors, codes } = packDocument([text], createStaticEmbedder().embedNow([text]));
    expect(hexOf(vectors)).toBe(
      '000efb3ad3d60330aee65df33e2540f8f20fee120bd9f925a7cdfa38e34d1307ebf0426a0235ff14980946173020d6bad213c0ec22661f2e1da1db79e327bdb90dd1cc2af749d3da2910f73df8ff0efd03220c81d7882708195426e8b429324e49e265f941c6f7c2',
    );
    expect(hexOf(codes)).toBe('1b1f391f7afa33ae726f0c1e4b1a3e85bfe105a83f40bab166c533dca667c64d');
  });
});
