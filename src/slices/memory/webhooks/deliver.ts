import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import { jobErrors } from '../../../spine/jobs/errors.ts';
import type { JobHandler } from '../../../spine/jobs/handler.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { hmacHex } from '../content.ts';
import { memoryErrors } from '../errors.ts';
import type { MemoryEvent } from '../events.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import { insertDelivery, selectDelivery, selectWebhooks, settleDelivery } from './store.ts';

export const WEBHOOK_JOB = 'memory.webhook';

/** One delivery and one job for each webhook of the profile that subscribes to this event type. */
export async function queueDeliveries(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  { actor, payload, toPerson, subject }: MemoryEvent,
  eventType: string,
): Promise<void> {
  for (const webhook of await selectWebhooks(uow, profile.did)) {
    if (!webhook.eventTypes.includes(eventType) && !webhook.eventTypes.includes('*')) continue;
    const eventId = prefixedId('evt', deps.random);
    const now = deps.clock.now();
    const envelope = {
      eventId,
      eventType,
      timestamp: formatMillis(now),
      source: sourceOf(actor),
      ...(subject && { subject: { ...subject, userDid: profile.did } }),
      data: { ...payload, ...toPerson },
      metadata: { version: '1.0' },
    };
    await insertDelivery(uow, {
      eventId,
      webhookId: webhook.webhookId,
      eventType,
      event: JSON.stringify(envelope),
      created: now,
    });
    await enqueueDelivery(uow, deps, profile, eventId);
  }
}

/** Sends a delivery that was given up once more. */
export async function retryDelivery(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  eventId: string,
): Promise<void> {
  const delivery = await selectDelivery(uow, eventId);
  if (delivery?.webhook.profileDid !== profile.did || delivery.state !== 'dead') {
    throw memoryErrors.A2P003({ message: 'There is no such undelivered event.' });
  }
  await settleDelivery(uow, eventId, 'waiting', null);
  await enqueueDelivery(uow, deps, profile, eventId);
}

async function enqueueDelivery(
  uow: UnitOfWork,
  { jobs }: MemoryDeps,
  { projectId }: Profile,
  eventId: string,
): Promise<void> {
  await jobs.enqueue(uow, { kind: WEBHOOK_JOB, key: eventId, projectId, payload: { event_id: eventId } });
}

/** Retried with growing pauses; a delivery that keeps failing is kept, to be inspected and sent again. */
export function createDeliveryJob({ db, clock, hasher, post }: MemoryDeps): JobHandler {
  return {
    idempotent: true,
    async run({ key, attempts }, signal) {
      const delivery = await db.read((reader) => selectDelivery(reader, key));
      if (!delivery || delivery.state === 'delivered') return 'gone';
      if (!post) throw jobErrors.job_given_up({ cause: memoryErrors.webhook_refused() });
      const event = JSON.parse(delivery.event) as { metadata: object };
      const body = JSON.stringify({
        ...event,
        metadata: { ...event.metadata, retryCount: Math.max(0, attempts - 1) },
      });
      const timestamp = String(Math.floor(clock.now() / 1_000_000));
      const secret = new TextEncoder().encode(delivery.webhook.secret);
      const headers = {
        'a2p-event-id': delivery.eventId,
        'a2p-timestamp': timestamp,
        'a2p-webhook-signature': `sha256=${hmacHex(hasher, secret, `${timestamp}.${body}`)}`,
      };
      const { status } = await post(new URL(delivery.webhook.url), body, headers, signal);
      if (status === 410) throw jobErrors.job_given_up({ cause: new Error('gone') });
      if (status < 200 || status >= 300) throw new Error(`the webhook answered ${status}`);
      return 'sent';
    },
    async recorded(uow, { key }, outcome) {
      if (outcome.state === 'done') return settleDelivery(uow, key, 'delivered', null);
      const error = outcome.state === 'failed' ? outcome.error : 'outcome_unknown';
      await settleDelivery(uow, key, 'dead', error);
    },
  };
}

function sourceOf(actor: Actor) {
  return {
    type: actor.type === 'human' ? 'user' : actor.type === 'agent' ? 'agent' : 'system',
    id: actor.id,
  };
}
