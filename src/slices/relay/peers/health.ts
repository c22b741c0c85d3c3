import type { Clock, Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import type { FailureClass } from './failure.ts';
import type { HealthView } from './schema.ts';
import type { Peer } from './store.ts';

/** How peers have answered this process lately. Nothing of it is stored: what was true before a restart says little. */
export interface PeerHealth {
  answered(peer: PeerName): void;
  failed(peer: PeerName, failureClass: FailureClass): void;
  of(peer: PeerName): HealthView;
  forget(peer: PeerName): void;
}

type PeerName = Pick<Peer, 'projectId' | 'id'>;

interface Seen {
  failures: number;
  okAt: Micros | undefined;
  failedAt: Micros | undefined;
  failure: FailureClass | undefined;
}

export function createPeerHealth(clock: Clock): PeerHealth {
  const all = new Map<string, Seen>();
  const keyOf = ({ projectId, id }: PeerName) => `${projectId}\n${id}`;

  function seenOf(peer: PeerName): Seen {
    const key = keyOf(peer);
    const known = all.get(key);
    if (known) return known;
    const seen: Seen = { failures: 0, okAt: undefined, failedAt: undefined, failure: undefined };
    all.set(key, seen);
    return seen;
  }

  return {
    answered(peer) {
      const seen = seenOf(peer);
      seen.failures = 0;
      seen.okAt = clock.now();
    },
    failed(peer, failureClass) {
      const seen = seenOf(peer);
      seen.failures += 1;
      seen.failedAt = clock.now();
      seen.failure = failureClass;
    },
    of(peer) {
      const seen = all.get(keyOf(peer));
      const isUnknown = seen?.okAt === undefined && seen?.failedAt === undefined;
      const at = (instant: Micros | undefined) => (instant === undefined ? null : formatMicros(instant));
      return {
        state: isUnknown ? 'unknown' : seen?.failures ? 'failing' : 'healthy',
        failures_in_a_row: seen?.failures ?? 0,
        last_ok_at: at(seen?.okAt),
        last_failure_at: at(seen?.failedAt),
        last_failure: seen?.failure ?? null,
      };
    },
    forget: (peer) => void all.delete(keyOf(peer)),
  };
}
