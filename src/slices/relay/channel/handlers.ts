import type { Handlers } from '../../../spine/operations/handler.ts';
import { relayErrors } from '../errors.ts';
import {
  type ChannelDeps,
  closeChannel,
  createChannel,
  findChannel,
  newestDocument,
  readChannel,
} from './channels.ts';
import { checkEnvelope, writeEnvelope } from './envelope.ts';
import { acknowledge, followEvents, postEvent, readEvents } from './events.ts';
import { releaseLease, takeLease } from './leases.ts';
import type { channelOperations } from './operations.ts';
import { formatOf } from './rules.ts';
import { receiptOf, selectChannels, selectCursors, viewOfRow } from './store.ts';
import { renderView } from './view.ts';

export function createChannelHandlers(deps: ChannelDeps): Handlers<typeof channelOperations> {
  return {
    'channel.create': async (uow, { principal, input: { body } }) => ({
      body: await createChannel(uow, deps, principal, body),
    }),
    'channel.list': async (reader, { principal, input: { query } }) => {
      const rows = await selectChannels(reader, principal.defaultProject, {
        limit: query.limit ?? 50,
        includeClosed: query.include_closed ?? true,
      });
      return { body: { channels: rows.map(viewOfRow) } };
    },
    'channel.page': async (request, { principal, input: { path } }) => {
      const query = new URL(request.url).searchParams.get('format');
      const view = await deps.db.read((reader) => readChannel(reader, deps, principal, path.id));
      const page = renderView(view, formatOf(query, request.headers.get('accept')));
      return new Response(page.text, { headers: { 'content-type': page.type } });
    },
    'channel.read': async (reader, { principal, input: { path } }) => ({
      body: await readChannel(reader, deps, principal, path.id),
    }),
    'channel.spec': async (reader, { principal, input: { path } }) => {
      const { seq, payload } = await newestDocument(reader, principal, path.id, 'spec');
      return { body: payload, headers: { etag: `"${seq}"` } };
    },
    'channel.state': async (reader, { principal, input: { path } }) => {
      const { seq, payload } = await newestDocument(reader, principal, path.id, 'state');
      return { body: payload, headers: { etag: `"${seq}"` } };
    },
    'channel.events': async ({ principal, input: { path, query }, signal }) => ({
      body: await readEvents(deps, principal, path.id, query, signal),
    }),
    'channel.follow': ({ principal, input: { path, query, headers }, signal }) =>
      followEvents(deps, principal, path.id, headers['last-event-id'] ?? query.after, signal),
    'channel.post': async (uow, { principal, document, input: { path, body, headers } }) => {
      const ifMatch = headers['if-match']?.replace(/^W\/|"/g, '');
      const expected = body.expected_state_seq ?? (ifMatch === undefined ? undefined : Number(ifMatch));
      const input = { ...body, expected_state_seq: expected };
      const { event, stateSeq } = await postEvent(uow, deps, principal, path.id, input, document);
      return { body: event, headers: { etag: `"${stateSeq}"` } };
    },
    'channel.close': async (uow, { principal, input: { path } }) => ({
      body: await closeChannel(uow, deps, principal, path.id),
    }),
    'channel.lease': async (uow, { principal, input: { path, body } }) => ({
      body: await takeLease(uow, deps.clock, principal, path.id, body),
    }),
    'channel.release': async (uow, { principal, input: { path, body } }) => {
      await releaseLease(uow, principal, path.id, body);
      return { body: null };
    },
    'channel.receipt': async (uow, { principal, input: { path, body } }) => ({
      body: receiptOf(await acknowledge(uow, deps, principal, path.id, body)),
    }),
    'channel.receipts': async (reader, { principal, input: { path } }) => {
      const { id } = await findChannel(reader, principal, path.id);
      return { body: { receipts: (await selectCursors(reader, id)).map(receiptOf) } };
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
}
