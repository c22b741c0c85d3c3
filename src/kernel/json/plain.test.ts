import { describe, expect, it } from 'vitest';
import { fromPlain, toPlain } from './plain.ts';
import { readJson } from './reader.ts';
import { type Json, JsonNumber } from './value.ts';
import { writeJson } from './write.ts';

describe('the plain view', () => {
  it('is the same object when nothing has to change', () => {
    const value = readJson('{"a":[1,{"b":"c"}],"d":null}');
    expect(toPlain(value)).toBe(value);
  });

  it('turns lexemes into numbers and leaves the rest of the tree alone', () => {
    const value = readJson('{"keep":{"x":1},"list":[1,2.0,3],"__proto__":1E2}') as Record<string, Json>;
    const plain = toPlain(value) as Record<string, unknown>;
    expect(plain.keep).toBe(value.keep);
    expect(plain.list).toEqual([1, 2, 3]);
    expect(Object.entries(plain).at(-1)).toEqual(['__proto__', 100]);
    expect(value.list).toEqual([1, new JsonNumber('2.0'), 3]);
  });
});

describe('values that a program made', () => {
  it('are the same object when nothing has to change', () => {
    const value = { a: [1, { b: 'c' }], d: null };
    expect(fromPlain(value)).toBe(value);
  });

  it('lose members that are undefined and keep big integers', () => {
    const value = fromPlain({ a: undefined, b: 12345678901234567890n, c: [{ d: undefined, e: 5n }] });
    expect(writeJson(value)).toBe('{"b":12345678901234567890,"c":[{"e":5}]}');
  });

  it.each([
    ['a date', { a: [new Date(0)] }, '/a/0', 'An object of class Date is no JSON value.'],
    ['a map', { a: new Map() }, '/a', 'An object of class Map is no JSON value.'],
    ['not-a-number', { a: Number.NaN }, '/a', 'NaN is no JSON number.'],
    ['a function', [() => 1], '/0', 'A value of type function is no JSON value.'],
    ['an undefined item', [undefined], '/0', 'A value of type undefined is no JSON value.'],
  ])('may not hold %s', (_, value, pointer, message) => {
    expect(() => fromPlain(value)).toThrow(expect.objectContaining({ code: 'not_json', pointer, message }));
  });

  it('may not hold themselves', () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(() => fromPlain(loop)).toThrow('nested too deeply, or holds itself');
  });
});
