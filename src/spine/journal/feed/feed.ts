import type { Database, Reader } from '../../storage/database.ts';
import type { ChainRef } from '../chains/chain.ts';
import { journalErrors } from '../errors.ts';
import { type PayloadCodec, plainPayloads } from '../events/payload-codec.ts';
import { type JournalEvent, journalEventOf } from '../events/stored-event.ts';
import { selectBounds } from '../numbers/number-store.ts';
import type { Sequencer } from '../numbers/sequencer.ts';
import { createCommitBell } from './commit-bell.ts';
import { selectAfter, selectBefore } from './feed-store.ts';

export interface FeedFilter {
  /** Cursors are `project_seq` of this project; without it, leaves of the whole store. */
  readonly projectId?: string;
  /** Only events of these projects, in the order of leaves: for readers who may not see all. */
  readonly projectIds?: readonly string[];
  /** Event types, or families as `package.*`. */
  readonly types?: readonly string[];
  readonly chain?: ChainRef;
}

export interface FeedQuery extends FeedFilter {
  /** The last number that the reader has; from the oldest kept event when left out. */
  readonly after?: number;
  readonly limit?: number;
}

export interface FeedPage {
  readonly events: readonly JournalEvent[];
  /** The next cursor, beyond events that the filter skipped. */
  readonly next: number;
}

export interface BackQuery extends FeedFilter {
  /** Only events below this number; the newest without it. */
  readonly before?: number;
  readonly limit?: number;
}

/** Events in order, and the cursor of the previous page. */
export interface BackPage extends FeedPage {
  /** Null if no matching event is kept before this page. */
  readonly previous: number | null;
}

/** A cursor over the journal: in order, at least once, and resumable from any number the reader kept. */
export interface Feed {
  page(query: FeedQuery): Promise<FeedPage>;
  /** The last events that fit, in order; `next` continues behind them, `previous` before them. */
  newest(query: BackQuery): Promise<BackPage>;
  /** Ends when the signal fires. Throws `cursor_expired` when retention overtakes the reader. */
  follow(query: FeedQuery & { signal: AbortSignal }): AsyncIterable<JournalEvent>;
  /** The first number that is still kept with its payload. */
  oldest(projectId?: string): Promise<number>;
}

const DEFAULT_LIMIT = 100;
const LARGEST_LIMIT = 1000;

export function createFeed(db: Database, sequencer: Sequencer, payloads = plainPayloads): Feed {
  const bell = createCommitBell(db, () => shared.clear());
  /** Reads under way since the last commit: followers at the same place share one. */
  const shared = new Map<string, Promise<FeedPage>>();

  async function page(query: FeedQuery): Promise<FeedPage> {
    await sequencer.run();
    return db.read((reader) => readPage(reader, query, payloads));
  }

  function sharedPage(query: FeedQuery): Promise<FeedPage> {
    const { projectId, projectIds, types, chain, after, limit } = query;
    const key = JSON.stringify([projectId, projectIds, types, chain, after, limit]);
    const running = shared.get(key);
    if (running) return running;
    const started = page(query).finally(() => {
      if (shared.get(key) === started) shared.delete(key);
    });
    shared.set(key, started);
    return started;
  }

  async function* follow(query: FeedQuery & { signal: AbortSignal }): AsyncGenerator<JournalEvent> {
    const { signal, ...filter } = query;
    const listener = bell.listen();
    try {
      let after = query.after;
      const limit = boundedLimit(query.limit);
      while (!signal.aborted) {
        listener.reset();
        const { events, next } = await sharedPage(after === undefined ? filter : { ...filter, after });
        for (const event of events) {
          if (signal.aborted) return;
          yield event;
        }
        after = next;
        if (events.length < limit) await listener.rung(signal);
      }
    } finally {
      listener.close();
    }
  }

  return {
    page,
    follow,
    async newest(query) {
      await sequencer.run();
      return db.read((reader) => readNewest(reader, query, payloads));
    },
    oldest: (projectId) => db.read(async (reader) => (await selectBounds(reader, projectId)).oldest),
  };
}

async function readPage(reader: Reader, query: FeedQuery, payloads: PayloadCodec): Promise<FeedPage> {
  const bounds = await selectBounds(reader, query.projectId);
  const after = query.after ?? bounds.oldest - 1;
  if (after < bounds.oldest - 1) throw journalErrors.cursor_expired({ details: { oldest: bounds.oldest } });
  const limit = boundedLimit(query.limit);
  const rows = await selectAfter({ reader, payloads }, query, after, limit);
  const last = rows.at(-1);
  const full = rows.length === limit;
  const lastNumber = query.projectId === undefined ? last?.leaf : last?.project_seq;
  return {
    events: rows.map(journalEventOf),
    next: full && lastNumber !== undefined ? lastNumber : Math.max(after, bounds.last),
  };
}

async function readNewest(reader: Reader, query: BackQuery, payloads: PayloadCodec): Promise<BackPage> {
  const { oldest, last } = await selectBounds(reader, query.projectId);
  const before = Math.min(query.before ?? Number.POSITIVE_INFINITY, last + 1);
  const limit = boundedLimit(query.limit);
  const rows = await selectBefore({ reader, payloads }, query, { oldest, before }, limit);
  const first = rows.at(-1);
  const firstNumber = query.projectId === undefined ? first?.leaf : first?.project_seq;
  const more = rows.length === limit && firstNumber !== undefined && firstNumber > oldest;
  return {
    events: rows.toReversed().map(journalEventOf),
    next: before - 1,
    previous: more ? firstNumber : null,
  };
}

function boundedLimit(limit = DEFAULT_LIMIT): number {
  return Math.min(Math.max(limit, 1), LARGEST_LIMIT);
}

/** Below the minute after which proxies give up on a silent response. */
const LONGEST_WAIT_SECONDS = 55;

/** A page at once when there is one; else the first page that comes within the wait, or an empty one at its end. */
export async function longPoll(
  feed: Feed,
  query: FeedQuery & { waitSeconds: number; signal: AbortSignal },
): Promise<FeedPage> {
  const { waitSeconds, signal, ...filter } = query;
  const seconds = Math.min(Math.max(waitSeconds, 0), LONGEST_WAIT_SECONDS);
  const stop = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
  const page = await feed.page(filter);
  if (page.events.length > 0 || stop.aborted) return page;
  for await (const _ of feed.follow({ ...filter, after: page.next, limit: 1, signal: stop })) {
    return feed.page({ ...filter, after: page.next });
  }
  return page;
}
