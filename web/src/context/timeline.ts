import type { Fact } from './queries.ts';

export interface Interval {
  readonly fact: Fact;
  /** Shares of the whole time that is shown. */
  readonly from: number;
  readonly to: number;
  /** Until where it was true already, but not yet written: agents believed what was before. */
  readonly written: number;
}

export interface Timeline {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly lanes: readonly { readonly predicate: string; readonly intervals: readonly Interval[] }[];
}

/** Later than this is not late, but the time that writing takes. */
const AT_ONCE_MS = 1_000;

export const DAY_MS = 86_400_000;

/** How far back the first value goes, in days. */
export function daysOf(facts: readonly Fact[], now: number): number {
  return (now - Math.min(now, ...facts.map(({ valid_from }) => Date.parse(valid_from)))) / DAY_MS;
}

/**
 * The values of one subject as intervals, a lane for each predicate, from the first of them until now; of so many days
 * where they are given.
 */
export function timelineOf(facts: readonly Fact[], now: number, days?: number): Timeline {
  const all = Math.min(now - 60_000, ...facts.map(({ valid_from }) => Date.parse(valid_from)));
  const first = days === undefined ? all : Math.max(all, now - days * DAY_MS);
  const end = now;
  // A little air before the first, so that its beginning is seen.
  const start = first - (end - first) * 0.03;
  const share = (at: number) => Math.min(1, Math.max(0, (at - start) / (end - start)));
  const lanes = new Map<string, Interval[]>();
  for (const fact of facts) {
    const from = Date.parse(fact.valid_from);
    const to = fact.valid_to ? Date.parse(fact.valid_to) : end;
    if (to < start) continue;
    const written = Date.parse(fact.created_at);
    const late = written - from > AT_ONCE_MS;
    const lane = lanes.get(fact.predicate) ?? [];
    lanes.set(fact.predicate, lane);
    lane.push({
      fact,
      from: share(from),
      to: share(to),
      written: late ? Math.min(share(to), share(written)) : share(from),
    });
  }
  return {
    start,
    end,
    lanes: [...lanes]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([predicate, intervals]) => ({
        predicate,
        intervals: intervals.toSorted((a, b) => a.from - b.from),
      })),
  };
}
