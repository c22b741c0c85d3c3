import { describe, expect, it } from 'vitest';
import { readSignatureHeader, requireFresh } from './rules.ts';

const fields = {
  did: 'did:a2p:agent:local:coach',
  sig: 'c2ln',
  ts: '2026-03-01T09:00:00Z',
  nonce: 'abcdefgh12345678',
};
const headerOf = (changes: Readonly<Record<string, string | undefined>> = {}) =>
  `A2P-Signature ${Object.entries({ ...fields, ...changes })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}`;
const refusing = (code: string) => expect.objectContaining({ code });

describe('the header of a signed request', () => {
  it('is read whole', () => {
    expect(readSignatureHeader(headerOf())).toEqual({
      did: fields.did,
      signature: fields.sig,
      timestamp: fields.ts,
      nonce: fields.nonce,
      holds: 300,
    });
  });

  it.each(['did', 'sig', 'ts'])('is refused without its %s', (name) => {
    expect(() => readSignatureHeader(headerOf({ [name]: undefined }))).toThrow(refusing('A2P001'));
  });

  it.each([undefined, 'short', 'x'.repeat(33), 'abcdefgh-1234567'])(
    'is refused with the nonce %s',
    (nonce) => {
      expect(() => readSignatureHeader(headerOf({ nonce }))).toThrow(refusing('A2P009'));
    },
  );

  it.each([
    ['60', 60],
    ['0', 300],
    ['-5', 1],
    ['9999', 300],
    ['soon', 300],
  ])('with an expiry of %s holds for %d seconds', (exp, holds) => {
    expect(readSignatureHeader(headerOf({ exp })).holds).toBe(holds);
  });
});

describe('a signed request', () => {
  const now = 1_772_355_600_000_000;
  const signed = (timestamp: string, holds = 300) => ({
    ...readSignatureHeader(headerOf()),
    timestamp,
    holds,
  });
  const at = (seconds: number) => String(now / 1_000_000 + seconds);

  it.each([0, -300, 300])('is fresh %d seconds from now', (seconds) => {
    expect(() => requireFresh(signed(at(seconds)), now)).not.toThrow();
    expect(() => requireFresh(signed(`${at(seconds)}000`), now)).not.toThrow();
  });

  it.each([-301, 301])('is not fresh %d seconds from now', (seconds) => {
    expect(() => requireFresh(signed(at(seconds)), now)).toThrow(refusing('A2P007'));
  });

  it('is not fresh after its own expiry, or with a time that nobody can read', () => {
    expect(() => requireFresh(signed(at(-61), 60), now)).toThrow(refusing('A2P007'));
    expect(() => requireFresh(signed('yesterday'), now)).toThrow(refusing('A2P007'));
  });
});
