import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../reader.ts';
import { jsonText } from '../testing.ts';
import { canonicalAppendixB } from './appendix-b.ts';
import { endOfCanonicalValue, isCompactAppendixB } from './appendix-b-scan.ts';

function isCanonical(text: string): boolean {
  const bytes = new TextEncoder().encode(`${text}\u0000`);
  return endOfCanonicalValue(bytes, 0) === bytes.length - 1;
}

describe('recognising canonical text', () => {
  it.each([
    '{}',
    '[]',
    '0',
    '-1',
    '12345678901234567890',
    '1.5',
    '1e+21',
    '1e-07',
    '-0.0',
    'true',
    'null',
    '"a"',
  ])('says yes to %s', (text) => {
    expect(isCanonical(text)).toBe(true);
  });

  it('says yes to sorted members and canonical escapes', () => {
    expect(isCanonical('{"A":1,"a":[{},"\\u00e9\\n\\u0000\\ud83d\\ude00\\u007f"],"aa":{"b":false}}')).toBe(
      true,
    );
  });

  it.each([
    '{"b":1,"a":2}',
    '{"a":1,"a":2}',
    '{"aa":1,"a":2}',
    '{"a": 1}',
    '[1, 2]',
    '"é"',
    '"\\u00E9"',
    '"\\u0041"',
    '"\\u000a"',
    '"\\/"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\u007f"',
    '-0',
    '01',
    '1.0e5',
    '1E5',
    '1.50',
    '1e5',
    '1.',
    '1e400',
    'tru',
    '"a',
    '{"a"}',
    '[1,]',
    '',
  ])('says no to %j', (text) => {
    expect(isCanonical(text)).toBe(false);
  });

  it('knows compact text with members in any order', () => {
    expect(isCompactAppendixB('{"b":1,"a":[1.0,"\\u00e9"]}')).toBe(true);
    expect(isCompactAppendixB('{"b":1,"a":[1.0,"é"]}')).toBe(false);
    expect(isCompactAppendixB('{"b":1, "a":2}')).toBe(false);
    expect(isCompactAppendixB('{"b":1}x')).toBe(false);
  });

  it('says yes to what the writer writes, unless a key needs an escape', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const canonical = canonicalAppendixB(readJson(text));
        const keysAreEscaped = /\\[^"]*"\s*:/.test(canonical) || canonical.includes('\\"');
        if (!keysAreEscaped) expect(isCanonical(canonical), canonical).toBe(true);
        expect(isCompactAppendixB(canonical), canonical).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('never says yes wrongly, whatever one character is changed', () => {
    const runs = process.env.BATON_PROVE === '1' ? 200_000 : 5000;
    fc.assert(
      fc.property(
        jsonText,
        fc.nat(),
        fc.constantFrom(...'{}[]",:0129-+.eE \\ué\u007fab'),
        (text, at, unit) => {
          const canonical = canonicalAppendixB(readJson(text));
          const place = at % canonical.length;
          const changed = canonical.slice(0, place) + unit + canonical.slice(place + 1);
          if (isCanonical(changed)) expect(canonicalAppendixB(readJson(changed))).toBe(changed);
        },
      ),
      { numRuns: runs },
    );
  });
});
