import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible, visibleJson } from './visible-text.ts';

describe('ordinary text', () => {
  it.each([
    'const x: Array<string> = a < b ? [] : c; // it’s `fine` && 100 % | ok',
    'Ärger, naïve café, Łódź, smørrebrød, Đặng',
    '日本語と한국어、中文。',
    'مرحبا بالعالم שלום עולם',
    'می‌خواهم क्‍ष',
    'ไทย தமிழ் ελληνικά русский',
    '👩‍🚀 ❤️ 1️⃣ 👍🏽 🏳️‍🌈 🇩🇪 ☎︎',
    'Non-breaking spaces « comme ceci » and　ideographic ones',
    'three\nlines\nof it',
  ])('stays as it is: %s', (text) => {
    expect(visible(text)).toBe(text);
  });
});

describe('what hides, moves or reorders text', () => {
  it.each([
    ['a\u001b[31mred', 'a\\u001b[31mred'],
    ['\u001b]8;;http://evil\u0007x', '\\u001b]8;;http://evil\\u0007x'],
    ['\u009b31m', '\\u009b31m'],
    ['over\rwritten\b\b', 'over\\u000dwritten\\u0008\\u0008'],
    ['tab\there', 'tab\\u0009here'],
    ['\u202egpj.exe\u202c', '\\u202egpj.exe\\u202c'],
    ['\u2066x\u2069\u061c', '\\u2066x\\u2069\\u061c'],
    ['z\u200be\u200cr\u200do\u2060w\ufeff', 'z\\u200be\\u200cr\\u200do\\u2060w\\ufeff'],
    ['\u{e0041}\u{e007f}', '\\udb40\\udc41\\udb40\\udc7f'],
    ['e\ufe0f\u{e0100}', 'e\\ufe0f\\udb40\\udd00'],
    ['👍\ufe0f\ufe0f', '👍\ufe0f\\ufe0f'],
    ['\u2028\u2029\u0085\v\f', '\\u2028\\u2029\\u0085\\u000b\\u000c'],
    ['\ud800x\udc00', '\\ud800x\\udc00'],
    ['soft\u00adhyphen \u3164 \u115f', 'soft\\u00adhyphen \\u3164 \\u115f'],
    ['\ue000\u{f0000}\uffff', '\\ue000\\udb80\\udc00\\uffff'],
    ['</s> <!-- <?x <|im_end|>', '\\u003c/s> \\u003c!-- \\u003c?x \\u003c|im_end|>'],
  ])('is shown: %j', (text, seen) => {
    expect(visible(text)).toBe(seen);
  });

  it('is shown from the ninth mark on one letter', () => {
    expect(visible(`z${'\u0301'.repeat(10)}`)).toBe(`z${'\u0301'.repeat(8)}\\u0301\\u0301`);
  });

  it('is shown once: nothing in the result is left to show', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const seen = visible(text);
        expect(visible(seen)).toBe(seen);
        expect(seen.split('\n')).toHaveLength(text.split('\n').length);
      }),
    );
  });
});

describe('JSON', () => {
  it('means the same after its hidden characters were shown', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.nat(2), (text, indent) => {
        const written = JSON.stringify(JSON.parse(text), null, indent);
        expect(JSON.parse(visibleJson(written))).toEqual(JSON.parse(written));
      }),
    );
    expect(visibleJson('{"a":\t"\u202e</x>"}')).toBe('{"a":\t"\\u202e\\u003c/x>"}');
  });
});
