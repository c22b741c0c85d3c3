import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEchoFilter, hideEcho } from './hide-echo.ts';

const SECRET = 'aab-aabc-"7f3a9c51';
const filter = createEchoFilter([SECRET])!;

describe('the filter of echoes', () => {
  it('hides a secret in whichever pieces it comes, and changes nothing else', () => {
    const word = fc.constantFrom('a', 'aab', 'aab-', 'aab-aab', 'x', SECRET, SECRET.slice(0, -1), 'ü');
    fc.assert(
      fc.property(fc.array(word), fc.array(fc.nat(200)), (words, cuts) => {
        const bytes = Buffer.from(words.join(''));
        const { push, rest } = filter();
        const told: Uint8Array[] = [];
        let from = 0;
        for (const cut of [...cuts].sort((a, b) => a - b)) {
          const to = Math.min(bytes.length, Math.max(from, cut));
          told.push(push(bytes.subarray(from, to)));
          from = to;
        }
        told.push(push(bytes.subarray(from)), rest());
        const text = Buffer.concat(told).toString();
        expect(text).toBe(words.join('').replaceAll(SECRET, '__REDACTED__'));
      }),
    );
  });

  it('knows it as JSON and addresses spell it', () => {
    expect(hideEcho(JSON.stringify({ error: SECRET }), filter)).toBe('{"error":"__REDACTED__"}');
    expect(hideEcho(`?key=${encodeURIComponent(SECRET)}&a=1`, filter)).toBe('?key=__REDACTED__&a=1');
  });

  it('is none for what is too short to be told from other words', () => {
    expect(createEchoFilter(['token'])).toBeUndefined();
    expect(createEchoFilter([])).toBeUndefined();
  });
});
