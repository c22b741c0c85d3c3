import type { Handlers } from '../../../spine/operations/handler.ts';
import type { MemoryDeps } from '../ports.ts';
import { ownProfile } from '../profile-access.ts';
import { DONE } from '../schema.ts';
import { retryDelivery } from './deliver.ts';
import type { webhookOperations } from './operations.ts';
import { selectDeliveries, selectWebhooks } from './store.ts';
import { addWebhook, removeWebhook } from './subscribe.ts';

export function createWebhookHandlers(deps: MemoryDeps): Handlers<typeof webhookOperations> {
  return {
    'memory.webhook.add': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, body.profile);
      const added = await addWebhook(uow, deps, profile, principal.actor, body.url, body.events ?? []);
      return { body: { id: added.webhookId, secret: added.secret } };
    },
    'memory.webhooks': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, deps, principal, query.profile);
      const webhooks = (await selectWebhooks(reader, profile.did)).map(({ webhookId, url, eventTypes }) => ({
        id: webhookId,
        url,
        events: [...eventTypes],
      }));
      return { body: { webhooks } };
    },
    'memory.webhook.remove': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, query.profile);
      await removeWebhook(uow, deps, profile, principal.actor, path.id);
      return DONE;
    },
    'memory.deliveries': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, deps, principal, query.profile);
      const found = await selectDeliveries(reader, profile.did, query.state, query.limit ?? 50);
      const deliveries = found.map(({ eventId, webhookId, eventType, state, lastError }) => ({
        event_id: eventId,
        webhook_id: webhookId,
        event_type: eventType,
        state,
        last_error: lastError,
      }));
      return { body: { deliveries } };
    },
    'memory.delivery.retry': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, query.profile);
      await retryDelivery(uow, deps, profile, path.id);
      return DONE;
    },
  };
}
