import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactText, redactValue, secretsIn } from './redact.ts';
import { redactPieces } from './redact-pieces.ts';
import {
  type Cut,
  findAddresses,
  findMailboxes,
  findTokens,
  SECRET_DIGITS,
  SECRET_VALUES,
} from './secret-finders.ts';

const chars = (alphabet: string, most: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: most });
const piece = fc.oneof(
  fc.constantFrom(
    '-----BEGIN RSA PRIVATE KEY-----',
    '-----END RSA PRIVATE KEY-----',
    'eyJ',
    '.',
    ' ',
    '"',
    '\n',
  ),
  fc.constantFrom(
    'sk-',
    'pk_',
    'rk-live_',
    'ghp_',
    'GLPAT-',
    'github_pat_',
    'npm_',
    'hf_',
    'xoxb-',
    'baton_',
  ),
  fc.constantFrom(
    'AKIA',
    'asia',
    'ASIA',
    'AIza',
    'Bearer ',
    'basic\t',
    'Pass',
    'PASSWORD',
    'secret',
    'Token',
    'api_key',
  ),
  fc.constantFrom(
    ': ',
    '=',
    "':",
    '://',
    '@',
    'https',
    '-',
    '4111',
    '1111 ',
    '123-45-6789',
    '378282246310005',
  ),
  chars('0123456789', 20),
  chars('ABCDEFGHIJKLMNOP0123456789', 20),
  chars('abcdefghij_-.0123456789', 40),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

const finds = (finders: readonly ((text: string) => Cut[])[], given: string) =>
  finders.some((find) => find(given).length > 0);

/** What the finders that are no patterns stand for: right, and far too slow for a long text. */
const MEANT = [
  [findTokens, /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g],
  [findAddresses, /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]+@/gi],
  [findMailboxes, /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g],
] as const;
const dense = fc
  .array(
    fc.constantFrom(
      'eyJ',
      'abcdefgh',
      'a',
      'Z',
      '9',
      '_',
      '-',
      '+',
      '.',
      ':',
      '/',
      '//',
      '://',
      '@',
      ' ',
      'é',
      '\n',
    ),
    {
      maxLength: 40,
    },
  )
  .map((pieces) => pieces.join(''));

describe('secrets', () => {
  it('are found wherever one of the patterns finds something, whatever the text hints at', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(secretsIn(given).length > 0).toBe(finds([...SECRET_VALUES, ...SECRET_DIGITS], given));
        expect(secretsIn(given, true).length > 0).toBe(finds(SECRET_VALUES, given));
      }),
      { numRuns: 5_000 },
    );
  });

  it('do not hide in members that other objects inherit', () => {
    const given = JSON.parse('{"__proto__":{"password":"hunter22"},"constructor":"ann@example.org"}');
    expect(JSON.stringify(redactValue(given))).toBe(
      '{"__proto__":{"password":"__REDACTED__"},"constructor":"__REDACTED__"}',
    );
  });

  it.each(MEANT)('are found from their middle exactly where %o and its pattern say', (find, pattern) => {
    fc.assert(
      fc.property(fc.oneof(dense, text), (given) => {
        const meant = [...given.matchAll(pattern)].map((match) => ({
          start: match.index,
          end: match.index + match[0].length,
        }));
        expect(find(given)).toEqual(meant);
      }),
      { numRuns: 20_000 },
    );
  });
});

/** In CPU time, which what else the machine does changes little. */
function cpuMillis(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** An agent that wants the relay to stop for everybody sends one of these: each made some pattern start over and over. */
const REPEATS = [
  '0123456789abcdef',
  'a.',
  'eyJ-',
  'eyJaaaaaaaa.',
  'a@',
  'a@b',
  '@a.',
  'a://',
  'a://b:',
  '+.-',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  '-----END ',
  'PRIVATE KEY',
  'Bearer ',
  'Bearer\t\t\t',
  'password = ',
  'token:',
  'api',
  'sk-',
  'ghp_',
  'xoxb-',
  'AKIA',
  'AIza',
  '4111 ',
  '1234-',
  '123-45-',
  ' ',
  '"',
  '\n',
];

describe('whatever a caller repeats', () => {
  const LENGTH = 200_000;
  const text = (repeat: string, ending: string) =>
    `${repeat.repeat(Math.ceil(LENGTH / repeat.length)).slice(0, LENGTH)}${ending}`;

  it.each(REPEATS)('%j takes four times the time when it is four times as long, not sixteen', (repeat) => {
    for (const ending of ['', '@', ' 123 @x', '://x:y']) {
      const whole = text(repeat, ending);
      redactText(whole.slice(0, 1_000));
      const short = cpuMillis(() => redactText(whole.slice(0, LENGTH / 4)));
      const long = cpuMillis(() => redactText(whole));
      // A quadratic one takes seconds to minutes for this length; the floor is for what is too short to measure.
      expect(long).toBeLessThan(Math.max(400, 10 * short));
      expect(long).toBeLessThan(2_000);
    }
  });

  it('is as cheap in 200 pieces as in one', () => {
    const piece = text('0123456789abcdef', '').slice(0, 50_000);
    const pieces = Array.from({ length: 200 }, (_, at) => ({
      source: at % 2 ? 'a' : 'b',
      text: `${piece}@`,
    }));
    expect(cpuMillis(() => redactPieces(pieces))).toBeLessThan(20_000);
  });
});
