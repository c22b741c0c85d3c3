import type { Clock, Micros } from '../../kernel/clock.ts';
import { BatonError } from '../../kernel/error.ts';
import { parseInstant } from '../../kernel/instant.ts';
import { asText } from '../../kernel/json/loose.ts';
import { selectExpiring } from '../inbox/expiring-store.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { JournalEvent } from '../journal/events/stored-event.ts';
import type { Feed } from '../journal/feed/feed.ts';
import type { Database, UnitOfWork } from '../storage/database.ts';
import { audienceOf } from './audience.ts';
import { type Channel, hasLiveChannel, selectLiveChannels } from './channel-store.ts';
import { type Cursor, forgetCursor, insertDelivery, moveCursor, selectCursor } from './delivery-store.ts';
import { DEFAULT_MINUTES_BEFORE, MINUTES_BEFORE, type Notice } from './kinds.ts';
import { dueAt } from './rules/due.ts';
import { aboutItem, NOTICED_EVENTS, noticeOf } from './rules/notice.ts';
import { ruleFor } from './rules/route.ts';

export interface WatchDeps {
  readonly db: Database;
  readonly feed: Feed;
  readonly inbox: Inbox;
  readonly clock: Clock;
}

/** A notice, and what has to be so that a channel is told of it. */
interface Found {
  readonly notice: Notice;
  readonly at: Micros;
  /** Of what expires: when, so that each rule can say how long before. */
  readonly expires?: Micros;
}

const PAGE = 100;
/** After so many pages the rest of the upkeep has its turn. */
const PAGES = 20;
const MINUTE: Micros = 60_000_000;

/**
 * A cursor over the journal: whatever happens becomes a row for each channel that wants it. The rows and the cursor's new
 * place are one commit, so that after a crash, or beside another process, nothing is told twice or left out.
 */
export function createWatch({ db, feed, inbox, clock }: WatchDeps) {
  async function readOn(cursor: Cursor | undefined) {
    const query = { types: NOTICED_EVENTS, limit: PAGE };
    // The first channel starts here: what was before it is not told.
    if (!cursor) return feed.newest(query);
    try {
      return await feed.page({ ...query, after: cursor.leaf });
    } catch (error) {
      if (!(error instanceof BatonError) || error.code !== 'cursor_expired') throw error;
      return feed.page(query);
    }
  }

  async function expiring(uow: UnitOfWork, looked: Micros, now: Micros): Promise<Found[]> {
    const found: Found[] = [];
    for (const minutes of MINUTES_BEFORE) {
      const ahead = minutes * MINUTE;
      const items = await selectExpiring(uow, Math.max(looked + ahead, now), now + ahead);
      for (const { itemId, projectId, risk } of items) {
        const notice = aboutItem('expiring', itemId, projectId, risk);
        found.push({ notice, at: now, expires: now + ahead });
      }
    }
    return found;
  }

  async function lookOnce(): Promise<boolean> {
    const cursor = await db.read(selectCursor);
    const page = await readOn(cursor);
    const now = clock.now();
    const looked = cursor?.looked ?? now;
    return db.write(async (uow) => {
      const next = { leaf: page.next, looked: Math.max(looked, now) };
      if (!(await moveCursor(uow, cursor, next))) return false;
      const found = [...page.events.flatMap(foundIn), ...(await expiring(uow, looked, now))];
      if (found.length > 0) await tell(uow, found, now);
      return page.events.length === PAGE;
    });
  }

  async function tell(uow: UnitOfWork, found: readonly Found[], now: Micros): Promise<void> {
    const audience = audienceOf(uow, inbox, clock);
    for (const channel of await selectLiveChannels(uow)) {
      for (const each of found) {
        const due = dueFor(channel, each, now);
        if (due === undefined || !(await audience.mayBeTold(channel.actorId, each.notice))) continue;
        await insertDelivery(uow, channel.channelId, each.notice, due, now);
      }
    }
  }

  return {
    async look(): Promise<void> {
      if (!(await db.read(hasLiveChannel))) {
        if (await db.read(selectCursor)) await db.write(forgetCursor);
        return;
      }
      for (let pages = 0; pages < PAGES; pages += 1) if (!(await lookOnce())) return;
    },
  };
}

function foundIn(event: JournalEvent): Found[] {
  const notice = noticeOf(event);
  if (!notice) return [];
  const at = parseInstant(event.event.timestamp)?.micros ?? 0;
  const expires = parseInstant(asText(event.event.payload?.expires_at) ?? '')?.micros;
  if (notice.kind !== 'inbox' || notice.itemId === null || expires === undefined) return [{ notice, at }];
  // One whose time is short from the start is never seen to come near its end.
  const soon = aboutItem('expiring', notice.itemId, notice.projectId, notice.risk);
  return [
    { notice, at },
    { notice: soon, at, expires },
  ];
}

/** Undefined where the channel's rules leave it out. */
function dueFor(channel: Channel, { notice, at, expires }: Found, now: Micros): Micros | undefined {
  if (at < channel.createdMicros) return undefined;
  const rule = ruleFor(channel.rules, notice);
  if (!rule || rule.when === 'never') return undefined;
  if (expires !== undefined) {
    const ahead = (rule.minutesBefore ?? DEFAULT_MINUTES_BEFORE) * MINUTE;
    if (expires > now + ahead) return undefined;
    return now;
  }
  return dueAt(rule.when, now, channel);
}
