/**
 * The last instant of a day where this browser is, in UTC: what was true "on" a day is what held when it ended. Today has
 * not ended, so it means now.
 */
export function endOfDay(day: string, now: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const next = new Date(year, month - 1, date + 1);
  const start = new Date(year, month - 1, date);
  const end = next.getTime() - 1;
  if (Number.isNaN(end)) return day;
  return new Date(start.getTime() <= now && now <= end ? now : end).toISOString();
}
