import { giveTurn } from '../../../platform/turn.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { countUpTo, MOST_COUNTED, type Total } from '../../../spine/storage/bounded-count.ts';
import type { Database } from '../../../spine/storage/database.ts';
import { requireReadableProject } from '../access.ts';
import type { Place } from '../paging.ts';
import { countEarlier, KEYS_OF_PROJECT, selectLatestFacts } from './store.ts';
import type { StoredFact } from './stored-fact.ts';

export interface LatestRequest {
  readonly principal: Principal;
  readonly projectId: string;
  readonly words?: string | undefined;
  readonly asOfMicros?: number | undefined;
  readonly after?: Place | undefined;
  readonly limit: number;
}

export interface LatestFact {
  readonly fact: StoredFact;
  readonly earlier: number;
}

export interface LatestPage {
  readonly items: readonly LatestFact[];
  readonly total: Total;
  /** The last one of the page, if more follow. */
  readonly last: StoredFact | undefined;
}

const AT_ONCE = 2_000;

/**
 * One fact of each key, newest first. Words are compared here and not in SQL, where engines disagree about case. The
 * facts are read some at a time, so that nobody waits behind a search through many.
 */
export async function latestFacts(db: Database, request: LatestRequest): Promise<LatestPage> {
  const { projectId, asOfMicros, limit, after } = request;
  const fits = wordFilter(request.words);
  const counting = fits !== undefined || asOfMicros !== undefined;
  // A page alone needs few of them; most facts are the latest of their key.
  const atOnce = counting ? AT_ONCE : limit + 1;
  const found: StoredFact[] = [];
  let count = 0;
  let seen = 0;
  let place = counting ? undefined : after;
  let exhausted = false;
  await db.read((reader) => requireReadableProject(reader, request.principal, projectId));
  while (!exhausted && seen < MOST_COUNTED && (counting || found.length <= limit)) {
    const { rows: chunk, more } = await db.read((reader) =>
      selectLatestFacts(reader, { projectId, asOfMicros, before: place, limit: atOnce }),
    );
    for (const { fact, latest } of chunk) {
      await giveTurn();
      if (!latest || (fits && !fits(fact))) continue;
      count += 1;
      if (found.length <= limit && isAfter(fact, after)) found.push(fact);
    }
    const end = chunk.at(-1)?.fact;
    place = end && { micros: end.fromMicros, seq: end.seq };
    seen += chunk.length;
    exhausted = !more;
  }
  const shown = found.slice(0, limit);
  return db.read(async (reader) => {
    const items: LatestFact[] = [];
    for (const fact of shown) items.push({ fact, earlier: await countEarlier(reader, fact) });
    return {
      items,
      total: counting ? { count, exact: exhausted } : await countUpTo(reader, KEYS_OF_PROJECT, [projectId]),
      last: found.length > limit ? shown.at(-1) : undefined,
    };
  });
}

function isAfter({ fromMicros, seq }: StoredFact, after: Place | undefined): boolean {
  if (!after) return true;
  return fromMicros < after.micros || (fromMicros === after.micros && seq < after.seq);
}

function wordFilter(words: string | undefined): ((fact: StoredFact) => boolean) | undefined {
  const wanted = (words ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (wanted.length === 0) return undefined;
  return ({ subject, predicate, value }) => {
    const text = `${subject} ${predicate} ${value}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
}
