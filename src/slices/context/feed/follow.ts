import type { Actor, Principal } from '../../../spine/identity/principal.ts';
import type { JournalEvent } from '../../../spine/journal/events/stored-event.ts';
import type { FeedQuery } from '../../../spine/journal/feed/feed.ts';
import { longPoll } from '../../../spine/journal/feed/feed.ts';
import { JsonText, type StreamItem } from '../../../spine/operations/handler.ts';
import { MOST_PAGE_BYTES } from '../../../spine/storage/fitting.ts';
import { requireReadableProject } from '../access.ts';
import { selectFact } from '../facts/store.ts';
import { factText } from '../facts/stored-fact.ts';
import { isVisibleTo, selectPackage } from '../packages/store.ts';
import { packageText } from '../packages/stored-package.ts';
import type { ContextDeps } from '../ports.ts';
import type { ChangesQuery, EventsQuery } from '../schema.ts';
import { type Change, changeOf, journalTypes } from './rules.ts';

export interface FollowRequest<Query> {
  readonly principal: Principal;
  readonly projectId: string;
  readonly query: Query;
  readonly signal: AbortSignal;
}

/** The changes of a project: live as a stream, or page by page as JSON text. */
export function createFollow({ db, feed }: Pick<ContextDeps, 'db' | 'feed'>) {
  async function feedQuery({ principal, projectId, query }: FollowRequest<EventsQuery>): Promise<FeedQuery> {
    await db.read((reader) => requireReadableProject(reader, principal, projectId));
    const types = journalTypes(query.types);
    const since = query.since ?? (query.from && (await feed.newest({ projectId, limit: 1 })).next);
    return {
      projectId,
      // If no type matches, nothing must match, not every event.
      types: types.length > 0 ? types : ['nothing.at_all'],
      ...(since !== undefined && { after: since }),
    };
  }

  async function bodyOf(change: Change, actor: Actor): Promise<string | undefined> {
    const { package_id, fact_id } = change.ids;
    return db.read(async (reader) => {
      if (package_id !== undefined) {
        const stored = await selectPackage(reader, change.project_id, package_id);
        return stored && isVisibleTo(stored, actor) ? packageText(stored) : undefined;
      }
      const fact = fact_id === undefined ? undefined : await selectFact(reader, change.project_id, fact_id);
      return fact && factText(fact);
    });
  }

  async function changeText(change: Change, actor: Actor, { include }: EventsQuery): Promise<string> {
    const text = JSON.stringify(change);
    const body = include === 'body' ? await bodyOf(change, actor) : undefined;
    return body === undefined ? text : `${text.slice(0, -1)},"body":${body}}`;
  }

  async function* streamed(
    events: AsyncIterable<JournalEvent>,
    { principal: { actor }, query }: FollowRequest<EventsQuery>,
  ): AsyncGenerator<StreamItem<never>> {
    for await (const event of events) {
      const change = changeOf(event, actor);
      if (!change) continue;
      const data = new JsonText(await changeText(change, actor, query));
      yield { id: String(change.seq), event: change.type, data };
    }
  }

  return {
    async stream(request: FollowRequest<EventsQuery>): Promise<AsyncIterable<StreamItem<never>>> {
      const query = await feedQuery(request);
      // Refuse a cursor that is too old before the stream begins, while a status can still be sent.
      await feed.page({ ...query, limit: 1 });
      return streamed(feed.follow({ ...query, signal: request.signal }), request);
    },

    async page(request: FollowRequest<ChangesQuery>): Promise<string> {
      const { principal, query, signal } = request;
      const { limit, wait: waitSeconds = 0 } = query;
      const paged = { ...(await feedQuery(request)), ...(limit !== undefined && { limit }) };
      const page = await longPoll(feed, { ...paged, waitSeconds, signal });
      const changes: string[] = [];
      let { next } = page;
      let left = MOST_PAGE_BYTES;
      for (const event of page.events) {
        const change = changeOf(event, principal.actor);
        if (!change) continue;
        const text = await changeText(change, principal.actor, query);
        changes.push(text);
        left -= text.length;
        if (left > 0) continue;
        next = event.projectSeq;
        break;
      }
      return `{"changes":[${changes.join(',')}],"next":${next}}`;
    },
  };
}
