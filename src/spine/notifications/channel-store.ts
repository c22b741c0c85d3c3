import type { Micros } from '../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';
import type { ChannelKind, Content, QuietHours, Rule } from './kinds.ts';

/** How one person is told: where to, of what, how much and when. */
export interface Channel {
  readonly channelId: string;
  readonly actorId: string;
  readonly kind: ChannelKind;
  readonly label: string;
  /** As much of the address as is shown again. */
  readonly shown: string;
  /** The address and what belongs to it; see `vault.ts`. */
  readonly sealed: string;
  readonly salt: string;
  readonly rules: readonly Rule[];
  readonly content: Content;
  readonly quiet: QuietHours | null;
  readonly zone: string;
  readonly digestAt: string;
  readonly paused: boolean;
  readonly createdAt: string;
  readonly createdMicros: Micros;
}

interface ChannelRow {
  readonly channel_id: string;
  readonly actor_id: string;
  readonly kind: ChannelKind;
  readonly label: string;
  readonly shown: string;
  readonly sealed: string;
  readonly salt: string;
  readonly rules: string;
  readonly content: Content;
  readonly quiet: string;
  readonly zone: string;
  readonly digest_at: string;
  readonly paused: number;
  readonly created_at: string;
  readonly created_us: number;
}

const COLUMNS = `channel_id, actor_id, kind, label, shown, sealed, salt, rules, content, quiet, zone, digest_at, paused,
  created_at, created_us`;

const channelOf = (row: ChannelRow): Channel => ({
  channelId: row.channel_id,
  actorId: row.actor_id,
  kind: row.kind,
  label: row.label,
  shown: row.shown,
  sealed: row.sealed,
  salt: row.salt,
  rules: JSON.parse(row.rules),
  content: row.content,
  quiet: JSON.parse(row.quiet),
  zone: row.zone,
  digestAt: row.digest_at,
  paused: row.paused === 1,
  createdAt: row.created_at,
  createdMicros: row.created_us,
});

export async function insertChannel(uow: UnitOfWork, channel: Channel): Promise<void> {
  await uow.run(
    `insert into notification_channels (${COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      channel.channelId,
      channel.actorId,
      channel.kind,
      channel.label,
      channel.shown,
      channel.sealed,
      channel.salt,
      JSON.stringify(channel.rules),
      channel.content,
      JSON.stringify(channel.quiet),
      channel.zone,
      channel.digestAt,
      channel.paused ? 1 : 0,
      channel.createdAt,
      channel.createdMicros,
    ],
  );
}

/** Everything but whose it is and where it leads. */
export async function updateChannel(uow: UnitOfWork, channel: Channel): Promise<void> {
  await uow.run(
    `update notification_channels set label = ?, rules = ?, content = ?, quiet = ?, zone = ?, digest_at = ?, paused = ?
     where channel_id = ?`,
    [
      channel.label,
      JSON.stringify(channel.rules),
      channel.content,
      JSON.stringify(channel.quiet),
      channel.zone,
      channel.digestAt,
      channel.paused ? 1 : 0,
      channel.channelId,
    ],
  );
}

export async function deleteChannel(uow: UnitOfWork, channelId: string): Promise<void> {
  await uow.run('delete from notification_channels where channel_id = ?', [channelId]);
}

export async function selectChannel(reader: Reader, channelId: string): Promise<Channel | undefined> {
  const row = await reader.get<ChannelRow>(
    `select ${COLUMNS} from notification_channels where channel_id = ?`,
    [channelId],
  );
  return row && channelOf(row);
}

/** Oldest first. */
export async function selectChannelsOf(reader: Reader, actorId: string): Promise<Channel[]> {
  const rows = await reader.all<ChannelRow>(
    `select ${COLUMNS} from notification_channels where actor_id = ? order by created_us, channel_id`,
    [actorId],
  );
  return rows.map(channelOf);
}

export async function selectLiveChannels(reader: Reader): Promise<Channel[]> {
  const rows = await reader.all<ChannelRow>(
    `select ${COLUMNS} from notification_channels where paused = 0 order by channel_id`,
  );
  return rows.map(channelOf);
}

export async function hasLiveChannel(reader: Reader): Promise<boolean> {
  const row = await reader.get('select 1 as one from notification_channels where paused = 0 limit 1');
  return row !== undefined;
}
