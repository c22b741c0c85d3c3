import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactValue, SECRET_DIGITS, SECRET_VALUES, secretsIn } from './redact.ts';

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

const matches = (patterns: readonly RegExp[], given: string) =>
  patterns.some((pattern) => new RegExp(pattern.source, pattern.flags).test(given));

describe('secrets', () => {
  it('are found wherever one of the patterns finds something, whatever the text hints at', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(secretsIn(given).length > 0).toBe(matches([...SECRET_VALUES, ...SECRET_DIGITS], given));
        expect(secretsIn(given, true).length > 0).toBe(matches(SECRET_VALUES, given));
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
});
