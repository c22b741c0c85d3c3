import type { Micros } from '../../kernel/clock.ts';
import type { Risk } from '../inbox/item.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';
import type { Notice, NoticeKind } from './kinds.ts';

/** False if the channel was told of it before, or is going to be. */
export async function insertDelivery(
  uow: UnitOfWork,
  channelId: string,
  notice: Notice,
  due: Micros,
  now: Micros,
): Promise<boolean> {
  const inserted = await uow.run(
    `insert into notification_deliveries (channel_id, notice_key, kind, project_id, risk, item_id, due_us, created_us)
     values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    [channelId, notice.key, notice.kind, notice.projectId, notice.risk, notice.itemId, due, now],
  );
  return inserted === 1;
}

/** Channels that something due waits for. */
export async function selectDueChannels(reader: Reader, now: Micros): Promise<string[]> {
  const rows = await reader.all<{ channel_id: string }>(
    `select distinct channel_id from notification_deliveries where message_id is null and due_us <= ?
     order by channel_id`,
    [now],
  );
  return rows.map((row) => row.channel_id);
}

/** Makes what is due part of a message. Of several that try, one gets each. */
export function assignDue(
  uow: UnitOfWork,
  channelId: string,
  messageId: string,
  now: Micros,
): Promise<number> {
  return uow.run(
    `update notification_deliveries set message_id = ?
     where channel_id = ? and message_id is null and due_us <= ?`,
    [messageId, channelId, now],
  );
}

export interface Delivery {
  readonly kind: NoticeKind;
  readonly projectId: string;
  readonly risk: Risk | null;
  readonly itemId: string | null;
}

/** What a message tells of, in the order in which it was found. */
export async function selectDeliveries(reader: Reader, messageId: string): Promise<Delivery[]> {
  const rows = await reader.all<{
    kind: NoticeKind;
    project_id: string;
    risk: Risk | null;
    item_id: string | null;
  }>(
    'select kind, project_id, risk, item_id from notification_deliveries where message_id = ? order by seq',
    [messageId],
  );
  return rows.map((row) => ({
    kind: row.kind,
    projectId: row.project_id,
    risk: row.risk,
    itemId: row.item_id,
  }));
}

export async function countWaiting(reader: Reader, channelId: string): Promise<number> {
  const row = await reader.get<{ waiting: number }>(
    'select count(*) as waiting from notification_deliveries where channel_id = ? and message_id is null',
    [channelId],
  );
  return row?.waiting ?? 0;
}

/** What nobody came for in time. */
export function dropWaiting(uow: UnitOfWork, channelId: string, before: Micros): Promise<number> {
  return uow.run(
    'delete from notification_deliveries where channel_id = ? and message_id is null and due_us < ?',
    [channelId, before],
  );
}

export async function hasOlder(reader: Reader, before: Micros): Promise<boolean> {
  const row = await reader.get(
    'select 1 as one from notification_deliveries where created_us < ? and message_id is not null limit 1',
    [before],
  );
  return row !== undefined;
}

export async function deleteOlder(uow: UnitOfWork, before: Micros): Promise<void> {
  await uow.run('delete from notification_deliveries where created_us < ? and message_id is not null', [
    before,
  ]);
  await uow.run('delete from notification_messages where created_us < ?', [before]);
}

export interface Cursor {
  readonly leaf: number;
  readonly looked: Micros;
}

export async function selectCursor(reader: Reader): Promise<Cursor | undefined> {
  const row = await reader.get<{ leaf: number; looked_us: number }>(
    "select leaf, looked_us from notification_cursor where name = 'feed'",
  );
  return row && { leaf: row.leaf, looked: row.looked_us };
}

/** False when another process has moved it meanwhile: what this one found, that one has told. */
export async function moveCursor(uow: UnitOfWork, from: Cursor | undefined, to: Cursor): Promise<boolean> {
  const changed = from
    ? await uow.run(
        "update notification_cursor set leaf = ?, looked_us = ? where name = 'feed' and leaf = ? and looked_us = ?",
        [to.leaf, to.looked, from.leaf, from.looked],
      )
    : await uow.run(
        "insert into notification_cursor (name, leaf, looked_us) values ('feed', ?, ?) on conflict do nothing",
        [to.leaf, to.looked],
      );
  return changed === 1;
}

/** When nobody is to be told any more. */
export async function forgetCursor(uow: UnitOfWork): Promise<void> {
  await uow.run("delete from notification_cursor where name = 'feed'");
}
