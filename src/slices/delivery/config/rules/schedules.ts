import { isNonBlank, isRecord, isString, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { isWhole, type Report } from '../../findings.ts';
import { isPositive } from './limits.ts';

export const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** What runs by itself, and within which limits. */
export function checkSchedules({ schedules, unattended }: LooseRecord, report: Report) {
  if (schedules !== undefined && !isRecord(schedules))
    return report('schedules', 'schedules is not an object.', 'Map each name to a schedule.');
  for (const [name, schedule] of Object.entries(schedules ?? {}))
    checkSchedule(`schedules.${name}`, schedule, report);
  if (unattended === undefined) return;
  if (!isRecord(unattended))
    return report('unattended', 'unattended is not an object.', 'Write it as an object.');
  if (unattended.max_runs !== undefined && !isWhole(unattended.max_runs, 1))
    report('unattended.max_runs', 'max_runs is not a whole number above 0.', 'Use 1 or more.');
  if (unattended.max_usd !== undefined && !isPositive(unattended.max_usd))
    report('unattended.max_usd', 'max_usd is not an amount above zero.', 'Use US dollars above zero.');
  if (unattended.checkpoint !== undefined && typeof unattended.checkpoint !== 'boolean')
    report('unattended.checkpoint', 'checkpoint is not a boolean.', 'Use true or false.');
}

function checkSchedule(at: string, schedule: unknown, report: Report) {
  if (!isRecord(schedule)) return report(at, `${at} is not an object.`, 'Write it as an object.');
  const { at: time, every_minutes: every, goal, enabled } = schedule;
  if ((time === undefined) === (every === undefined))
    report(at, 'A schedule has either at or every_minutes.', 'Write one of them.');
  if (time !== undefined && !(isString(time) && TIME_OF_DAY.test(time)))
    report(`${at}.at`, 'at is not a time of day.', 'Write HH:MM, in UTC.');
  if (every !== undefined && !(isPositive(every) && every >= 1))
    report(`${at}.every_minutes`, 'every_minutes is not at least 1.', 'Use minutes.');
  if (!isNonBlank(goal)) report(`${at}.goal`, 'The schedule has no goal.', 'Say what its runs are for.');
  if (enabled !== undefined && typeof enabled !== 'boolean')
    report(`${at}.enabled`, 'enabled is not a boolean.', 'Use true or false.');
}
