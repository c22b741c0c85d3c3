import type { Limiter } from '../../../spine/identity/limits/limiter.ts';
import type { Peer } from './store.ts';

/** A place at a peer; given back once, when the exchange is over. */
export type Place =
  | { readonly leave: () => void }
  | { readonly full: string; readonly retryAfterSeconds: number };

export interface PeerLimits {
  /** `caller` is who asks, as far as it can be proved. */
  enter(peer: Peer, caller: string): Place | Promise<Place>;
}

const FREE: Place = { leave: () => undefined };
const WINDOW_SECONDS = 60;

/**
 * How much at a time, and how much a minute, a peer is asked: by everybody, and by each of its callers, so that none of
 * them takes it all. Places are counted here, minutes in the store, over all processes.
 */
export function createPeerLimits(limiter: Limiter): PeerLimits {
  const taken = new Map<string, number>();

  function placesFor(peer: Peer, caller: string) {
    const name = `${peer.projectId}\n${peer.id}`;
    return [
      { name, most: peer.max_concurrent, whose: 'The agent' },
      { name: `${name}\n${caller}`, most: peer.max_concurrent_per_caller, whose: 'The caller' },
    ].filter(({ most }) => most !== undefined);
  }

  function rest(name: string): void {
    const left = (taken.get(name) ?? 1) - 1;
    if (left > 0) taken.set(name, left);
    else taken.delete(name);
  }

  async function perMinute(peer: Peer, caller: string): Promise<Place | undefined> {
    const name = `relay:${peer.projectId}:${peer.id}`;
    const limits = [
      { key: `${name}:${caller}`, limit: peer.rate_per_minute_per_caller, whose: 'The caller' },
      { key: name, limit: peer.rate_per_minute, whose: 'The agent' },
    ];
    for (const { key, limit, whose } of limits) {
      if (limit === undefined) continue;
      const found = await limiter.take(key, { limit, windowSeconds: WINDOW_SECONDS });
      if (!found.granted)
        return {
          full: `${whose} has had its ${limit} exchanges of this minute.`,
          retryAfterSeconds: found.retryAfterSeconds,
        };
    }
    return undefined;
  }

  return {
    enter(peer, caller) {
      const isRated = peer.rate_per_minute !== undefined || peer.rate_per_minute_per_caller !== undefined;
      const places = placesFor(peer, caller);
      if (!isRated && places.length === 0) return FREE;
      const full = places.find(({ name, most = 0 }) => (taken.get(name) ?? 0) >= most);
      if (full)
        return {
          full: `${full.whose} has ${full.most} exchanges open, as many as it may.`,
          retryAfterSeconds: 1,
        };
      for (const { name } of places) taken.set(name, (taken.get(name) ?? 0) + 1);
      let isThere = true;
      const leave = () => {
        if (!isThere) return;
        isThere = false;
        for (const { name } of places) rest(name);
      };
      if (!isRated) return { leave };
      return perMinute(peer, caller).then(
        (refused) => {
          if (!refused) return { leave };
          leave();
          return refused;
        },
        (error) => {
          leave();
          throw error;
        },
      );
    },
  };
}
