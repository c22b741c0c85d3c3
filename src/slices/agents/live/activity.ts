import type { ActivityCount } from '../../../spine/journal/feed/activity-store.ts';

/** What is told apart over time: a number for each interval. */
export interface ActivitySeries {
  readonly events: number[];
  readonly allowed: number[];
  readonly asked: number[];
  readonly denied: number[];
  readonly packages: number[];
}

export interface ActivityItem<Key> extends ActivitySeries {
  readonly key: Key;
  readonly total: number;
  readonly lastMicros: number;
}

type Marked = Exclude<keyof ActivitySeries, 'events'>;

const MARKS: Readonly<Record<string, Marked>> = {
  'action.approved': 'allowed',
  'inbox.opened': 'asked',
  'action.denied': 'denied',
  'carp.refused': 'denied',
  'package.deposited': 'packages',
};

/** Adds counts up under a key, whoever was heard of last first. Counts whose key is undefined are left out. */
export function foldActivity<Key>(
  counts: readonly ActivityCount[],
  intervals: number,
  keyOf: (sessionId: string) => Key | undefined,
): ActivityItem<Key>[] {
  const found = new Map<Key, ActivitySeries & { total: number; lastMicros: number }>();
  for (const { bucket, sessionId, type, count, lastMicros } of counts) {
    const key = keyOf(sessionId);
    if (key === undefined || bucket < 0 || bucket >= intervals) continue;
    const item = found.get(key) ?? emptyItem(intervals);
    found.set(key, item);
    add(item.events, bucket, count);
    const mark = MARKS[type];
    if (mark) add(item[mark], bucket, count);
    item.total += count;
    item.lastMicros = Math.max(item.lastMicros, lastMicros);
  }
  return [...found].map(([key, item]) => ({ key, ...item })).sort((a, b) => b.lastMicros - a.lastMicros);
}

function emptyItem(intervals: number) {
  const none = () => Array<number>(intervals).fill(0);
  return {
    events: none(),
    allowed: none(),
    asked: none(),
    denied: none(),
    packages: none(),
    total: 0,
    lastMicros: 0,
  };
}

function add(series: number[], at: number, count: number): void {
  series[at] = (series[at] ?? 0) + count;
}
