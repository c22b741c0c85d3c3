import { formatMicros } from '../../../kernel/instant.ts';
import { isJsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { relayErrors } from '../errors.ts';
import type { RelayService } from '../slice.ts';
import { SPAN_KIND, SPAN_STATUS } from '../spans/live-span.ts';
import { checkEnvelope, writeEnvelope } from './envelope.ts';
import type { channelOperations } from './operations.ts';
import {
  conceptFault,
  DEAD_AFTER_SECONDS,
  formatOf,
  newChannelId,
  readChannelId,
  STATUS_CADENCE_SECONDS,
} from './rules.ts';
import type { ChannelEvent, ChannelView } from './schema.ts';
import * as store from './store.ts';
import { renderView } from './view.ts';

const HANDOFF = 'handoff';
const LEASE_SECONDS = 60;
const ID_TRIES = 20;

export function createChannelHandlers(service: RelayService): Handlers<typeof channelOperations> {
  const { deps, tracer } = service;
  const { db, clock, random, hasher } = deps;

  async function channelOf(reader: Reader, given: string, principal: Principal): Promise<store.ChannelRow> {
    const id = readChannelId(given);
    const channel = id === undefined ? undefined : await store.selectChannel(reader, id);
    if (channel?.project_id !== principal.defaultProject) throw relayErrors.channel_not_found();
    return channel;
  }

  /** Locked, so that numbers have no gap and a compared state cannot change before it is replaced. */
  async function openChannel(
    uow: UnitOfWork,
    given: string,
    principal: Principal,
  ): Promise<store.ChannelRow> {
    await uow.lock(`channel:${readChannelId(given) ?? ''}`);
    const channel = await channelOf(uow, given, principal);
    if (channel.closed_at !== null)
      throw relayErrors.channel_closed({ details: { closed_at: channel.closed_at } });
    return channel;
  }

  const record = (
    uow: UnitOfWork,
    principal: Principal,
    type: string,
    payload: Record<string, string | number | null>,
  ) => deps.record(uow, { projectId: principal.defaultProject, actor: principal.actor, type, payload });

  async function view(reader: Reader, given: string, principal: Principal): Promise<ChannelView> {
    const channel = await channelOf(reader, given, principal);
    const event = async (seq: number) =>
      seq === 0 ? null : ((await store.selectEvent(reader, channel.id, seq)) ?? null);
    const now = clock.now();
    return {
      channel: store.viewOfRow(channel),
      onboarding: `This is ${channel.id}, a channel in which agents coordinate. Exchange goals, not commands. Read the spec and the state, say with a status that you are here, and take part.`,
      participate: [
        `POST /agent-channel/${channel.id}/event {"kind":"status","author":"you","payload":{"agent":"you","phase":"ready"}} at least every ${STATUS_CADENCE_SECONDS} seconds while you hold work`,
        `POST /agent-channel/${channel.id}/lease {"holder":"you"} before you change the state; send its fencing_token along`,
        `POST /agent-channel/${channel.id}/event {"kind":"state","payload":{…},"expected_state_seq":${channel.state_seq}} to change the state`,
        `GET /agent-channel/${channel.id}/events?after=${channel.last_seq}&wait=30&agent=you to wait for what comes`,
        `POST /agent-channel/${channel.id}/close when every concept is done`,
      ],
      spec: await event(channel.spec_seq),
      state: await event(channel.state_seq),
      agents: (await store.selectStatuses(reader, channel.id)).map(({ author, created_us }) => ({
        agent: author,
        last_status_at: formatMicros(created_us),
        alive: now - created_us <= DEAD_AFTER_SECONDS * 1e6,
      })),
      recent_events: await store.selectEvents(reader, channel.id, { limit: 20 }),
    };
  }

  async function newest(reader: Reader, given: string, principal: Principal, kind: 'state' | 'spec') {
    const channel = await channelOf(reader, given, principal);
    const seq = kind === 'state' ? channel.state_seq : channel.spec_seq;
    const event = seq === 0 ? undefined : await store.selectEvent(reader, channel.id, seq);
    if (!event) throw relayErrors.channel_state_missing();
    return { body: event.payload, headers: { etag: `"${seq}"` } };
  }

  function spanOf(channelId: string, kind: string, author: string, seq: number, payload: string) {
    const span = tracer.start(`agent-channel.event.${kind}`, SPAN_KIND.internal);
    const shown = deps.settings.content.mode !== 'none' && !deps.settings.content.hideInputs;
    span.set({
      sessionId: channelId,
      sessionSource: 'channel',
      agentId: author,
      agentName: author,
      agentRole: 'worker',
      userId: author,
      graphNodeId: author,
      spanKind: 'AGENT',
      channelId: channelId,
      channelEventKind: kind,
      channelEventSeq: seq,
      ...(shown && { inputValue: payload, inputMimeType: 'application/json' }),
    });
    span.status = { code: SPAN_STATUS.ok };
    return span;
  }

  async function requireFence(uow: UnitOfWork, channelId: string, token: number | undefined): Promise<void> {
    const lease = await store.selectLease(uow, channelId, HANDOFF);
    const held = lease !== undefined && lease.expires_us > clock.now();
    if (token !== undefined && (!held || lease.fencing_token !== token)) throw relayErrors.lease_lost();
    if (token === undefined && held) {
      throw relayErrors.lease_held({
        details: { holder: lease.holder, expires_at: formatMicros(lease.expires_us) },
      });
    }
  }

  async function eventsAfter(
    channelId: string,
    query: { kind?: string | undefined; after: number; limit: number },
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<ChannelEvent[]> {
    const read = () => db.read((reader) => store.selectEvents(reader, channelId, query));
    const until = performance.now() + waitSeconds * 1000;
    for (;;) {
      const { woken, stop } = nextCommit(signal, until - performance.now());
      const found = await read();
      if (found.length > 0 || performance.now() >= until || signal.aborted) {
        stop();
        return found;
      }
      await woken;
      stop();
    }
  }

  function nextCommit(signal: AbortSignal, ms: number): { readonly woken: Promise<void>; stop(): void } {
    let stop: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => {
      const off = db.onCommit(() => resolve());
      const timer = setTimeout(resolve, Math.max(0, ms));
      const abort = () => resolve();
      signal.addEventListener('abort', abort, { once: true });
      stop = () => {
        off();
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
    });
    return { woken, stop };
  }

  return {
    'channel.create': async (uow, { principal, input: { body } }) => {
      const now = clock.now();
      for (let left = ID_TRIES; left > 0; left -= 1) {
        const row: store.ChannelRow = {
          id: newChannelId(random),
          project_id: principal.defaultProject,
          title: body.title,
          created_by: body.created_by ?? principal.actor.id,
          created_at: formatMicros(now),
          created_us: now,
          closed_at: null,
          last_seq: 0,
          state_seq: 0,
          spec_seq: 0,
        };
        if (!(await store.insertChannel(uow, row))) continue;
        await record(uow, principal, 'channel.opened', {
          channel_id: row.id,
          title_digest: hasher.hex(row.title),
        });
        return { body: store.viewOfRow(row) };
      }
      throw relayErrors.channel_ids_exhausted();
    },
    'channel.list': async (reader, { principal, input: { query } }) => {
      const rows = await store.selectChannels(reader, principal.defaultProject, {
        limit: query.limit ?? 50,
        includeClosed: query.include_closed ?? true,
      });
      return { body: { channels: rows.map(store.viewOfRow) } };
    },
    'channel.page': async (request, { principal, input: { path } }) => {
      const query = new URL(request.url).searchParams.get('format');
      const page = renderView(
        await db.read((reader) => view(reader, path.id, principal)),
        formatOf(query, request.headers.get('accept')),
      );
      return new Response(page.text, { headers: { 'content-type': page.type } });
    },
    'channel.read': async (reader, { principal, input: { path } }) => ({
      body: await view(reader, path.id, principal),
    }),
    'channel.spec': (reader, { principal, input: { path } }) => newest(reader, path.id, principal, 'spec'),
    'channel.state': (reader, { principal, input: { path } }) => newest(reader, path.id, principal, 'state'),
    'channel.events': async ({ principal, input: { path, query }, signal }) => {
      const channel = await db.read((reader) => channelOf(reader, path.id, principal));
      const { kind, after, limit = 50, agent } = query;
      const events =
        after === undefined
          ? await db.read((reader) => store.selectEvents(reader, channel.id, { kind, limit }))
          : await eventsAfter(channel.id, { kind, after, limit }, query.wait ?? 0, signal);
      const highest = events.reduce((seq, event) => Math.max(seq, event.seq), after ?? 0);
      if (agent !== undefined && events.length > 0) {
        await db.write(async (uow) => {
          await uow.lock(`channel:${channel.id}`);
          await store.moveCursor(uow, channel.id, agent, { delivered: highest, read: 0 }, clock.now());
        });
      }
      return { body: { events, next: highest } };
    },
    'channel.follow': async ({ principal, input: { path, query, headers }, signal }) => {
      const channel = await db.read((reader) => channelOf(reader, path.id, principal));
      const from = headers['last-event-id'] ?? query.after ?? channel.last_seq;
      return (async function* () {
        for (let after = from; !signal.aborted; ) {
          const events = await eventsAfter(channel.id, { after, limit: 100 }, 55, signal);
          for (const event of events) yield { id: String(event.seq), event: event.kind, data: event };
          after = events.at(-1)?.seq ?? after;
        }
      })();
    },
    'channel.post': async (uow, { principal, document, input: { path, body, headers } }) => {
      const channel = await openChannel(uow, path.id, principal);
      const ifMatch = headers['if-match']?.replace(/^W\/|"/g, '');
      const expected = body.expected_state_seq ?? (ifMatch === undefined ? undefined : Number(ifMatch));
      if (expected !== undefined && expected !== channel.state_seq) {
        throw relayErrors.state_conflict({
          details: { expected_state_seq: expected, state_seq: channel.state_seq },
        });
      }
      if (body.kind === 'state') {
        await requireFence(uow, channel.id, body.fencing_token);
        const before =
          channel.state_seq === 0 ? undefined : await store.selectEvent(uow, channel.id, channel.state_seq);
        const fault = conceptFault(before?.payload, body.payload);
        if (fault)
          throw relayErrors.concept_conflict({ pointer: '/payload/concepts', details: { ...fault } });
      }
      const given = document && isJsonObject(document.value) ? document.value.payload : undefined;
      const payload = given === undefined ? JSON.stringify(body.payload) : writeJson(given);
      const now = clock.now();
      const seq = channel.last_seq + 1;
      const author = body.author || principal.actor.id;
      const span = spanOf(channel.id, body.kind, author, seq, payload);
      const event = {
        channel_id: channel.id,
        seq,
        kind: body.kind,
        author,
        posted_by: principal.actor.id,
        created_at: formatMicros(now),
      };
      await store.insertEvent(uow, {
        ...event,
        payload,
        created_us: now,
        trace_id: span.context.traceId,
        span_id: span.context.spanId,
      });
      await record(uow, principal, 'channel.posted', {
        channel_id: channel.id,
        seq,
        kind: body.kind,
        payload_digest: hasher.hex(payload),
      });
      uow.afterCommit(() => tracer.end(principal.defaultProject, span));
      return {
        body: { ...event, payload: body.payload },
        headers: { etag: `"${body.kind === 'state' ? seq : channel.state_seq}"` },
      };
    },
    'channel.close': async (uow, { principal, input: { path } }) => {
      await uow.lock(`channel:${readChannelId(path.id) ?? ''}`);
      const channel = await channelOf(uow, path.id, principal);
      const at = formatMicros(clock.now());
      if (await store.closeChannel(uow, channel.id, at))
        await record(uow, principal, 'channel.closed', { channel_id: channel.id });
      return { body: { ...store.viewOfRow(channel), closed_at: channel.closed_at ?? at } };
    },
    'channel.lease': async (uow, { principal, input: { path, body } }) => {
      const channel = await openChannel(uow, path.id, principal);
      const { name = HANDOFF, holder } = body;
      const now = clock.now();
      const lease = await store.selectLease(uow, channel.id, name);
      const held = lease !== undefined && lease.expires_us > now;
      if (
        body.fencing_token !== undefined &&
        !(held && lease.fencing_token === body.fencing_token && lease.holder === holder)
      ) {
        throw relayErrors.lease_lost();
      }
      if (body.fencing_token === undefined && held && !(await isDead(uow, channel.id, lease.holder, now))) {
        throw relayErrors.lease_held({
          details: { holder: lease.holder, expires_at: formatMicros(lease.expires_us) },
        });
      }
      const token = body.fencing_token ?? (lease?.fencing_token ?? 0) + 1;
      const expires = now + (body.ttl_seconds ?? LEASE_SECONDS) * 1e6;
      await store.saveLease(uow, channel.id, { name, holder, fencing_token: token, expires_us: expires });
      return { body: { name, holder, fencing_token: token, expires_at: formatMicros(expires) } };
    },
    'channel.release': async (uow, { principal, input: { path, body } }) => {
      await uow.lock(`channel:${readChannelId(path.id) ?? ''}`);
      const channel = await channelOf(uow, path.id, principal);
      const { name = HANDOFF } = body;
      const lease = await store.selectLease(uow, channel.id, name);
      if (!lease || lease.fencing_token !== body.fencing_token) throw relayErrors.lease_lost();
      // The number stays, so that the next token is a higher one.
      await store.saveLease(uow, channel.id, { ...lease, expires_us: 0 });
      return { body: null };
    },
    'channel.receipt': async (uow, { principal, input: { path, body } }) => {
      await uow.lock(`channel:${readChannelId(path.id) ?? ''}`);
      const channel = await channelOf(uow, path.id, principal);
      if (body.read_seq > channel.last_seq) throw relayErrors.receipt_ahead({ pointer: '/read_seq' });
      const cursor = await store.moveCursor(
        uow,
        channel.id,
        body.agent,
        { delivered: body.read_seq, read: body.read_seq },
        clock.now(),
      );
      return { body: store.receiptOf(cursor) };
    },
    'channel.receipts': async (reader, { principal, input: { path } }) => {
      const channel = await channelOf(reader, path.id, principal);
      return { body: { receipts: (await store.selectCursors(reader, channel.id)).map(store.receiptOf) } };
    },
    'channel.request': async ({ principal, input: { body } }) => ({
      body: {
        envelope: writeEnvelope({
          issuer: principal.actor.id,
          role: body.role,
          actionClass: body.action,
          hostClass: body.host,
          destructive: body.destructive ?? false,
          body: body.text || body.action,
          sessionId: body.session,
        }),
      },
    }),
    'channel.verify': async ({ principal, input: { body } }) => {
      const check = checkEnvelope(body.envelope, {
        issuers: body.issuers ?? [principal.actor.id],
        hosts: body.hosts ?? [],
      });
      if (!check.verified) throw relayErrors.envelope_unverified({ details: { reason: check.reason } });
      return { body: { verified: true, fields: { ...check.fields } } };
    },
  };

  /** Whoever said that it works and then fell silent for five times the cadence. */
  async function isDead(reader: Reader, channelId: string, agent: string, now: number): Promise<boolean> {
    const status = (await store.selectStatuses(reader, channelId)).find(({ author }) => author === agent);
    return status !== undefined && now - status.created_us > DEAD_AFTER_SECONDS * 1e6;
  }
}
