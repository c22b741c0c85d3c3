import type { Actor, Principal } from '../../../spine/identity/principal.ts';
import type { JournalEvent } from '../../../spine/journal/events/stored-event.ts';
import { type Feed, type FeedQuery, longPoll } from '../../../spine/journal/feed/feed.ts';
import { type Handlers, JsonText, type StreamItem } from '../../../spine/operations/handler.ts';
import type { Database } from '../../../spine/storage/database.ts';
import { jsonAnswer } from '../answer.ts';
import { selectFact } from '../facts/fact-store.ts';
import { factText } from '../facts/stored-fact.ts';
import { requireReadableProject } from '../packages/find-package.ts';
import { isVisibleTo, selectPackage } from '../packages/package-store.ts';
import { packageText } from '../packages/stored-package.ts';
import { type Change, changeOf, journalTypes } from './change.ts';
import type { feedOperations } from './operations.ts';

interface Cursor {
  readonly types?: readonly string[] | undefined;
  readonly since?: number | undefined;
  readonly from?: 'now' | undefined;
}

export function createFeedHandlers({
  db,
  feed,
}: {
  readonly db: Database;
  readonly feed: Feed;
}): Handlers<typeof feedOperations> {
  async function queryFor(principal: Principal, projectId: string, cursor: Cursor): Promise<FeedQuery> {
    await db.read((reader) => requireReadableProject(reader, principal, projectId));
    const types = journalTypes(cursor.types);
    const since = cursor.since ?? (cursor.from && (await feed.newest({ projectId, limit: 1 })).next);
    return {
      projectId,
      // A wish that nothing fits must not mean every event.
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

  async function changeText(event: JournalEvent, actor: Actor, body: boolean): Promise<Shown | undefined> {
    const change = changeOf(event, actor);
    if (!change) return undefined;
    const text = JSON.stringify(change);
    const included = body ? await bodyOf(change, actor) : undefined;
    return {
      change,
      text: included === undefined ? text : `${text.slice(0, -1)},"body":${included}}`,
    };
  }

  interface Shown {
    readonly change: Change;
    readonly text: string;
  }

  async function* streamed(
    events: AsyncIterable<JournalEvent>,
    actor: Actor,
    body: boolean,
  ): AsyncGenerator<StreamItem<never>> {
    for await (const event of events) {
      const shown = await changeText(event, actor, body);
      if (!shown) continue;
      yield { id: String(shown.change.seq), event: shown.change.type, data: new JsonText(shown.text) };
    }
  }

  return {
    'context.events': async ({ input, principal, signal }) => {
      const since = input.headers['last-event-id'] ?? input.query.since;
      const query = await queryFor(principal, input.path.project_id, { ...input.query, since });
      // A cursor that is too old is refused before the stream begins, where a status can still say so.
      await feed.page({ ...query, limit: 1 });
      return streamed(feed.follow({ ...query, signal }), principal.actor, input.query.include === 'body');
    },

    'context.changes': async ({ input, principal, signal }) => {
      const { limit, wait = 0, include } = input.query;
      const query = await queryFor(principal, input.path.project_id, input.query);
      const page = await longPoll(feed, {
        ...query,
        ...(limit !== undefined && { limit }),
        waitSeconds: wait,
        signal,
      });
      const changes: string[] = [];
      for (const event of page.events) {
        const shown = await changeText(event, principal.actor, include === 'body');
        if (shown) changes.push(shown.text);
      }
      return jsonAnswer(`{"changes":[${changes.join(',')}],"next":${page.next}}`);
    },
  };
}
