import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../platform/testing.ts';
import { acknowledgmentFor, checkEnvelope, writeEnvelope } from './envelope.ts';
import { conceptFault, formatOf, newChannelId, readChannelId } from './rules.ts';

describe('a channel id', () => {
  it('is read whatever its case, and only from the signs that ids have', () => {
    const random = seededRandom(7);
    for (let i = 0; i < 500; i += 1) {
      const id = newChannelId(random);
      expect(readChannelId(` ${id.toLowerCase()} `)).toBe(id);
    }
    for (const bad of ['', 'AB12', 'IL45', 'AB4', 'AB456', '../../..'])
      expect(readChannelId(bad)).toBeUndefined();
  });
});

describe('a concept', () => {
  const state = (status: string, more = {}) => ({ concepts: [{ id: 'c', status, ...more }] });

  it.each([
    ['proposed', 'in_progress', true],
    ['in_progress', 'done', true],
    ['in_progress', 'abandoned', true],
    ['proposed', 'done', false],
    ['done', 'in_progress', false],
    ['proposed', 'nonsense', false],
    ['proposed', 'constructor', false],
    ['constructor', 'done', true],
  ])('goes from %s to %s: %s', (from, to, legal) => {
    expect(conceptFault(state(from), state(to)) === undefined).toBe(legal);
  });

  it('stays as it is once finished, and stays there', () => {
    expect(conceptFault(state('done', { result: 'a' }), state('done', { result: 'b' }))).toBeDefined();
    expect(conceptFault(state('done'), { concepts: [] })).toMatchObject({ concept: 'c' });
    expect(conceptFault(state('done'), state('done'))).toBeUndefined();
  });
});

describe('a request envelope', () => {
  const trust = { issuers: ['ann'], hosts: ['laptop'] };
  const base = {
    issuer: 'ann',
    role: 'worker',
    actionClass: 'delete',
    hostClass: 'laptop',
    destructive: true,
    body: 'two\nlines: here',
  };

  it('verifies as it was written', () => {
    expect(checkEnvelope(writeEnvelope(base), trust)).toMatchObject({
      verified: true,
      fields: { body: 'two\nlines: here' },
    });
    expect(
      checkEnvelope(writeEnvelope({ ...base, destructive: false, sessionId: 's' }), trust).verified,
    ).toBe(true);
  });

  it.each([
    ['another issuer', writeEnvelope({ ...base, issuer: 'eve' }), /issuer/],
    ['another host', writeEnvelope({ ...base, hostClass: 'moon' }), /host/],
    ['a role that is none', writeEnvelope({ ...base, role: 'agent-7' }), /role/],
    [
      'an acknowledgment that is not exact',
      writeEnvelope(base).replace('cannot be undone', 'is fine'),
      /acknowledgment/,
    ],
    ['an unknown field', `${writeEnvelope(base)}extra: 1\n`, /extra/],
    ['another version', writeEnvelope(base).replace('v0.4', 'v9'), /version/],
    ['a field twice', `issuer: bob\n${writeEnvelope(base)}`, /parse/],
    ['nonsense', '[1, 2]', /parse/],
  ])('does not with %s', (_, text, reason) => {
    const check = checkEnvelope(text, trust);
    expect(check.verified).toBe(false);
    expect(check.reason).toMatch(reason);
  });

  it('acknowledges by naming what and where', () => {
    expect(acknowledgmentFor('delete', 'laptop')).toContain('delete on laptop');
  });
});

describe('the form of a page', () => {
  it.each([
    ['yml', 'text/markdown', 'yaml'],
    ['md', null, 'markdown'],
    [null, 'text/markdown', 'markdown'],
    ['odd', null, 'json'],
    [null, '*/*', 'json'],
  ] as const)('for format %s and Accept %s is %s', (query, accept, format) => {
    expect(formatOf(query, accept)).toBe(format);
  });
});
