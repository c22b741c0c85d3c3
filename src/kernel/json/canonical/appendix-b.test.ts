import { describe, expect, it } from 'vitest';
import { readJson } from '../reader.ts';
import { canonicalAppendixB, exactAppendixB } from './appendix-b.ts';
import { canonicalUtf8Literal } from './utf8-literal.ts';

describe('the canonical form of a TRACE payload', () => {
  it.each([
    ['{ "b" : 1 ,\n "a" : [ 1 , 2 ] }', '{"a":[1,2],"b":1}'],
    ['{"x":1.0}', '{"x":1.0}'],
    ['{"x":1}', '{"x":1}'],
    ['{"x":1e21}', '{"x":1e+21}'],
    ['{"x":-0.0}', '{"x":-0.0}'],
    ['{"x":-0}', '{"x":0}'],
    ['{"x":1E2}', '{"x":100.0}'],
    ['{"x":9007199254740993}', '{"x":9007199254740993}'],
    ['{"x":12345678901234567890123}', '{"x":12345678901234567890123}'],
    [
      '{"a":0.1,"b":1e-7,"c":1e16,"d":1.5e300,"e":5e-324,"f":123456789012345680.0,"g":0.0001,"h":0.00001,"i":1e15}',
      '{"a":0.1,"b":1e-07,"c":1e+16,"d":1.5e+300,"e":5e-324,"f":1.2345678901234568e+17,"g":0.0001,"h":1e-05,"i":1000000000000000.0}',
    ],
    ['{"10":1,"9":2,"2":3,"a":4}', '{"10":1,"2":3,"9":2,"a":4}'],
    ['{"__proto__":1,"constructor":2,"a":3}', '{"__proto__":1,"a":3,"constructor":2}'],
    ['{"\\uff5e":1,"\\ud83d\\ude00":2,"a":3}', '{"a":3,"\\uff5e":1,"\\ud83d\\ude00":2}'],
    [
      '{"s":"caf\u00e9 \u007f \u2028 \\/ \\b\\f\\n\\r\\t\\u0000"}',
      '{"s":"caf\\u00e9 \\u007f \\u2028 / \\b\\f\\n\\r\\t\\u0000"}',
    ],
    ['{"a\\"b":1,"c\\\\d":2}', '{"a\\"b":1,"c\\\\d":2}'],
  ])('of %s is as Python prints it', (text, canonical) => {
    expect(canonicalAppendixB(readJson(text))).toBe(canonical);
    expect(canonicalAppendixB(readJson(canonical))).toBe(canonical);
  });

  it.each([
    ['9007199254740993.0', '9007199254740992.0'],
    ['0.1', '0.10000000000000000555'],
    ['1.0', '1.00000000000000000001'],
    ['0.0', '1e-400'],
    ['-0.0', '-1e-400'],
    ['1e22', '1.00000000000000000001E22'],
  ])('where it is exact, tells %s from %s, which are one float', (one, other) => {
    expect(canonicalAppendixB(readJson(one))).toBe(canonicalAppendixB(readJson(other)));
    expect(exactAppendixB(readJson(one))).not.toBe(exactAppendixB(readJson(other)));
  });

  it.each(['1.0', '1.00', '10e-1', '0.1E+1', '100.0e-2'])('where it is exact, takes %s for 1.0', (text) => {
    expect(exactAppendixB(readJson(text))).toBe('1.0');
  });

  it.each([
    '0.1',
    '5e-324',
    '1.7976931348623157e308',
    '-0.0',
    '0e5',
    '123456789012345680.0',
    '1',
    '-0',
    '1e-7',
  ])('is exact of %s already', (text) => {
    expect(exactAppendixB(readJson(text))).toBe(canonicalAppendixB(readJson(text)));
  });

  it('takes a plain number as JSON would have written it', () => {
    expect(canonicalAppendixB([1, -0, 0.5, 1e-7, 1e20, 1e21, 2 ** 53, -1.5e300])).toBe(
      '[1,0,0.5,1e-07,100000000000000000000,1e+21,9007199254740992,-1.5e+300]',
    );
  });

  it('hashes duplicate keys and half surrogate pairs as Python would, where a lenient reader let them in', () => {
    expect(canonicalAppendixB(readJson('{"a":1,"a":2}', { lenient: true }))).toBe('{"a":2}');
    expect(canonicalAppendixB(readJson('{"s":"\\ud800"}', { lenient: true }))).toBe('{"s":"\\ud800"}');
  });

  it('refuses what no double holds', () => {
    expect(() => canonicalAppendixB(readJson('{"x":[1e400]}'))).toThrow(
      expect.objectContaining({ code: 'lossy_number', pointer: '/x/0' }),
    );
    expect(() => canonicalAppendixB({ x: Number.NaN })).toThrow(
      expect.objectContaining({ code: 'lossy_number' }),
    );
  });

  it('has a sibling that leaves text raw', () => {
    expect(canonicalUtf8Literal(readJson('{"\\u00e9":"\\ud83d\\ude00\\u007f\\n","a":1.0}'))).toBe(
      '{"a":1.0,"é":"😀\u007f\\n"}',
    );
  });
});
