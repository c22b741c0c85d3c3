import type { Micros } from '../../../kernel/clock.ts';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { A2aVersion } from '../a2a/methods.ts';

/** What a client asked to be told, kept while the peer tells the relay instead. */
export interface PushConfig {
  /** The secret part of the address that the peer calls. */
  readonly key: string;
  readonly projectId: string;
  readonly peerId: string;
  readonly taskId: string | undefined;
  readonly configId: string | undefined;
  readonly contextId: string | undefined;
  /** What the client speaks. */
  readonly version: A2aVersion;
  /** The client's own: address, token, authentication. */
  readonly settings: LooseRecord;
  readonly peerToken: string;
  readonly traceparent: string;
}

interface ConfigRow {
  callback_key: string;
  project_id: string;
  peer_id: string;
  task_id: string | null;
  config_id: string | null;
  context_id: string | null;
  version: A2aVersion;
  settings: string;
  peer_token: string;
  traceparent: string;
}

export async function insertPushConfig(uow: UnitOfWork, config: PushConfig, now: Micros): Promise<void> {
  await uow.run(
    `insert into relay_push_configs (callback_key, project_id, peer_id, task_id, config_id, context_id, version, settings,
        peer_token, traceparent, created_us) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      config.key,
      config.projectId,
      config.peerId,
      config.taskId ?? null,
      config.configId ?? null,
      config.contextId ?? null,
      config.version,
      JSON.stringify(config.settings),
      config.peerToken,
      config.traceparent,
      now,
    ],
  );
}

/** The peer has said under which id it keeps the configuration. */
export async function namePushConfig(
  uow: UnitOfWork,
  key: string,
  { taskId, configId }: { readonly taskId: string | undefined; readonly configId: string | undefined },
): Promise<void> {
  await uow.run(
    `update relay_push_configs set task_id = coalesce(?, task_id), config_id = coalesce(?, config_id)
      where callback_key = ?`,
    [taskId ?? null, configId ?? null, key],
  );
}

export async function selectPushConfig(reader: Reader, key: string): Promise<PushConfig | undefined> {
  const row = await reader.get<ConfigRow>('select * from relay_push_configs where callback_key = ?', [key]);
  return (
    row && {
      key: row.callback_key,
      projectId: row.project_id,
      peerId: row.peer_id,
      taskId: row.task_id ?? undefined,
      configId: row.config_id ?? undefined,
      contextId: row.context_id ?? undefined,
      version: row.version,
      settings: JSON.parse(row.settings) as LooseRecord,
      peerToken: row.peer_token,
      traceparent: row.traceparent,
    }
  );
}

export async function deletePushConfig(
  uow: UnitOfWork,
  of: {
    readonly projectId: string;
    readonly peerId: string;
    readonly taskId: string;
    readonly configId: string;
  },
): Promise<void> {
  await uow.run(
    'delete from relay_push_configs where project_id = ? and peer_id = ? and task_id = ? and config_id = ?',
    [of.projectId, of.peerId, of.taskId, of.configId],
  );
}

export async function prunePushConfigs(uow: UnitOfWork, before: Micros): Promise<void> {
  await uow.run('delete from relay_push_configs where created_us < ?', [before]);
}

export interface PushDelivery {
  readonly id: string;
  readonly key: string;
  readonly body: string;
  readonly created: Micros;
}

export async function insertDelivery(uow: UnitOfWork, delivery: PushDelivery): Promise<void> {
  await uow.run(
    `insert into relay_push_deliveries (delivery_id, callback_key, body, state, created_us)
      values (?, ?, ?, 'waiting', ?)`,
    [delivery.id, delivery.key, delivery.body, delivery.created],
  );
}

/** What is still to be delivered. */
export async function selectDelivery(reader: Reader, id: string): Promise<PushDelivery | undefined> {
  const row = await reader.get<{ callback_key: string; body: string; created_us: number }>(
    "select callback_key, body, created_us from relay_push_deliveries where delivery_id = ? and state = 'waiting'",
    [id],
  );
  return row && { id, key: row.callback_key, body: row.body, created: row.created_us };
}

export async function settleDelivery(
  uow: UnitOfWork,
  id: string,
  state: 'delivered' | 'dead',
): Promise<void> {
  await uow.run('update relay_push_deliveries set state = ? where delivery_id = ?', [state, id]);
}
