import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED, redactText } from './redact.ts';
import { redactPieces } from './redact-pieces.ts';

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });

/** How a secret is written, and the part of it that must not be seen. */
const secret = fc.oneof(
  hex(40).map((body) => ({ text: `sk-live-${body}`, body })),
  hex(36).map((body) => ({ text: `ghp_${body}`, body })),
  hex(24).map((body) => ({ text: `Bearer ${body}`, body })),
  hex(24).map((body) => ({ text: `password: ${body}`, body })),
  fc.tuple(hex(20), hex(30)).map(([a, b]) => ({ text: `eyJ${a}.${b}.${a}`, body: b })),
  hex(64).map((body) => ({
    text: `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`,
    body,
  })),
);
const words = fc
  .array(fc.constantFrom('the', 'task', 'is', 'done', 'né', '👍', '7', 'x=1'), { maxLength: 8 })
  .map((list) => list.map((word) => `${word} `).join(''));
const places = fc.array(fc.nat(), { maxLength: 12 });

/** The text cut at these places, empty pieces included. */
function cutAt(text: string, at: readonly number[]): string[] {
  const ends = at.map((place) => place % (text.length + 1)).sort((a, b) => a - b);
  return [...ends, text.length].map((end, i) => text.slice(i === 0 ? 0 : ends[i - 1], end));
}

const ofOne = (texts: readonly string[]) => texts.map((text) => ({ source: 'a', text }));

function expectNothingOf(body: string, seen: string): void {
  for (let at = 0; at + 8 <= body.length; at += 1) expect(seen).not.toContain(body.slice(at, at + 8));
}

describe('pieces of a text', () => {
  it('are, joined again, the joined text without its secrets, wherever it was cut', () => {
    fc.assert(
      fc.property(words, secret, words, places, (before, { text, body }, after, at) => {
        const whole = `${before}${text} ${after}`;
        const safe = redactPieces(ofOne(cutAt(whole, at)));
        expect(safe.join('')).toBe(redactText(whole));
        expect(safe.join('')).toBe(`${before}${redactText(text)} ${after}`);
        expectNothingOf(body, safe.join(''));
      }),
    );
  });

  it('are what they were where nothing is secret', () => {
    fc.assert(
      fc.property(words, places, (text, at) => {
        const pieces = cutAt(text, at);
        expect(redactPieces(ofOne(pieces))).toEqual(pieces);
      }),
    );
  });

  it('give a secret its one mask where it begins, and leave the rest of it out', () => {
    expect(redactPieces(ofOne(['my pass', 'word: hun', '', 'ter22 ', 'ok']))).toEqual([
      'my pass',
      `word: ${REDACTED}`,
      '',
      ' ',
      'ok',
    ]);
  });

  it('of several sources hide what one of them said while others spoke', () => {
    fc.assert(
      fc.property(
        secret,
        places,
        words,
        fc.infiniteStream(fc.boolean()),
        ({ text, body }, at, other, turns) => {
          const queues = [cutAt(text, at), cutAt(other, at)];
          const pieces: { source: string; text: string }[] = [];
          while (queues.some((queue) => queue.length > 0)) {
            const first = turns.next().value === true ? 0 : 1;
            const from = queues[first]?.length ? first : 1 - first;
            pieces.push({ source: String(from), text: queues[from]?.shift() ?? '' });
          }
          const safe = redactPieces(pieces);
          expectNothingOf(body, safe.filter((_, i) => pieces[i]?.source === '0').join(''));
          expectNothingOf(body, safe.join(''));
        },
      ),
    );
  });
});

describe('a text with one secret in another', () => {
  it.each([
    ['https://me:hunter22@example.com/x', `${REDACTED}example.com/x`],
    [`Authorization: Bearer eyJ${'a'.repeat(12)}.${'b'.repeat(12)}.c`, `Authorization: ${REDACTED}`],
    [`token=sk-live-${'1a'.repeat(12)}; next`, `token=${REDACTED}; next`],
    ['a@example.com b@example.com', `${REDACTED} ${REDACTED}`],
  ])('is masked once: %s', (text, safe) => {
    expect(redactText(text)).toBe(safe);
  });
});
