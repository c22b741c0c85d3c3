import type { Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { Channel, ChannelEvent } from '../schema.ts';

export interface ChannelRow extends Channel {
  readonly project_id: string;
  readonly created_us: Micros;
  readonly spec_seq: number;
}

/** Answers false where the id is taken. */
export async function insertChannel(uow: UnitOfWork, row: ChannelRow): Promise<boolean> {
  const changed = await uow.run(
    `insert into agent_channels (id, project_id, title, created_by, created_at, created_us, closed_at, last_seq, state_seq, spec_seq)
      values (?, ?, ?, ?, ?, ?, null, 0, 0, 0) on conflict (id) do nothing`,
    [row.id, row.project_id, row.title, row.created_by, row.created_at, row.created_us],
  );
  return changed > 0;
}

export function selectChannel(reader: Reader, id: string): Promise<ChannelRow | undefined> {
  return reader.get<ChannelRow>('select * from agent_channels where id = ?', [id]);
}

export function selectChannels(
  reader: Reader,
  projectId: string,
  { limit, includeClosed }: { readonly limit: number; readonly includeClosed: boolean },
): Promise<ChannelRow[]> {
  return reader.all<ChannelRow>(
    `select * from agent_channels where project_id = ? ${includeClosed ? '' : 'and closed_at is null'}
      order by created_us desc, id limit ?`,
    [projectId, limit],
  );
}

interface EventRow extends Omit<ChannelEvent, 'payload'> {
  readonly payload: string;
}

const COLUMNS = 'channel_id, seq, kind, author, posted_by, payload, created_at';

function eventOf(row: EventRow): ChannelEvent {
  return { ...row, payload: JSON.parse(row.payload) as Record<string, unknown> };
}

export async function insertEvent(
  uow: UnitOfWork,
  event: EventRow & { readonly created_us: Micros; readonly trace_id: string; readonly span_id: string },
): Promise<void> {
  await uow.run(
    `insert into agent_channel_events (channel_id, seq, kind, author, posted_by, payload, trace_id, span_id, created_at, created_us)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      event.channel_id,
      event.seq,
      event.kind,
      event.author,
      event.posted_by,
      event.payload,
      event.trace_id,
      event.span_id,
      event.created_at,
      event.created_us,
    ],
  );
  const newest = event.kind === 'state' ? ', state_seq = ?' : event.kind === 'spec' ? ', spec_seq = ?' : '';
  await uow.run(
    `update agent_channels set last_seq = ?${newest} where id = ?`,
    newest === '' ? [event.seq, event.channel_id] : [event.seq, event.seq, event.channel_id],
  );
}

export async function selectEvent(
  reader: Reader,
  channelId: string,
  seq: number,
): Promise<ChannelEvent | undefined> {
  const row = await reader.get<EventRow>(
    `select ${COLUMNS} from agent_channel_events where channel_id = ? and seq = ?`,
    [channelId, seq],
  );
  return row && eventOf(row);
}

export async function selectEvents(
  reader: Reader,
  channelId: string,
  {
    kind,
    after,
    limit,
  }: { readonly kind?: string | undefined; readonly after?: number | undefined; readonly limit: number },
): Promise<ChannelEvent[]> {
  const rows = await reader.all<EventRow>(
    `select ${COLUMNS} from agent_channel_events where channel_id = ? ${kind === undefined ? '' : 'and kind = ?'}
      ${after === undefined ? 'order by seq desc' : 'and seq > ? order by seq'} limit ?`,
    [channelId, ...(kind === undefined ? [] : [kind]), ...(after === undefined ? [] : [after]), limit],
  );
  return rows.map(eventOf);
}

/** The last status of each author. */
export async function selectStatuses(
  reader: Reader,
  channelId: string,
): Promise<{ author: string; created_us: Micros }[]> {
  return reader.all(
    `select author, max(created_us) as created_us from agent_channel_events where channel_id = ? and kind = 'status'
      group by author order by author`,
    [channelId],
  );
}

export async function closeChannel(uow: UnitOfWork, id: string, at: string): Promise<boolean> {
  return (
    (await uow.run('update agent_channels set closed_at = ? where id = ? and closed_at is null', [at, id])) >
    0
  );
}

export interface LeaseRow {
  readonly name: string;
  readonly holder: string;
  readonly fencing_token: number;
  readonly expires_us: Micros;
}

export function selectLease(reader: Reader, channelId: string, name: string): Promise<LeaseRow | undefined> {
  return reader.get<LeaseRow>(
    'select name, holder, fencing_token, expires_us from agent_channel_leases where channel_id = ? and name = ?',
    [channelId, name],
  );
}

export async function saveLease(uow: UnitOfWork, channelId: string, lease: LeaseRow): Promise<void> {
  await uow.run(
    `insert into agent_channel_leases (channel_id, name, holder, fencing_token, expires_us) values (?, ?, ?, ?, ?)
      on conflict (channel_id, name) do update set holder = excluded.holder, fencing_token = excluded.fencing_token,
        expires_us = excluded.expires_us`,
    [channelId, lease.name, lease.holder, lease.fencing_token, lease.expires_us],
  );
}

export interface CursorRow {
  readonly agent: string;
  readonly delivered_seq: number;
  readonly read_seq: number;
  readonly updated_us: Micros;
}

export function selectCursors(reader: Reader, channelId: string): Promise<CursorRow[]> {
  return reader.all<CursorRow>(
    'select agent, delivered_seq, read_seq, updated_us from agent_channel_cursors where channel_id = ? order by agent',
    [channelId],
  );
}

/** Cursors only go forward. */
export async function moveCursor(
  uow: UnitOfWork,
  channelId: string,
  agent: string,
  to: { readonly delivered: number; readonly read: number },
  now: Micros,
): Promise<CursorRow> {
  const known = (await selectCursors(uow, channelId)).find((cursor) => cursor.agent === agent);
  const read = Math.max(known?.read_seq ?? 0, to.read);
  const delivered = Math.max(known?.delivered_seq ?? 0, to.delivered, read);
  await uow.run(
    `insert into agent_channel_cursors (channel_id, agent, delivered_seq, read_seq, updated_us) values (?, ?, ?, ?, ?)
      on conflict (channel_id, agent) do update set delivered_seq = excluded.delivered_seq, read_seq = excluded.read_seq,
        updated_us = excluded.updated_us`,
    [channelId, agent, delivered, read, now],
  );
  return { agent, delivered_seq: delivered, read_seq: read, updated_us: now };
}

export function viewOfRow(row: ChannelRow): Channel {
  const { id, title, created_by, created_at, closed_at, last_seq, state_seq } = row;
  return { id, title, created_by, created_at, closed_at, last_seq, state_seq };
}

export function receiptOf({ updated_us, ...row }: CursorRow) {
  return { ...row, updated_at: formatMicros(updated_us) };
}
