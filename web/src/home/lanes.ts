import type { InboxItem } from '../inbox/queries.ts';
import type { ActivityItem, Live } from './queries.ts';

export type LaneState = 'working' | 'waits' | 'quiet' | 'ended';

export interface Lane {
  readonly item: ActivityItem;
  readonly state: LaneState;
  /** What it does or waits for, as far as is known. */
  readonly what: string;
  readonly client: string | undefined;
  /** The last sign of life, in milliseconds since 1970. */
  readonly lastAt: number;
  /** Since when it waits for a person, in milliseconds since 1970. */
  readonly waitsSince: number | undefined;
}

const QUIET_AFTER_MS = 10 * 60_000;
const SAME_MOMENT_MS = 90_000;
/** A client says nothing while it waits for its person; after this long nobody counts on it. */
export const LIVE_MS = 30 * 60_000;

/** Who is at work, whoever was heard of last first. People are no lanes: they decide. */
export function lanesOf(
  items: readonly ActivityItem[],
  live: Live['sessions'],
  waiting: readonly InboxItem[],
  now: number,
): Lane[] {
  const workers = items.filter(({ actor_type, session_id }) => actor_type !== 'human' && session_id !== null);
  const named = new Set(workers.filter(isNamed).map(({ actor_id }) => actor_id));
  const own = workers.filter(
    (item) => isNamed(item) || (item.actor_type === 'agent' && !named.has(item.actor_id)),
  );
  const asks = askers(own, waiting);
  return own.map((item) => {
    const captured = live.find(({ session_id }) => session_id === item.session_id);
    const lastAt = Math.max(Date.parse(item.last_at), captured ? Date.parse(captured.last_seen_at) : 0);
    const asked = waiting.filter((one) => asks.get(one) === item);
    const askedLast = asked.toSorted((a, b) => b.opened_at.localeCompare(a.opened_at))[0];
    const askedAt = askedLast ? Date.parse(askedLast.opened_at) : Number.NaN;
    // Whoever went on after asking does not stand still, and what was asked long after it was asked elsewhere.
    const waitsSince = Math.abs(askedAt - lastAt) <= SAME_MOMENT_MS ? askedAt : undefined;
    const state: LaneState = !item.active
      ? 'ended'
      : waitsSince !== undefined
        ? 'waits'
        : now - lastAt > QUIET_AFTER_MS
          ? 'quiet'
          : 'working';
    return {
      item,
      state,
      what: state === 'waits' && askedLast ? askedLast.title : (captured?.files[0] ?? item.goal ?? ''),
      client: captured?.client,
      lastAt,
      waitsSince,
    };
  });
}

/** Which session asked: of those of an agent, the one that was heard of nearest to when it was asked. */
function askers(
  workers: readonly ActivityItem[],
  waiting: readonly InboxItem[],
): ReadonlyMap<InboxItem, ActivityItem> {
  const asks = new Map<InboxItem, ActivityItem>();
  for (const item of waiting) {
    const apart = (worker: ActivityItem) => Math.abs(Date.parse(worker.last_at) - Date.parse(item.opened_at));
    const [nearest] = workers
      .filter(({ actor_id }) => actor_id === item.requested_for.id)
      .sort((a, b) => apart(a) - apart(b));
    if (nearest) asks.set(item, nearest);
  }
  return asks;
}

/** What was done outside any session is shown only of agents who opened none: scripts, and the server itself, only keep house. */
const isNamed = ({ goal, callsign }: ActivityItem) => goal !== null || callsign !== null;

/** How many different agents gave a sign of life lately in a session that goes on. */
export function liveAgents(lanes: readonly Lane[], now: number): number {
  const names = lanes
    .filter(({ item, lastAt }) => item.active && now - lastAt <= LIVE_MS)
    .map(({ item }) => item.actor_id);
  return new Set(names).size;
}
