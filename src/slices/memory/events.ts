import type { JsonObject } from '../../kernel/json/value.ts';
import type { Actor } from '../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../spine/storage/database.ts';
import type { MemoryDeps } from './ports.ts';
import type { Profile } from './profiles/store.ts';
import { queueDeliveries } from './webhooks/deliver.ts';

export interface MemoryEvent {
  readonly type: string;
  readonly actor: Actor;
  /** Ids, words and salted hashes; never what was said, nor a category: the whole project reads the journal. */
  readonly payload: JsonObject;
  /** What the person's own webhooks are told besides. */
  readonly toPerson?: JsonObject;
  /** The event type that webhooks subscribe to; an event without one is sent to none. */
  readonly webhook?: string;
  readonly subject?: {
    readonly type: 'profile' | 'memory' | 'proposal' | 'policy' | 'consent';
    readonly id: string;
  };
}

/** Writes the event to the journal and queues it for the webhooks that subscribe to it, in the same unit. */
export async function recordEvent(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  event: MemoryEvent,
): Promise<void> {
  await deps.record(uow, {
    projectId: profile.projectId,
    actor: event.actor,
    type: event.type,
    payload: { profile: profile.did, ...event.payload },
  });
  if (event.webhook !== undefined) await queueDeliveries(uow, deps, profile, event, event.webhook);
}
