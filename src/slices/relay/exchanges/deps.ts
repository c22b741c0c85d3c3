import type { Clock } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import type { Database } from '../../../spine/storage/database.ts';
import type { Later } from '../deferred-writes.ts';
import type { Upstream } from '../peers/connections.ts';
import type { PeerInterface } from '../peers/directory.ts';
import type { DepositHandoff } from '../ports.ts';
import type { RelayLedger } from '../record-event.ts';
import type { RelaySettings } from '../settings.ts';
import type { Tracer } from '../spans/tracer.ts';
import type { StreamHub } from '../streams/hub.ts';
import type { TaskIndex } from '../tasks/owners.ts';
import type { Exchange } from './forward.ts';

export interface HeldStream {
  readonly hub: StreamHub;
  readonly target: PeerInterface;
}

export interface Hubs {
  add(exchange: Exchange, taskId: string, held: HeldStream): void;
  find(exchange: Exchange, taskId: string): HeldStream | undefined;
  ended(exchange: Exchange, taskId: string): void;
}

/** What an exchange needs of the relay around it. */
export interface RelayContext {
  readonly settings: RelaySettings;
  readonly db: Pick<Database, 'read' | 'write'>;
  readonly clock: Clock;
  readonly hasher: Hasher;
  readonly tracer: Tracer;
  readonly upstream: Upstream;
  readonly hubs: Hubs;
  readonly tasks: TaskIndex;
  readonly later: Later;
  readonly ledger: RelayLedger;
  readonly deposit: DepositHandoff | undefined;
  onError(error: unknown, what: string): void;
}

export function createHubs(keepSeconds: number): Hubs {
  const held = new Map<string, HeldStream>();
  const keyOf = ({ projectId, peer }: Exchange, taskId: string) => `${projectId}\n${peer.id}\n${taskId}`;
  return {
    add: (exchange, taskId, stream) => void held.set(keyOf(exchange, taskId), stream),
    find: (exchange, taskId) => held.get(keyOf(exchange, taskId)),
    ended(exchange, taskId) {
      const key = keyOf(exchange, taskId);
      const stream = held.get(key);
      const timer = setTimeout(() => {
        if (held.get(key) === stream) held.delete(key);
      }, keepSeconds * 1000);
      timer.unref();
    },
  };
}
