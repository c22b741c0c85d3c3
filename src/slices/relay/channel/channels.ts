import { formatMicros } from '../../../kernel/instant.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { grantsScope } from '../../../spine/identity/scopes.ts';
import { requireVoice } from '../../../spine/identity/voice.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { relayErrors } from '../errors.ts';
import type { RelayDeps } from '../ports.ts';
import type { Channel, ChannelView } from '../schema.ts';
import type { Tracer } from '../spans/tracer.ts';
import { DEAD_AFTER_SECONDS, newChannelId, readChannelId, STATUS_CADENCE_SECONDS } from './rules.ts';
import {
  type ChannelRow,
  insertChannel,
  closeChannel as markClosed,
  selectChannel,
  selectEvent,
  selectEvents,
  selectStatuses,
  viewOfRow,
} from './store.ts';

export interface ChannelDeps
  extends Pick<RelayDeps, 'db' | 'clock' | 'random' | 'hasher' | 'settings' | 'record'> {
  readonly tracer: Tracer;
}

const ID_TRIES = 20;

export async function findChannel(reader: Reader, principal: Principal, id: string): Promise<ChannelRow> {
  const known = readChannelId(id);
  const channel = known === undefined ? undefined : await selectChannel(reader, known);
  if (channel?.project_id !== principal.defaultProject) throw relayErrors.channel_not_found();
  return channel;
}

/** Locked, so that numbers have no gap and a compared state cannot change before it is replaced. */
export async function lockChannel(uow: UnitOfWork, principal: Principal, id: string): Promise<ChannelRow> {
  await uow.lock(`channel:${readChannelId(id) ?? ''}`);
  return findChannel(uow, principal, id);
}

/** Locked, and refused if it is closed. */
export async function openChannel(uow: UnitOfWork, principal: Principal, id: string): Promise<ChannelRow> {
  const channel = await lockChannel(uow, principal, id);
  if (channel.closed_at !== null)
    throw relayErrors.channel_closed({ details: { closed_at: channel.closed_at } });
  return channel;
}

export async function createChannel(
  uow: UnitOfWork,
  { clock, random, hasher, record }: ChannelDeps,
  principal: Principal,
  input: { readonly title: string; readonly created_by?: string | undefined },
): Promise<Channel> {
  const { defaultProject: projectId, actor } = principal;
  const creator = input.created_by ?? actor.id;
  requireVoice(principal, creator, '/created_by');
  const now = clock.now();
  for (let left = ID_TRIES; left > 0; left -= 1) {
    const row: ChannelRow = {
      id: newChannelId(random),
      project_id: projectId,
      title: input.title,
      created_by: creator,
      created_at: formatMicros(now),
      created_us: now,
      closed_at: null,
      last_seq: 0,
      state_seq: 0,
      spec_seq: 0,
    };
    if (!(await insertChannel(uow, row))) continue;
    const payload = {
      channel_id: row.id,
      title_digest: hasher.hex(row.title),
      ...(creator !== actor.id && { created_by: creator }),
    };
    await record(uow, { projectId, actor, type: 'channel.opened', payload });
    return viewOfRow(row);
  }
  throw relayErrors.channel_ids_exhausted();
}

export async function closeChannel(
  uow: UnitOfWork,
  { clock, record }: ChannelDeps,
  principal: Principal,
  id: string,
): Promise<Channel> {
  const channel = await lockChannel(uow, principal, id);
  const at = formatMicros(clock.now());
  if (await markClosed(uow, channel.id, at))
    await record(uow, {
      projectId: principal.defaultProject,
      actor: principal.actor,
      type: 'channel.closed',
      payload: { channel_id: channel.id },
    });
  return { ...viewOfRow(channel), closed_at: channel.closed_at ?? at };
}

export async function readChannel(
  reader: Reader,
  { clock }: ChannelDeps,
  principal: Principal,
  id: string,
): Promise<ChannelView> {
  const channel = await findChannel(reader, principal, id);
  const event = async (seq: number) =>
    seq === 0 ? null : ((await selectEvent(reader, channel.id, seq)) ?? null);
  const now = clock.now();
  return {
    channel: viewOfRow(channel),
    onboarding: `This is ${channel.id}, a channel in which agents coordinate. Exchange goals, not commands. Read the spec and the state, say with a status that you are here, and take part.`,
    participate: [
      `POST /agent-channel/${channel.id}/event {"kind":"status","author":"you","payload":{"agent":"you","phase":"ready"}} at least every ${STATUS_CADENCE_SECONDS} seconds while you hold work`,
      `POST /agent-channel/${channel.id}/lease {"holder":"you"} before you change the state; send its fencing_token along`,
      `POST /agent-channel/${channel.id}/event {"kind":"state","payload":{…},"expected_state_seq":${channel.state_seq}} to change the state`,
      `GET /agent-channel/${channel.id}/events?after=${channel.last_seq}&wait=30&agent=you to wait for what comes`,
      ...(grantsScope(principal.scopes, 'channel:manage')
        ? [`POST /agent-channel/${channel.id}/close when every concept is done`]
        : [
            'Say so in a status when every concept is done: a person, or a key with channel:manage, closes the channel',
          ]),
    ],
    spec: await event(channel.spec_seq),
    state: await event(channel.state_seq),
    agents: (await selectStatuses(reader, channel.id)).map(({ author, created_us }) => ({
      agent: author,
      last_status_at: formatMicros(created_us),
      alive: now - created_us <= DEAD_AFTER_SECONDS * 1e6,
    })),
    recent_events: await selectEvents(reader, channel.id, { limit: 20 }),
  };
}

/** The newest `state` or `spec`, and its number. */
export async function newestDocument(
  reader: Reader,
  principal: Principal,
  id: string,
  kind: 'state' | 'spec',
) {
  const channel = await findChannel(reader, principal, id);
  const seq = kind === 'state' ? channel.state_seq : channel.spec_seq;
  const event = seq === 0 ? undefined : await selectEvent(reader, channel.id, seq);
  if (!event) throw relayErrors.channel_state_missing();
  return { seq, payload: event.payload };
}
