import { expect, it } from 'vitest';
import { parseInstant } from '../../../kernel/instant.ts';
import { ed25519ToMultibase } from './multibase.ts';
import { firstKey, isLive, liveKeys, revokeKey, rotateKey } from './rules.ts';

const NOW = parseInstant('2026-03-04T12:00:00Z')!.micros;
const HOUR = 3_600_000_000;
const key = (byte: number) => ed25519ToMultibase(new Uint8Array(32).fill(byte));
const ring = [firstKey(key(1), '2026-01-01T00:00:00Z')];
const idsAt = (keys: Parameters<typeof liveKeys>[0], now: number) => liveKeys(keys, now).map(({ id }) => id);

it('after a rotation both keys hold until the overlap ends, then the new one alone', () => {
  const rotated = rotateKey(ring, key(2), { now: NOW, overlapSeconds: 3600 });
  expect(idsAt(rotated, NOW)).toEqual(['key-1', 'key-2']);
  expect(idsAt(rotated, NOW + HOUR)).toEqual(['key-2']);
});

it('without an overlap the old key ends at once', () => {
  expect(idsAt(rotateKey(ring, key(2), { now: NOW, overlapSeconds: 0 }), NOW)).toEqual(['key-2']);
});

it('a rotation never gives an ending key more time', () => {
  const once = rotateKey(ring, key(2), { now: NOW, overlapSeconds: 60 });
  const twice = rotateKey(once, key(3), { now: NOW, overlapSeconds: 3600 });
  expect(idsAt(twice, NOW + 60_000_000)).toEqual(['key-2', 'key-3']);
});

it('a revoked key is dead and does not come back, not even as a new one', () => {
  const revoked = revokeKey(ring, 'key-1', NOW);
  expect(idsAt(revoked, NOW)).toEqual([]);
  expect(() => revokeKey(revoked, 'key-1', NOW)).toThrow(expect.objectContaining({ code: 'A2P003' }));
  expect(() => rotateKey(revoked, key(1), { now: NOW, overlapSeconds: 0 })).toThrow(
    expect.objectContaining({ code: 'A2P006' }),
  );
  expect(idsAt(rotateKey(revoked, key(2), { now: NOW, overlapSeconds: 0 }), NOW)).toEqual(['key-2']);
});

it('a key with an end that cannot be read, or of another kind, signs nothing', () => {
  expect(isLive({ ...ring[0]!, expires: 'soon' }, NOW)).toBe(false);
  expect(isLive({ ...ring[0]!, type: 'P-256' }, NOW)).toBe(false);
});
