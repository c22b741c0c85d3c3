import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';

export interface Webhook {
  readonly webhookId: string;
  readonly profileDid: string;
  readonly url: string;
  readonly secret: string;
  readonly eventTypes: readonly string[];
  readonly createdAt: string;
}

interface WebhookRow {
  readonly webhook_id: string;
  readonly profile_did: string;
  readonly url: string;
  readonly secret: string;
  readonly event_types: string;
  readonly created_at: string;
}

const COLUMNS = 'webhook_id, profile_did, url, secret, event_types, created_at';

const webhookOf = (row: WebhookRow): Webhook => ({
  webhookId: row.webhook_id,
  profileDid: row.profile_did,
  url: row.url,
  secret: row.secret,
  eventTypes: JSON.parse(row.event_types),
  createdAt: row.created_at,
});

export async function insertWebhook(uow: UnitOfWork, webhook: Webhook): Promise<void> {
  await uow.run(`insert into memory_webhooks (${COLUMNS}) values (?, ?, ?, ?, ?, ?)`, [
    webhook.webhookId,
    webhook.profileDid,
    webhook.url,
    webhook.secret,
    JSON.stringify(webhook.eventTypes),
    webhook.createdAt,
  ]);
}

export async function selectWebhooks(reader: Reader, did: string): Promise<Webhook[]> {
  const rows = await reader.all<WebhookRow>(
    `select ${COLUMNS} from memory_webhooks where profile_did = ? order by created_at, webhook_id`,
    [did],
  );
  return rows.map(webhookOf);
}

export async function deleteWebhook(uow: UnitOfWork, did: string, webhookId: string): Promise<boolean> {
  return (
    (await uow.run('delete from memory_webhooks where profile_did = ? and webhook_id = ?', [
      did,
      webhookId,
    ])) === 1
  );
}

export interface NewDelivery {
  readonly eventId: string;
  readonly webhookId: string;
  readonly eventType: string;
  /** The envelope as it is sent. */
  readonly event: string;
  readonly created: number;
}

export interface Delivery extends Omit<NewDelivery, 'created'> {
  readonly state: 'waiting' | 'delivered' | 'dead';
  readonly lastError: string | null;
  readonly webhook: Webhook;
}

export async function insertDelivery(uow: UnitOfWork, delivery: NewDelivery): Promise<void> {
  await uow.run(
    `insert into memory_deliveries (event_id, webhook_id, event_type, event, state, created_us)
     values (?, ?, ?, ?, 'waiting', ?)`,
    [delivery.eventId, delivery.webhookId, delivery.eventType, delivery.event, delivery.created],
  );
}

type DeliveryRow = WebhookRow & {
  readonly event_id: string;
  readonly event_type: string;
  readonly event: string;
  readonly state: Delivery['state'];
  readonly last_error: string | null;
};

const DELIVERY = `d.event_id, d.event_type, d.event, d.state, d.last_error, w.webhook_id, w.profile_did, w.url, w.secret,
  w.event_types, w.created_at`;

const deliveryOf = (row: DeliveryRow): Delivery => ({
  eventId: row.event_id,
  webhookId: row.webhook_id,
  eventType: row.event_type,
  event: row.event,
  state: row.state,
  lastError: row.last_error,
  webhook: webhookOf(row),
});

export async function selectDelivery(reader: Reader, eventId: string): Promise<Delivery | undefined> {
  const row = await reader.get<DeliveryRow>(
    `select ${DELIVERY} from memory_deliveries d join memory_webhooks w on w.webhook_id = d.webhook_id
     where d.event_id = ?`,
    [eventId],
  );
  return row && deliveryOf(row);
}

export async function selectDeliveries(
  reader: Reader,
  did: string,
  state: string | undefined,
  limit: number,
): Promise<Delivery[]> {
  const rows = await reader.all<DeliveryRow>(
    `select ${DELIVERY} from memory_deliveries d join memory_webhooks w on w.webhook_id = d.webhook_id
     where w.profile_did = ?${state === undefined ? '' : ' and d.state = ?'} order by d.seq desc limit ?`,
    [did, ...(state === undefined ? [] : [state]), limit],
  );
  return rows.map(deliveryOf);
}

export async function settleDelivery(
  uow: UnitOfWork,
  eventId: string,
  state: Delivery['state'],
  error: string | null,
): Promise<void> {
  await uow.run('update memory_deliveries set state = ?, last_error = ? where event_id = ?', [
    state,
    error,
    eventId,
  ]);
}
