import type { Micros } from '../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';
import type { MessageState } from './kinds.ts';

export interface Message {
  readonly messageId: string;
  readonly channelId: string;
  readonly state: MessageState;
  /** Where its link leads. */
  readonly origin: string;
  readonly things: number;
  readonly createdMicros: Micros;
  readonly endedMicros: Micros | null;
  readonly error: string | null;
}

interface MessageRow {
  readonly message_id: string;
  readonly channel_id: string;
  readonly state: MessageState;
  readonly origin: string;
  readonly things: number;
  readonly created_us: number;
  readonly ended_us: number | null;
  readonly error: string | null;
}

const COLUMNS = 'message_id, channel_id, state, origin, things, created_us, ended_us, error';

const messageOf = (row: MessageRow): Message => ({
  messageId: row.message_id,
  channelId: row.channel_id,
  state: row.state,
  origin: row.origin,
  things: row.things,
  createdMicros: row.created_us,
  endedMicros: row.ended_us,
  error: row.error,
});

export async function insertMessage(uow: UnitOfWork, message: Message): Promise<void> {
  await uow.run(`insert into notification_messages (${COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?)`, [
    message.messageId,
    message.channelId,
    message.state,
    message.origin,
    message.things,
    message.createdMicros,
    message.endedMicros,
    message.error,
  ]);
}

export async function selectMessage(reader: Reader, messageId: string): Promise<Message | undefined> {
  const row = await reader.get<MessageRow>(
    `select ${COLUMNS} from notification_messages where message_id = ?`,
    [messageId],
  );
  return row && messageOf(row);
}

/** False if it was in another state by now. */
export async function moveMessage(
  uow: UnitOfWork,
  messageId: string,
  from: MessageState,
  to: MessageState,
): Promise<boolean> {
  const moved = await uow.run(
    'update notification_messages set state = ? where message_id = ? and state = ?',
    [to, messageId, from],
  );
  return moved === 1;
}

/** How it ended; the first end stays. */
export async function endMessage(
  uow: UnitOfWork,
  messageId: string,
  state: MessageState,
  now: Micros,
  error: string | null,
): Promise<void> {
  await uow.run(
    'update notification_messages set state = ?, ended_us = ?, error = ? where message_id = ? and ended_us is null',
    [state, now, error, messageId],
  );
}

export async function countSince(reader: Reader, channelId: string, since: Micros): Promise<number> {
  const row = await reader.get<{ messages: number }>(
    'select count(*) as messages from notification_messages where channel_id = ? and created_us > ?',
    [channelId, since],
  );
  return row?.messages ?? 0;
}

/** Newest first, over all channels of a person. */
export async function selectMessagesOf(reader: Reader, actorId: string, limit: number): Promise<Message[]> {
  const rows = await reader.all<MessageRow>(
    `select ${COLUMNS.split(', ')
      .map((column) => `m.${column}`)
      .join(', ')}
     from notification_messages m join notification_channels c on c.channel_id = m.channel_id
     where c.actor_id = ? order by m.created_us desc, m.message_id desc limit ?`,
    [actorId, limit],
  );
  return rows.map(messageOf);
}

/** When a channel last told something, and what went wrong last. */
export async function selectFared(
  reader: Reader,
  channelId: string,
): Promise<{ readonly lastSent: Micros | null; readonly lastFault: Message | undefined }> {
  const sent = await reader.get<{ at: Micros | null }>(
    "select max(ended_us) as at from notification_messages where channel_id = ? and state = 'sent'",
    [channelId],
  );
  const fault = await reader.get<MessageRow>(
    `select ${COLUMNS} from notification_messages where channel_id = ? and error is not null
     order by created_us desc, message_id desc limit 1`,
    [channelId],
  );
  return { lastSent: sent?.at ?? null, lastFault: fault && messageOf(fault) };
}
