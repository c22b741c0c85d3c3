const UNITS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};

/** `30d`, `24h`, `1y`, `session_only`, `indefinite` and ISO 8601 (`P30D`, `PT24H`) as seconds; undefined if unreadable. */
export function durationSeconds(text: string): number | undefined {
  if (text === 'session_only') return 0;
  if (text === 'indefinite') return Number.POSITIVE_INFINITY;
  const short = /^(\d{1,6})\s*(s|m|h|d|w|y)$/.exec(text);
  if (short) return Number(short[1]) * (UNITS[short[2] as string] as number);
  const word = /^(\d{1,6})\s*(second|minute|hour|day|week|year)s?$/.exec(text);
  if (word) return Number(word[1]) * (UNITS[(word[2] as string).charAt(0)] as number);
  const iso = /^P(?:(\d+)Y)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  if (!iso || !/\d/.test(text)) return undefined;
  const [years = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = iso
    .slice(1)
    .map((part) => Number(part ?? 0));
  return years * 31_536_000 + weeks * 604_800 + days * 86_400 + hours * 3600 + minutes * 60 + seconds;
}
