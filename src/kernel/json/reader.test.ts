import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BatonError } from '../error.ts';
import { toPlain } from './plain.ts';
import { readDocument, readJson, readPlain } from './reader.ts';
import { jsonText } from './testing.ts';
import { JsonNumber } from './value.ts';
import { writeJson } from './write.ts';

function faultOf(read: () => unknown): BatonError {
  try {
    read();
  } catch (error) {
    return error as BatonError;
  }
  throw new Error('nothing was thrown');
}

describe('the strict reader', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(JSON.parse(JSON.stringify(toPlain(readJson(text))))).toEqual(JSON.parse(text, noNegativeZero));
      }),
    );
  });

  it('knows without a second look whether programs see the same', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const value = readJson(text);
        expect(readPlain(text)).toEqual(toPlain(value));
        expect(readDocument(text).plain).toEqual(toPlain(value));
      }),
    );
  });

  it('refuses what JSON.parse refuses, whatever one character is changed', () => {
    fc.assert(
      fc.property(jsonText, fc.nat(), fc.constantFrom(...'{}[]",:0-.eE \\\n\u0000a'), (text, at, unit) => {
        const place = at % (text.length + 1);
        const changed = text.slice(0, place) + unit + text.slice(place + 1);
        let valid = true;
        try {
          JSON.parse(changed);
        } catch {
          valid = false;
        }
        try {
          readJson(changed, { lenient: true });
          expect(valid, changed).toBe(true);
        } catch (error) {
          expect((error as BatonError).code).toBe('invalid_json');
          expect(valid, changed).toBe(false);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('writes back the same lexemes', () => {
    const text =
      '{"a":[1.0,1E2,-0,-0.0,12345678901234567890,0.1,1e21,9007199254740991,9007199254740993,1.50]}';
    expect(writeJson(readJson(text))).toBe(text);
  });

  it('keeps a plain number only where it loses nothing', () => {
    expect(readJson('[0,-1,9007199254740991,0.1,5e-324,1e+21,1e-7]')).toEqual([
      0, -1, 9007199254740991, 0.1, 5e-324, 1e21, 1e-7,
    ]);
    for (const lexeme of [
      '-0',
      '1.0',
      '1E2',
      '1e21',
      '0.10',
      '9007199254740992',
      '-9007199254740993',
      '1e400',
    ]) {
      expect(readJson(lexeme), lexeme).toEqual(new JsonNumber(lexeme));
    }
  });

  it('makes members of __proto__ and constructor', () => {
    const value = readJson('{"__proto__":{"polluted":true},"constructor":1}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(value.polluted).toBeUndefined();
    expect('toString' in value).toBe(false);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('names the place of a fault by pointer, line and column', () => {
    const fault = faultOf(() => readJson('{\n  "a": [1, {"b/c~d": tru}]\n}'));
    expect(fault).toMatchObject({
      code: 'invalid_json',
      status: 400,
      pointer: '/a/1/b~1c~0d',
      details: { line: 2, column: 22, offset: 23 },
    });
  });

  it.each([
    ['', 'The text ends where a value is expected.'],
    ['[1,]', 'Expected a value, found "]".'],
    ['{"a":1,}', 'Expected a member name in double quotes.'],
    ["{'a':1}", 'Expected a member name in double quotes.'],
    ['{"a" 1}', "Expected ':' after a member name."],
    ['[1 2]', "Expected ',' or ']' after an item."],
    ['01', 'There is text after the JSON value.'],
    ['1 2', 'There is text after the JSON value.'],
    ['1.', 'Expected a digit in a number.'],
    ['1e', 'Expected a digit in a number.'],
    ['.5', 'Expected a value, found ".".'],
    ['+1', 'Expected a value, found "+".'],
    ['NaN', 'Expected a value, found "N".'],
    ['Infinity', 'Expected a value, found "I".'],
    ['-Infinity', 'Expected a value, found "-".'],
    ['nul', 'Expected a value, found "n".'],
    ['"a', 'The text ends inside a string.'],
    ['"a\u0001"', 'A string holds a control character that is not escaped.'],
    ['"\\x41"', 'A backslash in a string starts no known escape.'],
    ['"\\u12g4"', 'Expected four hex digits after \\u.'],
    ['\ufeff{}', 'The text starts with a byte order mark.'],
    ['/* */ 1', 'Expected a value, found "/".'],
  ])('refuses %j', (text, message) => {
    expect(faultOf(() => readJson(text))).toMatchObject({ code: 'invalid_json', message });
  });

  it('refuses duplicate keys, also when one is written with an escape', () => {
    expect(faultOf(() => readJson('{"x":{"a":1,"\\u0061":2}}'))).toMatchObject({
      code: 'duplicate_key',
      pointer: '/x/a',
      details: { offset: 12 },
    });
  });

  it('takes the last of duplicate keys when lenient', () => {
    expect({ ...(readJson('{"a":1,"b":2,"a":3}', { lenient: true }) as object) }).toEqual({ a: 3, b: 2 });
  });

  it.each([
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\ud800\\u0041"',
    '"\ud800"',
    '"\udc00x"',
    '"\\n\ud800"',
    '{"\\ud800":1}',
  ])('refuses half a surrogate pair in %j, but not when lenient', (text) => {
    expect(faultOf(() => readJson(text)).code).toBe('lone_surrogate');
    expect(toPlain(readJson(text, { lenient: true }))).toEqual(JSON.parse(text));
  });

  it('takes whole surrogate pairs, raw and escaped', () => {
    expect(readJson('["😀","\\ud83d\\ude00","\\n😀"]')).toEqual(['😀', '😀', '\n😀']);
  });

  it('stops at the depth it is told, and never runs out of stack', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(readJson(nested(64))).toBeDefined();
    expect(faultOf(() => readJson(nested(65)))).toMatchObject({ code: 'too_deep', pointer: '/0'.repeat(64) });
    expect(faultOf(() => readJson('{"a":'.repeat(3), { maxDepth: 2 })).code).toBe('too_deep');
    expect(readJson(nested(500), { maxDepth: 1_000_000 })).toBeDefined();
    expect(faultOf(() => readJson('['.repeat(1_000_000), { maxDepth: 1_000_000 })).code).toBe('too_deep');
  });

  it('measures the size in bytes', () => {
    expect(readJson('"éé"', { maxBytes: 6 })).toBe('éé');
    expect(faultOf(() => readJson('"éé"', { maxBytes: 5 }))).toMatchObject({
      code: 'too_large',
      status: 413,
    });
    expect(readJson('"😀"', { maxBytes: 6 })).toBe('😀');
    expect(faultOf(() => readJson('"😀"', { maxBytes: 5 })).code).toBe('too_large');
  });

  it('reads long strings and long runs between escapes', () => {
    const long = 'x'.repeat(5000);
    expect(readJson(JSON.stringify([long, `${long}\n${long}"${long}😀`, `${long}\uffff`]))).toEqual([
      long,
      `${long}\n${long}"${long}😀`,
      `${long}\uffff`,
    ]);
  });
});

describe('reading bytes', () => {
  const bytes = (...parts: (string | number)[]) =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));

  it('takes UTF-8', () => {
    expect(readJson(bytes('"é😀"'))).toBe('é😀');
  });

  it.each([
    ['an overlong slash', bytes('"ab', 0xc0, 0xaf, '"'), 3],
    ['a stray continuation', bytes('"', 0x80, '"'), 1],
    ['a surrogate in UTF-8', bytes('"', 0xed, 0xa0, 0x80, '"'), 1],
    ['a cut character', bytes('"a', 0xe2, 0x82), 4],
    ['a stray byte on the third line', bytes('[\n\n"é', 0xff), 6],
  ])('refuses %s and says where', (_, input, offset) => {
    const fault = faultOf(() => readJson(input));
    expect(fault).toMatchObject({ code: 'invalid_json', message: 'The bytes are not valid UTF-8.' });
    expect(fault.details?.offset).toBeGreaterThanOrEqual(offset);
    expect(fault.details?.offset).toBeLessThanOrEqual(offset + 2);
  });

  it('says on which line the bytes go wrong', () => {
    expect(faultOf(() => readJson(bytes('[\n\n"é', 0xff))).details).toEqual({
      line: 3,
      column: 3,
      offset: 6,
    });
  });

  it('refuses a byte order mark and too many bytes', () => {
    expect(faultOf(() => readJson(bytes('\ufeff{}'))).message).toBe(
      'The text starts with a byte order mark.',
    );
    expect(faultOf(() => readJson(bytes('"éé"'), { maxBytes: 5 })).code).toBe('too_large');
  });
});

describe('reading a document', () => {
  it('knows where its members stand', () => {
    const text = ' { "a" : 1 , "b\\n" : [ 2 ] , "c":{"a":3} } ';
    const { members, value } = readDocument(text);
    expect([...members.keys()]).toEqual(['a', 'b\n', 'c']);
    const spans = [...members.values()].map((span) => [
      text.slice(span.keyStart, span.valueEnd),
      text.slice(span.valueStart, span.valueEnd),
    ]);
    expect(spans).toEqual([
      ['"a" : 1', '1'],
      ['"b\\n" : [ 2 ]', '[ 2 ]'],
      ['"c":{"a":3}', '{"a":3}'],
    ]);
    expect(toPlain(value)).toEqual(JSON.parse(text));
  });

  it('has no members when it is no object', () => {
    expect(readDocument('[{"a":1}]').members.size).toBe(0);
  });
});

/** JSON.stringify writes -0 as 0, so both sides are compared without it. */
function noNegativeZero(_key: string, value: unknown): unknown {
  return value === 0 ? 0 : value;
}
