import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ed25519, nodeHasher, nodeRandom, systemClock } from './index.ts';
import { anchoredClock } from './system-clock.ts';
import { fakeClock, seededRandom } from './testing.ts';

describe("Node's hasher", () => {
  it('hashes text as UTF-8 and bytes as they are', () => {
    const expected = createHash('sha256').update('é😀').digest();
    expect(nodeHasher.hex('é😀')).toBe(expected.toString('hex'));
    expect(Buffer.from(nodeHasher.bytes(Buffer.from('é😀'))).equals(expected)).toBe(true);
  });
});

describe("Node's randomness", () => {
  it('gives as many bytes as asked, never the same twice', () => {
    expect([0, 1, 16, 256, 257, 10_000].map((count) => nodeRandom.bytes(count).length)).toEqual([
      0, 1, 16, 256, 257, 10_000,
    ]);
    const seen = new Set(
      Array.from({ length: 2000 }, () => Buffer.from(nodeRandom.bytes(16)).toString('hex')),
    );
    expect(seen.size).toBe(2000);
  });

  it('hands out bytes of its own: changing them changes no others', () => {
    const first = nodeRandom.bytes(8);
    const second = Uint8Array.from(nodeRandom.bytes(8));
    first.fill(0);
    expect(first.buffer.byteLength).toBe(8);
    expect(second).toHaveLength(8);
  });
});

describe('the clock', () => {
  function parts(wallMillis = 1_000_000, ticks = 0) {
    return { wall: wallMillis, ticks };
  }
  const clockOf = (time: ReturnType<typeof parts>) =>
    anchoredClock(
      () => time.wall,
      () => time.ticks,
    );

  it('counts microseconds between the milliseconds of the wall clock', () => {
    const time = parts();
    const clock = clockOf(time);
    expect(clock.now()).toBe(1_000_000_000);
    time.ticks += 0.0015;
    expect(clock.now()).toBe(1_000_000_001);
    time.ticks += 0.7;
    expect(clock.now()).toBe(1_000_000_701);
  });

  it('follows the wall clock forward after sleep', () => {
    const time = parts();
    const clock = clockOf(time);
    clock.now();
    time.wall += 3_600_000;
    expect(clock.now()).toBe(4_600_000_000);
    time.ticks += 0.002;
    expect(clock.now()).toBe(4_600_000_002);
  });

  it('waits instead of going back', () => {
    const time = parts();
    const clock = clockOf(time);
    time.ticks += 0.01;
    expect(clock.now()).toBe(1_000_000_010);
    time.wall -= 60_000;
    expect(clock.now()).toBe(1_000_000_010);
    time.wall += 60_001;
    time.ticks += 60_001;
    expect(clock.now()).toBeGreaterThan(1_000_000_010);
  });

  it('of the system is whole microseconds near the wall time', () => {
    const now = systemClock.now();
    expect(Number.isInteger(now)).toBe(true);
    expect(Math.abs(now / 1000 - Date.now())).toBeLessThan(5000);
    expect(systemClock.now()).toBeGreaterThanOrEqual(now);
  });
});

describe('Ed25519', () => {
  it('signs and verifies with raw keys', () => {
    const { seed, publicKey } = ed25519.generate();
    expect([seed.length, publicKey.length]).toEqual([32, 32]);
    expect(ed25519.publicKeyRaw(seed)).toEqual(publicKey);
    const message = new TextEncoder().encode('message');
    const signature = ed25519.sign(seed, message);
    expect(signature).toHaveLength(64);
    expect(ed25519.verify(publicKey, message, signature)).toBe(true);
    expect(ed25519.verify(publicKey, new TextEncoder().encode('massage'), signature)).toBe(false);
    expect(ed25519.verify(ed25519.generate().publicKey, message, signature)).toBe(false);
  });

  it('gives the first published signature of RFC 8032', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    expect(Buffer.from(ed25519.publicKeyRaw(seed)).toString('hex')).toBe(
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    );
    expect(Buffer.from(ed25519.sign(seed, new Uint8Array(0))).toString('hex')).toBe(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    );
  });

  it('refuses keys and signatures of the wrong size', () => {
    const { seed, publicKey } = ed25519.generate();
    const signature = ed25519.sign(seed, new Uint8Array(0));
    expect(ed25519.verify(publicKey.subarray(1), new Uint8Array(0), signature)).toBe(false);
    expect(ed25519.verify(publicKey, new Uint8Array(0), signature.subarray(1))).toBe(false);
    expect(() => ed25519.sign(seed.subarray(1), new Uint8Array(0))).toThrow(RangeError);
  });
});

describe('what tests use', () => {
  it('is a clock that stands still and bytes that repeat', () => {
    const clock = fakeClock('2026-01-01T00:00:00Z');
    expect(clock.now()).toBe(Date.UTC(2026, 0, 1) * 1000);
    clock.advance({ seconds: 1, millis: 2, micros: 3 });
    expect(clock.now()).toBe(Date.UTC(2026, 0, 1) * 1000 + 1_002_003);
    expect(seededRandom(1).bytes(32)).toEqual(seededRandom(1).bytes(32));
    expect(seededRandom(1).bytes(32)).not.toEqual(seededRandom(2).bytes(32));
    expect(new Set(seededRandom(1).bytes(4096)).size).toBe(256);
  });
});
