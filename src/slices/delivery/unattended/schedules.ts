import type { Micros } from '../../../kernel/clock.ts';
import { asRecord, isString, type LooseRecord } from '../../../kernel/json/loose.ts';
import { TIME_OF_DAY } from '../config/rules/schedules.ts';

export interface Schedule {
  readonly name: string;
  readonly goal: string;
  /** Its last start that was due by now. */
  readonly dueAt: Micros;
}

const MINUTE = 60_000_000;
const DAY = 24 * 60 * MINUTE;

/** The schedules that are due: whose last moment has passed since they last started. The longest overdue comes first. */
export function dueSchedules(
  rawConfig: unknown,
  startedAt: ReadonlyMap<string, Micros>,
  now: Micros,
): readonly Schedule[] {
  return Object.entries(asRecord(asRecord(rawConfig).schedules))
    .flatMap(([name, raw]) => {
      const schedule = asRecord(raw);
      const { goal } = schedule;
      if (schedule.enabled === false || !isString(goal)) return [];
      const last = startedAt.get(name);
      const dueAt = lastMoment(schedule, last, now);
      return dueAt !== undefined && (last === undefined || last < dueAt) ? [{ name, goal, dueAt }] : [];
    })
    .sort((a, b) => a.dueAt - b.dueAt);
}

/** Once a day at a time, or so long after the last start; the first start of an interval is due at once. */
function lastMoment(schedule: LooseRecord, last: Micros | undefined, now: Micros): Micros | undefined {
  if (typeof schedule.every_minutes === 'number') {
    if (last === undefined) return now;
    const due = last + schedule.every_minutes * MINUTE;
    return due <= now ? due : undefined;
  }
  const [, hours, minutes] = TIME_OF_DAY.exec(String(schedule.at)) ?? [];
  if (hours === undefined) return undefined;
  const today = now - (now % DAY) + (Number(hours) * 60 + Number(minutes)) * MINUTE;
  return today <= now ? today : today - DAY;
}
