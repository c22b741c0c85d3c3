import type { Handlers } from '../../../spine/operations/handler.ts';
import { createEntrance } from '../profile-access.ts';
import type { MemoryService } from '../slice.ts';
import { DONE } from '../views.ts';
import type { webhookOperations } from './operations.ts';

export function createWebhookHandlers(service: MemoryService): Handlers<typeof webhookOperations> {
  const { webhooks } = service;
  const { ownProfile } = createEntrance(service);

  return {
    'memory.webhook.add': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      const made = await webhooks.add(uow, profile, principal.actor, body.url, body.events ?? []);
      return { body: { id: made.webhookId, secret: made.secret } };
    },
    'memory.webhooks': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const found = await webhooks.list(reader, profile);
      return {
        body: {
          webhooks: found.map(({ webhookId, url, eventTypes }) => ({
            id: webhookId,
            url,
            events: [...eventTypes],
          })),
        },
      };
    },
    'memory.webhook.remove': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      await webhooks.remove(uow, profile, principal.actor, path.id);
      return DONE;
    },
    'memory.deliveries': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const found = await webhooks.deliveries(reader, profile, query.state, query.limit ?? 50);
      return {
        body: {
          deliveries: found.map(({ eventId, webhookId, eventType, state, lastError }) => ({
            event_id: eventId,
            webhook_id: webhookId,
            event_type: eventType,
            state,
            last_error: lastError,
          })),
        },
      };
    },
    'memory.delivery.retry': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      await webhooks.retry(uow, profile, path.id);
      return DONE;
    },
  };
}
