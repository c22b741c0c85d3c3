import type { Clock, Random } from '../../kernel/clock.ts';
import { toHex } from '../../kernel/hex.ts';
import { prefixedId } from '../../kernel/ids.ts';
import { formatMicros } from '../../kernel/instant.ts';
import type { RecordEvent } from '../identity/ledger.ts';
import type { Principal } from '../identity/principal.ts';
import { standingPrincipals } from '../identity/standing-principals.ts';
import type { Reach } from '../outbound/address-guard.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';
import { type GivenAddress, readAddress } from './addresses.ts';
import {
  type Channel,
  deleteChannel,
  insertChannel,
  selectChannel,
  selectChannelsOf,
  updateChannel,
} from './channel-store.ts';
import { notificationErrors } from './errors.ts';
import { type Content, DEFAULT_RULES, type QuietHours, type Rule } from './kinds.ts';
import { selectMail } from './mail-store.ts';
import { isZone } from './rules/due.ts';
import type { Vault } from './vault.ts';

export interface ChannelSettings {
  readonly label?: string | undefined;
  readonly rules?: readonly Rule[] | undefined;
  readonly content?: Content | undefined;
  readonly quiet?: QuietHours | null | undefined;
  readonly zone?: string | undefined;
  readonly digestAt?: string | undefined;
  readonly paused?: boolean | undefined;
}

export interface ChannelDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly record: RecordEvent;
  readonly vault: Vault;
  readonly reach: Reach;
}

const MOST_CHANNELS = 10;

/** Their own channels, and nobody else's: whose it is follows from the credential. */
export async function ownChannel(reader: Reader, by: Principal, channelId: string): Promise<Channel> {
  requirePersonalChannels(by);
  const channel = await selectChannel(reader, channelId);
  if (channel?.actorId !== by.actor.id) throw notificationErrors.channel_not_found();
  return channel;
}

function requirePersonalChannels(by: Principal): void {
  if (by.actor.type !== 'human') throw notificationErrors.people_only();
}

export async function addChannel(
  uow: UnitOfWork,
  deps: ChannelDeps,
  by: Principal,
  given: GivenAddress & ChannelSettings,
): Promise<{ readonly channel: Channel; readonly secret: string | undefined }> {
  requirePersonalChannels(by);
  const { clock, random, vault, reach } = deps;
  // What they are told later is what their stored keys allow; without one that is nothing.
  if ((await standingPrincipals(uow, by.actor.id, clock.now())).length === 0)
    throw notificationErrors.people_only();
  if ((await selectChannelsOf(uow, by.actor.id)).length >= MOST_CHANNELS)
    throw notificationErrors.too_many_channels();
  if (given.kind === 'email' && !(await selectMail(uow))) throw notificationErrors.mail_not_set();
  const { address, shown } = readAddress(given, random, reach);
  const now = clock.now();
  const channelId = prefixedId('chn', random);
  const channel = changed(
    {
      channelId,
      actorId: by.actor.id,
      kind: given.kind,
      label: shown,
      shown,
      sealed: vault.sealAddress(channelId, address),
      salt: toHex(random.bytes(16)),
      rules: DEFAULT_RULES,
      content: 'kind',
      quiet: null,
      zone: 'UTC',
      digestAt: '08:00',
      paused: false,
      createdAt: formatMicros(now),
      createdMicros: now,
    },
    given,
  );
  await insertChannel(uow, channel);
  await note(uow, deps, by, 'notification.channel_added', channel);
  return { channel, secret: address.kind === 'webhook' ? address.secret : undefined };
}

export async function changeChannel(
  uow: UnitOfWork,
  deps: ChannelDeps,
  by: Principal,
  channelId: string,
  settings: ChannelSettings,
): Promise<Channel> {
  const channel = changed(await ownChannel(uow, by, channelId), settings);
  await updateChannel(uow, channel);
  await note(uow, deps, by, 'notification.channel_changed', channel);
  return channel;
}

export async function removeChannel(
  uow: UnitOfWork,
  deps: ChannelDeps,
  by: Principal,
  channelId: string,
): Promise<void> {
  const channel = await ownChannel(uow, by, channelId);
  await deleteChannel(uow, channelId);
  await note(uow, deps, by, 'notification.channel_removed', channel);
}

function changed(channel: Channel, settings: ChannelSettings): Channel {
  const { zone = channel.zone } = settings;
  if (!isZone(zone)) {
    throw notificationErrors.channel_invalid({ message: 'There is no such time zone.', pointer: '/zone' });
  }
  return {
    ...channel,
    label: settings.label ?? channel.label,
    rules: settings.rules ?? channel.rules,
    content: settings.content ?? channel.content,
    quiet: settings.quiet === undefined ? channel.quiet : settings.quiet,
    zone,
    digestAt: settings.digestAt ?? channel.digestAt,
    paused: settings.paused ?? channel.paused,
  };
}

/** On record: that there is a channel, and of which kind. Where it leads is nobody's but theirs. */
async function note(
  uow: UnitOfWork,
  { record }: ChannelDeps,
  by: Principal,
  type: string,
  { channelId, kind }: Channel,
): Promise<void> {
  await record(uow, {
    projectId: by.defaultProject,
    actor: by.actor,
    type,
    payload: { channel_id: channelId, kind },
  });
}
