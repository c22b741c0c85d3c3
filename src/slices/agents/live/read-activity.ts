import type { z } from 'zod';
import { formatMillis } from '../../../kernel/instant.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import { selectSession } from '../../../spine/identity/sessions/session-store.ts';
import { selectActivity } from '../../../spine/journal/feed/activity-store.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { type ActivityItem, foldActivity } from './activity.ts';
import type { activityQuery, activitySchema } from './schema.ts';

const HOUR_MICROS = 3600 * 1_000_000;
/** Counting them takes some tens of milliseconds, which a page may ask for every few seconds. */
const MOST_EVENTS = 20_000;

type Item = z.infer<typeof activitySchema>['items'][number];

export async function activityOf(
  reader: Reader,
  now: number,
  projectId: string,
  { by = 'session', hours = 3, intervals = 36, limit = 50 }: z.infer<typeof activityQuery>,
): Promise<z.infer<typeof activitySchema>> {
  const bucketMicros = Math.ceil((hours * HOUR_MICROS) / intervals);
  const fromMicros = now - bucketMicros * intervals + 1;
  const window = { projectId, fromMicros, bucketMicros, newest: MOST_EVENTS };
  const { counts, complete } = await selectActivity(reader, window);
  const sessions = new Map<string, Session>();
  for (const id of new Set(counts.map(({ sessionId }) => sessionId))) {
    const session = await selectSession(reader, id);
    if (session) sessions.set(id, session);
  }
  const keyOf =
    by === 'session'
      ? (id: string) => (sessions.has(id) ? id : undefined)
      : (id: string) => actorKey(sessions.get(id));
  const items = foldActivity(counts, intervals, keyOf);
  return {
    from: formatMillis(fromMicros),
    to: formatMillis(now),
    interval_seconds: bucketMicros / 1_000_000,
    items: items
      .slice(0, limit)
      .map((item) => shownItem(item, by === 'session' ? sessions.get(item.key) : undefined)),
    more: items.length > limit,
    complete,
  };
}

/** An agent that works in a session of somebody else's credential is the one who works. */
function workerOf({ actor, agentId }: Session): Pick<Item, 'actor_id' | 'actor_type'> {
  return agentId === null
    ? { actor_id: actor.id, actor_type: actor.type }
    : { actor_id: agentId, actor_type: 'agent' };
}

function actorKey(session: Session | undefined): string | undefined {
  if (!session) return undefined;
  const { actor_id, actor_type } = workerOf(session);
  return JSON.stringify([actor_type, actor_id]);
}

function shownItem({ key, lastMicros, ...series }: ActivityItem<string>, session: Session | undefined): Item {
  const [type, id] = session ? [] : (JSON.parse(key) as [Item['actor_type'], string]);
  return {
    ...(session ? workerOf(session) : { actor_id: id ?? '', actor_type: type ?? 'agent' }),
    session_id: session?.sessionId ?? null,
    callsign: session?.callsign ?? null,
    goal: session?.goal ?? null,
    active: session ? session.status === 'active' : true,
    last_at: formatMillis(lastMicros),
    ...series,
  };
}
