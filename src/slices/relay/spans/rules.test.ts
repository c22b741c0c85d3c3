import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeHasher } from '../../../platform/index.ts';
import { createChunkLog } from './chunk-log.ts';
import { safeParts } from './content.ts';
import { truncateText } from './live-span.ts';
import { redactText, redactValue } from './redact.ts';
import { deriveSessionId } from './session-id.ts';
import { readTraceparent, writeTraceparent } from './trace-context.ts';

const derive = (reference: string) => deriveSessionId(reference, nodeHasher);

describe('a session id', () => {
  it('is derived from the repository and the issue, as the published vector says', () => {
    expect(derive('github:coilysiren/otel-a2a-relay#1')).toBe('c98faa5ecaff76f3');
    expect(derive('github:coilysiren/otel-a2a-relay:1')).toBe('c98faa5ecaff76f3');
  });

  it.each([
    ['gitlab:group/sub/project#7', 'gitlab:group/sub/project:7'],
    ['slack:T01/C02:1700000000.000100', 'slack:T01/C02:1700000000.000100'],
    ['linear:acme:eng-42', 'linear:acme:ENG-42'],
    ['channel:ab45', 'channel:AB45'],
  ])('of %s hashes its canonical key', (reference, key) => {
    expect(derive(reference)).toBe(nodeHasher.hex(key).slice(0, 16));
  });

  it.each([
    '',
    'github:',
    'github:owner#1',
    'github:owner/repo',
    'jira:X-1',
    'channel:A45',
    'constructor:x',
    '__proto__:x',
  ])('is not made up for %j', (reference) => {
    expect(() => derive(reference)).toThrowError(
      expect.objectContaining({ code: 'invalid_session_reference' }),
    );
  });
});

describe('trace context', () => {
  it('is read strictly and written as it was', () => {
    const header = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    expect(writeTraceparent(readTraceparent(header)!)).toBe(header);
    for (const bad of [
      '',
      'x',
      header.toUpperCase(),
      header.replace('4bf9', '4bfg'),
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `ff${header.slice(2)}`,
      `${header}-more`,
    ]) {
      expect(readTraceparent(bad)).toBeUndefined();
    }
  });
});

describe('content', () => {
  it('has no secret left in it', () => {
    const secrets = [
      'sk-proj-abcdefghijklmnop1234',
      'ghp_abcdefghijklmnopqrst',
      'AKIAABCDEFGHIJKLMNOP',
      'ann@example.org',
      '123-45-6789',
      '4111 1111 1111 1111',
      'Bearer abcdef123456',
    ];
    for (const secret of secrets) expect(redactText(`before ${secret} after`)).not.toContain(secret);
    expect(redactText('password: hunter22')).toBe('password: __REDACTED__');
    for (const card of ['4111111111111111', '4111 1111 1111 1111', '3782-822463-10005'])
      expect(redactText(`card ${card}.`)).toBe('card __REDACTED__.');
    expect(redactText('rows 8 9 10 11 12 13 14 15')).toBe('rows 8 9 10 11 12 13 14 15');
    expect(
      JSON.stringify(redactValue({ a: { api_key: 'zzzzzz', note: ['mail bob@example.org'] } })),
    ).not.toMatch(/zzzzzz|bob@/);
  });

  it('has the digest of a file instead of its bytes', () => {
    const files = [
      { kind: 'file', file: { bytes: 'QUJD', mimeType: 'text/plain', name: 'a' } },
      { raw: 'QUJD', mediaType: 'x/y' },
    ];
    const value = JSON.stringify(safeParts(files, 'full', nodeHasher).parts);
    expect(value).not.toContain('QUJD');
    expect(value).toContain('"length":3');
  });

  it('is cut between code points, with the count of what is missing', () => {
    const { text, cut } = truncateText('é'.repeat(100), 50);
    expect(text).toMatch(/^é+…\[truncated\]$/);
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(50);
    expect(cut).toBeGreaterThan(150);
  });
});

describe('the chunks of a stream', () => {
  it('stay within the budget and keep every word in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 4 }), { maxLength: 700 }),
        fc.integer({ min: 1, max: 16 }),
        (texts, half) => {
          const log = createChunkLog<string>(half * 2);
          texts.forEach((text, at) => {
            log.add({ at, parts: [text] });
          });
          expect(log.count).toBe(texts.length);
          expect(log.list().length).toBeLessThanOrEqual(half * 2);
          expect(log.list().flatMap(({ parts }) => parts)).toEqual(texts);
        },
      ),
    );
  });
});
