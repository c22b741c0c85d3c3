import { toHex } from '../../../kernel/hex.ts';
import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import { jobErrors } from '../../../spine/jobs/errors.ts';
import type { JobHandler } from '../../../spine/jobs/handler.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { memoryErrors } from '../errors.ts';
import { type Tell, WEBHOOK_JOB } from '../event-recorder.ts';
import { hmacHex } from '../fingerprint.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import {
  deleteWebhook,
  insertWebhook,
  selectDeliveries,
  selectDelivery,
  selectWebhooks,
  settleDelivery,
  type Webhook,
} from './store.ts';

export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks(deps: MemoryDeps, tell: Tell) {
  const { db, clock, random, hasher, jobs } = deps;

  /** Tried again with growing pauses; what cannot be delivered stays to be looked at and sent again. */
  const job: JobHandler = {
    idempotent: true,
    async run({ key, attempts }, signal) {
      const delivery = await db.read((reader) => selectDelivery(reader, key));
      if (!delivery || delivery.state === 'delivered') return 'gone';
      if (!deps.post) throw jobErrors.job_given_up({ cause: memoryErrors.webhook_refused() });
      const event = JSON.parse(delivery.event) as { metadata: object };
      const body = JSON.stringify({
        ...event,
        metadata: { ...event.metadata, retryCount: Math.max(0, attempts - 1) },
      });
      const timestamp = String(Math.floor(clock.now() / 1_000_000));
      const signature = hmacHex(
        hasher,
        new TextEncoder().encode(delivery.webhook.secret),
        `${timestamp}.${body}`,
      );
      const { status } = await deps.post(
        new URL(delivery.webhook.url),
        body,
        {
          'a2p-event-id': delivery.eventId,
          'a2p-timestamp': timestamp,
          'a2p-webhook-signature': `sha256=${signature}`,
        },
        signal,
      );
      if (status === 410) throw jobErrors.job_given_up({ cause: new Error('gone') });
      if (status < 200 || status >= 300) throw new Error(`the webhook answered ${status}`);
      return 'sent';
    },
    async recorded(uow, { key }, outcome) {
      if (outcome.state === 'done') await settleDelivery(uow, key, 'delivered', null);
      else
        await settleDelivery(
          uow,
          key,
          'dead',
          outcome.state === 'failed' ? outcome.error : 'outcome_unknown',
        );
    },
  };

  return {
    job,

    async add(
      uow: UnitOfWork,
      profile: Profile,
      actor: Actor,
      url: string,
      eventTypes: readonly string[],
    ): Promise<Webhook> {
      const parsed = URL.canParse(url) ? new URL(url) : undefined;
      if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '') {
        throw memoryErrors.webhook_refused({ pointer: '/url' });
      }
      const webhook: Webhook = {
        webhookId: prefixedId('hook', random),
        profileDid: profile.did,
        url: parsed.href,
        secret: toHex(random.bytes(32)),
        eventTypes: eventTypes.length === 0 ? ['*'] : eventTypes,
        createdAt: formatMillis(clock.now()),
      };
      await insertWebhook(uow, webhook);
      await tell(uow, profile, {
        type: 'memory.webhook_added',
        actor,
        payload: { webhook_id: webhook.webhookId, host: parsed.host },
      });
      return webhook;
    },

    async remove(uow: UnitOfWork, profile: Profile, actor: Actor, webhookId: string): Promise<void> {
      if (!(await deleteWebhook(uow, profile.did, webhookId)))
        throw memoryErrors.A2P003({ message: 'There is no such webhook.' });
      await tell(uow, profile, { type: 'memory.webhook_removed', actor, payload: { webhook_id: webhookId } });
    },

    list: (reader: Reader, profile: Profile) => selectWebhooks(reader, profile.did),
    deliveries: (reader: Reader, profile: Profile, state: string | undefined, limit: number) =>
      selectDeliveries(reader, profile.did, state, limit),

    /** Sends a dead letter round again. */
    async retry(uow: UnitOfWork, profile: Profile, eventId: string): Promise<void> {
      const delivery = await selectDelivery(uow, eventId);
      if (delivery?.webhook.profileDid !== profile.did || delivery.state !== 'dead') {
        throw memoryErrors.A2P003({ message: 'There is no such undelivered event.' });
      }
      await settleDelivery(uow, eventId, 'waiting', null);
      await jobs.enqueue(uow, {
        kind: WEBHOOK_JOB,
        key: eventId,
        projectId: profile.projectId,
        payload: { event_id: eventId },
      });
    },
  };
}
