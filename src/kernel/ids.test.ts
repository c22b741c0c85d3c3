import { describe, expect, it } from 'vitest';
import { fakeClock, seededRandom } from '../platform/testing.ts';
import { isUuidShaped, prefixedId, uuidV7Source } from './ids.ts';

describe('UUIDs of version 7', () => {
  it('carry the millisecond, the version and the variant', () => {
    const next = uuidV7Source(fakeClock('2024-12-28T12:00:00.123456Z'), seededRandom(1));
    const id = next();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(Date.UTC(2024, 11, 28, 12, 0, 0, 123));
  });

  it('rise within a millisecond, past the counter, and while the clock steps back', () => {
    const clock = fakeClock();
    const next = uuidV7Source(clock, seededRandom(2));
    const ids = Array.from({ length: 10_000 }, next);
    clock.advance({ seconds: -5 });
    ids.push(...Array.from({ length: 100 }, next));
    clock.advance({ seconds: 6 });
    ids.push(...Array.from({ length: 100 }, next));
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it('differ between sources of the same time', () => {
    const clock = fakeClock();
    expect(uuidV7Source(clock, seededRandom(1))()).not.toBe(uuidV7Source(clock, seededRandom(2))());
  });
});

it('makes prefixed ids of 32 hex digits', () => {
  expect(prefixedId('pkg', seededRandom(3))).toMatch(/^pkg_[0-9a-f]{32}$/);
});

it.each([
  ['00000000-0000-0000-0000-000000000100', true],
  ['01938E3A-5c00-7000-8000-000000000100', true],
  ['01938e3a5c0070008000000000000100', false],
  ['01938e3a-5c00-7000-8000-00000000010', false],
  ['01938e3a-5c00-7000-8000-000000000100\n', false],
  ['g1938e3a-5c00-7000-8000-000000000100', false],
])('judges the shape of %j', (text, shaped) => {
  expect(isUuidShaped(text)).toBe(shaped);
});
