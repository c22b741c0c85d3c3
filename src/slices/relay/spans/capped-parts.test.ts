import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cappedParts } from './capped-parts.ts';

const lengthOf = (value: unknown): number => JSON.stringify(value).length;

it('leaves small parts as they are', () => {
  const parts = [
    { kind: 'text', text: 'hello' },
    { kind: 'data', data: { list: [1, null, { deep: 'x' }] } },
  ];
  expect(JSON.parse(JSON.stringify(cappedParts(parts)))).toEqual({ parts, cut: 0 });
});

it('cuts text where the limit is, says how much, and keeps every later part empty', () => {
  const { parts, cut } = cappedParts(
    [{ text: 'a'.repeat(90) }, { text: 'b'.repeat(50) }, { text: 'c' }],
    100,
  );
  expect(parts.map(({ text }) => text)).toEqual(['a'.repeat(90), 'b'.repeat(10), '']);
  expect(cut).toBe(41);
});

it('bounds any parts, however many, wide or deep', () => {
  const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n]));
  for (const data of [deep, wide, Array(5_000).fill('x')])
    expect(lengthOf(cappedParts([{ kind: 'data', data }], 1_000).parts)).toBeLessThan(20_000);
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), fc.nat(500), (parts, most) => {
      const { parts: capped } = cappedParts(parts, most);
      expect(capped).toHaveLength(parts.length);
      // Escapes and punctuation of JSON come on top of the characters that count.
      expect(lengthOf(capped)).toBeLessThan(20 * (most + 1) + 20 * (parts.length + 1));
    }),
  );
});
