import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueAt, isQuiet, isZone, localTime } from './due.ts';

const at = (text: string) => Date.parse(text) * 1000;
const shown = (micros: number) => new Date(micros / 1000).toISOString();
const time = fc
  .nat({ max: 24 * 60 - 1 })
  .map(
    (minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
  );
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Tokyo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
];
const zone = fc.constantFrom(...zones);
const moment = fc.integer({ min: at('2025-01-01T00:00:00Z') / 1e6, max: at('2028-01-01T00:00:00Z') / 1e6 });
const HOUR = 3_600e6;

describe('when something is told', () => {
  it.each([
    ['now', '2026-05-01T10:20:30.000Z'],
    ['hourly', '2026-05-01T11:00:00.000Z'],
    ['daily', '2026-05-02T06:00:00.000Z'],
  ] as const)('%s', (when, expected) => {
    const due = dueAt(when, at('2026-05-01T10:20:30Z'), { zone: 'Europe/Berlin', digestAt: '08:00' });
    expect(shown(due)).toBe(expected);
  });

  it('comes every day at the same local time, also when clocks change', () => {
    const daily = (from: string) =>
      shown(dueAt('daily', at(from), { zone: 'Europe/Berlin', digestAt: '08:00' }));
    expect(daily('2026-03-28T07:30:00Z')).toBe('2026-03-29T06:00:00.000Z');
    expect(daily('2026-10-24T06:30:00Z')).toBe('2026-10-25T07:00:00.000Z');
    // 02:30 does not exist on the day on which clocks go forward; it is told all the same.
    const skipped = dueAt('daily', at('2026-03-28T23:00:00Z'), { zone: 'Europe/Berlin', digestAt: '02:30' });
    expect(shown(skipped)).toMatch(/^2026-03-29T0[01]:30/);
  });

  it('is always ahead, and within a day and the hour by which clocks change', () => {
    fc.assert(
      fc.property(moment, zone, time, (seconds, name, digestAt) => {
        const now = seconds * 1e6;
        const due = dueAt('daily', now, { zone: name, digestAt });
        expect(due).toBeGreaterThan(now);
        expect(due - now).toBeLessThanOrEqual(25 * HOUR);
      }),
    );
  });
});

describe('quiet hours', () => {
  it.each([
    ['22:00', '07:00', '2026-05-01T21:30:00Z', true],
    ['22:00', '07:00', '2026-05-01T04:59:00Z', true],
    ['22:00', '07:00', '2026-05-01T05:00:00Z', false],
    ['12:00', '13:00', '2026-05-01T10:30:00Z', true],
    ['12:00', '13:00', '2026-05-01T11:00:00Z', false],
    ['09:00', '09:00', '2026-05-01T17:00:00Z', true],
  ])('from %s to %s in Berlin, at %s: %s', (from, to, now, quiet) => {
    expect(isQuiet(at(now), { from, to }, 'Europe/Berlin')).toBe(quiet);
  });

  it('are what local clocks say, in any zone', () => {
    fc.assert(
      fc.property(moment, zone, time, time, (seconds, name, from, to) => {
        const now = seconds * 1e6;
        const clock = localTime(now, name);
        const inside = from < to ? clock >= from && clock < to : clock >= from || clock < to;
        expect(isQuiet(now, { from, to }, name)).toBe(inside);
      }),
    );
  });

  it('are none where none are set', () => {
    expect(isQuiet(0, null, 'UTC')).toBe(false);
    expect([isZone('Europe/Berlin'), isZone('Mars/Olympus'), isZone('')]).toEqual([true, false, false]);
  });
});
