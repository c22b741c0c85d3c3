import { selectActorIds } from '../identity/sessions/session-store.ts';
import type { JournalEvent } from '../journal/events/stored-event.ts';
import type { Feed } from '../journal/feed/feed.ts';
import type { Provenance } from '../journal/provenance.ts';
import type { Database } from '../storage/database.ts';
import { hasUnindexed, indexCauses } from './cause-store.ts';
import { insertAccounts, type NewAccount, readCursor } from './store.ts';

const PAGE = 500;

export interface Follower {
  /** Reads new events from the journal: at most `pages` pages, or all of them. */
  catchUp(pages?: number): Promise<void>;
}

/** Turns events into accounts, each once. Events stay explained after retention drops their payload. */
export function createFollower(db: Database, feed: Feed, provenances: readonly Provenance[]): Follower {
  async function nextPage(): Promise<boolean> {
    const cursor = await db.read(readCursor);
    const after = Math.max(cursor, (await feed.oldest()) - 1);
    const { events, next } = await feed.page({ after, limit: PAGE });
    if (events.length === 0) return false;
    const sessionIds = [...new Set(events.map(({ sessionId }) => sessionId))];
    const actors = await db.read((reader) => selectActorIds(reader, sessionIds));
    const accounts = events.flatMap((event) => accountOf(event, actors.get(event.sessionId) ?? ''));
    await db.write((uow) => insertAccounts(uow, accounts, next), { apart: true });
    return events.length === PAGE;
  }

  async function nextCauses(): Promise<boolean> {
    // Looked at before writing, so that an idle server writes nothing.
    if (!(await db.read(hasUnindexed))) return false;
    return db.write((uow) => indexCauses(uow, PAGE), { apart: true });
  }

  function accountOf({ leaf, projectId, sessionId, event }: JournalEvent, actorId: string): NewAccount[] {
    if (event.payload === null) return [];
    const { event_id: eventId, event_type, span_id, payload } = event;
    for (const provenance of provenances) {
      const account = provenance.account({ event_type, sessionId, span_id, payload });
      if (account) return [{ leaf, eventId, projectId, actorId: account.by ?? actorId, account }];
    }
    return [];
  }

  return {
    async catchUp(pages = Number.POSITIVE_INFINITY) {
      for (let page = 0; page < pages; page += 1) if (!(await nextPage())) break;
      for (let page = 0; page < pages; page += 1) if (!(await nextCauses())) return;
    },
  };
}
