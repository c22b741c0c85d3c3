import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../../kernel/instant.ts';
import { dueSchedules } from './schedules.ts';

const at = (text: string) => parseInstant(`2026-03-01T${text}:00Z`)?.micros ?? 0;
const due = (schedule: object, now: string, last?: string) =>
  dueSchedules(
    { schedules: { s: { goal: 'g', ...schedule } } },
    new Map(last === undefined ? [] : [['s', at(last)]]),
    at(now),
  ).length === 1;

describe('a schedule', () => {
  it('is due once a day at its time', () => {
    const nightly = { at: '02:00' };
    expect(due(nightly, '01:59', '01:00')).toBe(false);
    expect(due(nightly, '02:00', '01:00')).toBe(true);
    expect(due(nightly, '03:00', '02:00')).toBe(false);
    // Yesterday's was missed.
    expect(due(nightly, '01:00')).toBe(true);
  });

  it('is due again after its interval, and at once the first time', () => {
    const hourly = { every_minutes: 60 };
    expect(due(hourly, '02:00')).toBe(true);
    expect(due(hourly, '02:59', '02:00')).toBe(false);
    expect(due(hourly, '03:00', '02:00')).toBe(true);
  });

  it('is not due while it is switched off', () => {
    expect(due({ at: '02:00', enabled: false }, '02:00')).toBe(false);
  });
});
