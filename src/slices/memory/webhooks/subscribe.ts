import { toHex } from '../../../kernel/hex.ts';
import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { memoryErrors } from '../errors.ts';
import { recordEvent } from '../events.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import { deleteWebhook, insertWebhook, type Webhook } from './store.ts';

/** Without event types the webhook gets all of them. */
export async function addWebhook(
  uow: UnitOfWork,
  deps: MemoryDeps,
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
    webhookId: prefixedId('hook', deps.random),
    profileDid: profile.did,
    url: parsed.href,
    secret: toHex(deps.random.bytes(32)),
    eventTypes: eventTypes.length === 0 ? ['*'] : eventTypes,
    createdAt: formatMillis(deps.clock.now()),
  };
  await insertWebhook(uow, webhook);
  const payload = { webhook_id: webhook.webhookId, host: parsed.host };
  await recordEvent(uow, deps, profile, { type: 'memory.webhook_added', actor, payload });
  return webhook;
}

export async function removeWebhook(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  webhookId: string,
): Promise<void> {
  if (!(await deleteWebhook(uow, profile.did, webhookId)))
    throw memoryErrors.A2P003({ message: 'There is no such webhook.' });
  const payload = { webhook_id: webhookId };
  await recordEvent(uow, deps, profile, { type: 'memory.webhook_removed', actor, payload });
}
