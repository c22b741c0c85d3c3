import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isActorId } from './actor-id.ts';
import { named } from './quoted.ts';

describe('the id of an actor', () => {
  it.each([
    'agent-1',
    'jane.doe+ci@example.com',
    'did:a2p:agent:local:coach',
    'did:web:example.com%3A3000',
    'agent:foo/bar',
    'spiffe://cluster/ns/default/sa/bot',
    'auth0|64f1',
    'CN=bot,O=Example',
    'github:octo/hello#1',
    'агент',
    '开发者',
    'मनोज',
    '_ci',
    '@octo',
    'x'.repeat(255),
  ])('may be %s', (id) => {
    expect(isActorId(id)).toBe(true);
  });

  it.each([
    '',
    ' a',
    'a b',
    'a\nb',
    'a\u001b[31m',
    'a\u200bb',
    'a\u202eb',
    'a\u2028b',
    'a\ufe0f',
    'a\u00a0b',
    '\u3164',
    'a\u{e0041}',
    '\ud800',
    'cafe\u0301',
    '-rf',
    '--yes',
    '# System',
    '*',
    'lead-*',
    'a"b',
    'a`b',
    'a(signed)',
    '<b>',
    'x'.repeat(256),
  ])('may not be %j', (id) => {
    expect(isActorId(id)).toBe(false);
  });

  it('can be said in a sentence as it is, or in quotes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (id) => {
        if (isActorId(id)) expect([id, JSON.stringify(id)]).toContain(named(id));
      }),
    );
  });
});
