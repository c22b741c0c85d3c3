import { formatMicros } from '../../../kernel/instant.ts';
import type { JsonDocument } from '../../../kernel/json/reader.ts';
import { isJsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { requireVoice } from '../../../spine/identity/voice.ts';
import type { StreamItem } from '../../../spine/operations/handler.ts';
import type { Database, UnitOfWork } from '../../../spine/storage/database.ts';
import { relayErrors } from '../errors.ts';
import type { ChannelEvent, EventsQuery, NewChannelEvent } from '../schema.ts';
import { SPAN_KIND, SPAN_STATUS } from '../spans/live-span.ts';
import { type ChannelDeps, findChannel, lockChannel, openChannel } from './channels.ts';
import { requireFence } from './leases.ts';
import { conceptFault } from './rules.ts';
import * as store from './store.ts';

/**
 * Appends an event, and answers it with the number of the newest state. The payload is kept as `document` writes it.
 * Throws where the state has moved on since it was read, or somebody else holds the lease.
 */
export async function postEvent(
  uow: UnitOfWork,
  deps: ChannelDeps,
  principal: Principal,
  id: string,
  input: NewChannelEvent,
  document: JsonDocument | undefined,
): Promise<{ readonly event: ChannelEvent; readonly stateSeq: number }> {
  const { clock, hasher, tracer, record } = deps;
  const channel = await openChannel(uow, principal, id);
  const expected = input.expected_state_seq;
  if (expected !== undefined && expected !== channel.state_seq) {
    throw relayErrors.state_conflict({
      details: { expected_state_seq: expected, state_seq: channel.state_seq },
    });
  }
  if (input.kind === 'state') {
    await requireFence(uow, clock, principal, channel.id, input.fencing_token);
    const before =
      channel.state_seq === 0 ? undefined : await store.selectEvent(uow, channel.id, channel.state_seq);
    const fault = conceptFault(before?.payload, input.payload);
    if (fault) throw relayErrors.concept_conflict({ pointer: '/payload/concepts', details: { ...fault } });
  }
  const author = input.author || principal.actor.id;
  requireVoice(principal, author, '/author');
  const written = document && isJsonObject(document.value) ? document.value.payload : undefined;
  const payload = written === undefined ? JSON.stringify(input.payload) : writeJson(written);
  const now = clock.now();
  const event = {
    channel_id: channel.id,
    seq: channel.last_seq + 1,
    kind: input.kind,
    author,
    posted_by: principal.actor.id,
    created_at: formatMicros(now),
  };
  const span = spanOf(deps, event, payload);
  const { traceId, spanId } = span.context;
  await store.insertEvent(uow, { ...event, payload, created_us: now, trace_id: traceId, span_id: spanId });
  await record(uow, {
    projectId: principal.defaultProject,
    actor: principal.actor,
    type: 'channel.posted',
    payload: {
      channel_id: channel.id,
      seq: event.seq,
      kind: event.kind,
      ...(author !== principal.actor.id && { author }),
      payload_digest: hasher.hex(payload),
    },
  });
  uow.afterCommit(() => tracer.end(principal.defaultProject, span));
  return {
    event: { ...event, payload: input.payload },
    stateSeq: event.kind === 'state' ? event.seq : channel.state_seq,
  };
}

function spanOf(
  { tracer, settings }: ChannelDeps,
  { channel_id, kind, author, seq }: Omit<ChannelEvent, 'payload'>,
  payload: string,
) {
  const span = tracer.start(`agent-channel.event.${kind}`, SPAN_KIND.internal);
  const shown = settings.content.mode !== 'none' && !settings.content.hideInputs;
  span.set({
    sessionId: channel_id,
    sessionSource: 'channel',
    agentId: author,
    agentName: author,
    agentRole: 'worker',
    userId: author,
    graphNodeId: author,
    spanKind: 'AGENT',
    channelId: channel_id,
    channelEventKind: kind,
    channelEventSeq: seq,
    ...(shown && { inputValue: payload, inputMimeType: 'application/json' }),
  });
  span.status = { code: SPAN_STATUS.ok };
  return span;
}

export async function readEvents(
  { db, clock }: ChannelDeps,
  principal: Principal,
  id: string,
  { kind, limit = 50, after, wait = 0, agent }: EventsQuery,
  signal: AbortSignal,
): Promise<{ readonly events: ChannelEvent[]; readonly next: number }> {
  if (agent !== undefined) requireVoice(principal, agent, '/agent');
  const channel = await db.read((reader) => findChannel(reader, principal, id));
  const events =
    after === undefined
      ? await db.read((reader) => store.selectEvents(reader, channel.id, { kind, limit }))
      : await eventsAfter(db, channel.id, { kind, after, limit }, wait, signal);
  const highest = events.reduce((seq, event) => Math.max(seq, event.seq), after ?? 0);
  if (agent !== undefined && events.length > 0) {
    await db.write(async (uow) => {
      await uow.lock(`channel:${channel.id}`);
      await store.moveCursor(uow, channel.id, agent, { delivered: highest, read: 0 }, clock.now());
    });
  }
  return { events, next: highest };
}

/** From after `from`, or from now on. */
export async function followEvents(
  { db }: ChannelDeps,
  principal: Principal,
  id: string,
  from: number | undefined,
  signal: AbortSignal,
): Promise<AsyncIterable<StreamItem<ChannelEvent>>> {
  const channel = await db.read((reader) => findChannel(reader, principal, id));
  return (async function* () {
    for (let after = from ?? channel.last_seq; !signal.aborted; ) {
      const events = await eventsAfter(db, channel.id, { after, limit: 100 }, 55, signal);
      for (const event of events) yield { id: String(event.seq), event: event.kind, data: event };
      after = events.at(-1)?.seq ?? after;
    }
  })();
}

/** Notes that an agent has read up to an event. */
export async function acknowledge(
  uow: UnitOfWork,
  { clock }: ChannelDeps,
  principal: Principal,
  id: string,
  { agent, read_seq }: { readonly agent: string; readonly read_seq: number },
): Promise<store.CursorRow> {
  requireVoice(principal, agent, '/agent');
  const channel = await lockChannel(uow, principal, id);
  if (read_seq > channel.last_seq) throw relayErrors.receipt_ahead({ pointer: '/read_seq' });
  return store.moveCursor(uow, channel.id, agent, { delivered: read_seq, read: read_seq }, clock.now());
}

async function eventsAfter(
  db: Database,
  channelId: string,
  query: { kind?: string | undefined; after: number; limit: number },
  waitSeconds: number,
  signal: AbortSignal,
): Promise<ChannelEvent[]> {
  const read = () => db.read((reader) => store.selectEvents(reader, channelId, query));
  const until = performance.now() + waitSeconds * 1000;
  for (;;) {
    const { woken, stop } = nextCommit(db, signal, until - performance.now());
    const found = await read();
    if (found.length > 0 || performance.now() >= until || signal.aborted) {
      stop();
      return found;
    }
    await woken;
    stop();
  }
}

function nextCommit(
  db: Database,
  signal: AbortSignal,
  ms: number,
): { readonly woken: Promise<void>; stop(): void } {
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
