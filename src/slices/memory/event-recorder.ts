import { prefixedId } from '../../kernel/ids.ts';
import { formatMillis } from '../../kernel/instant.ts';
import type { JsonObject } from '../../kernel/json/value.ts';
import type { Actor } from '../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../spine/storage/database.ts';
import type { MemoryDeps } from './ports.ts';
import type { Profile } from './profiles/store.ts';
import { insertDelivery, selectWebhooks } from './webhooks/store.ts';

export const WEBHOOK_JOB = 'memory.webhook';

export interface MemoryEvent {
  readonly type: string;
  readonly actor: Actor;
  /** Ids, words and salted hashes; never what was said. */
  readonly payload: JsonObject;
  /** The name under which subscribers hear of it. */
  readonly webhook?: string;
  readonly subject?: {
    readonly type: 'profile' | 'memory' | 'proposal' | 'policy' | 'consent';
    readonly id: string;
  };
}

export type Tell = (uow: UnitOfWork, profile: Profile, event: MemoryEvent) => Promise<void>;

/** Every change goes to the journal, and to the webhooks that asked for its kind, in the same unit. */
export function createTell({ record, random, clock, jobs }: MemoryDeps): Tell {
  return async (uow, profile, event) => {
    await record(uow, {
      projectId: profile.projectId,
      actor: event.actor,
      type: event.type,
      payload: { profile: profile.did, ...event.payload },
    });
    if (event.webhook === undefined) return;
    for (const webhook of await selectWebhooks(uow, profile.did)) {
      if (!webhook.eventTypes.includes(event.webhook) && !webhook.eventTypes.includes('*')) continue;
      const eventId = prefixedId('evt', random);
      const now = clock.now();
      const envelope = {
        eventId,
        eventType: event.webhook,
        timestamp: formatMillis(now),
        source: sourceOf(event.actor),
        ...(event.subject && { subject: { ...event.subject, userDid: profile.did } }),
        data: event.payload,
        metadata: { version: '1.0' },
      };
      await insertDelivery(uow, {
        eventId,
        webhookId: webhook.webhookId,
        eventType: event.webhook,
        event: JSON.stringify(envelope),
        created: now,
      });
      await jobs.enqueue(uow, {
        kind: WEBHOOK_JOB,
        key: eventId,
        projectId: profile.projectId,
        payload: { event_id: eventId },
      });
    }
  };
}

function sourceOf(actor: Actor) {
  return {
    type: actor.type === 'human' ? 'user' : actor.type === 'agent' ? 'agent' : 'system',
    id: actor.id,
  };
}
