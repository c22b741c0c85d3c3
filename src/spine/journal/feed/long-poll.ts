import type { Feed, FeedPage, FeedQuery } from './feed.ts';

/** Below the minute after which proxies give up on a quiet answer. */
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
