import fc from 'fast-check';
import { expect, it } from 'vitest';
import { localDid, parseDid } from './did.ts';

it('keeps the spelling of a name that a DID can carry', () => {
  expect(localDid('agent', 'claude-code_2.1')).toBe('did:a2p:agent:local:claude-code_2.1');
});

it('gives a name that a DID cannot carry one of its own', () => {
  const dids = ['a-b', 'a@b', 'a/b', 'a+b', 'ä-b', `${'a'.repeat(130)}1`, `${'a'.repeat(130)}2`].map((name) =>
    localDid('agent', name),
  );
  expect(new Set(dids).size).toBe(dids.length);
  expect(dids.every((did) => parseDid(did) !== undefined)).toBe(true);
  expect(localDid('agent', 'a@b')).toMatch(/^did:a2p:agent:local:a-b\.id-[0-9a-f]{32}$/);
});

it('lets nobody be named after the DID of another name', () => {
  const [, taken] = /local:(.*)$/.exec(localDid('agent', 'a@b')) ?? [];
  expect(localDid('agent', taken ?? '')).not.toBe(localDid('agent', 'a@b'));
});

it('tells any two names apart', () => {
  const name = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '-', '@', '.', '/', 'ß'), maxLength: 6 }),
    fc.string(),
  );
  fc.assert(
    fc.property(name, name, (one, other) => {
      fc.pre(one !== other);
      expect(localDid('user', one)).not.toBe(localDid('user', other));
    }),
  );
});
