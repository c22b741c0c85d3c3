import { formatMicros, parseInstant } from '../../kernel/instant.ts';
import { chosenProject } from '../../spine/identity/access.ts';
import type { Handlers } from '../../spine/operations/handler.ts';
import { type PlainRequest, pathOf } from '../../spine/operations/plain.ts';
import { relayErrors } from './errors.ts';
import type { relayOperations } from './operations.ts';
import { createOperator } from './operator/operator.ts';
import { countSpooled, readCounters } from './otlp/store.ts';
import { selectPeers } from './peers/store.ts';
import type { RelayService } from './slice.ts';
import { deriveSessionId } from './spans/session-id.ts';
import { selectEdges, selectSessions, selectSpans } from './spans/store.ts';
import { graphOf, treeOf, viewOf } from './spans/views.ts';
import { selectTasks } from './tasks/store.ts';

const MAX_TRACE_SPANS = 10_000;

export function createRelayHandlers(service: RelayService): Handlers<typeof relayOperations> {
  const { settings } = service.deps;
  const operator = createOperator(service);
  return {
    'otlp.traces': (request, { principal }) => service.collector.receive(request, principal.defaultProject),
    'a2a.agent': (request) => service.relay.handle({ request, agent: request.params.agent ?? '', rest: '' }),
    'a2a.agent.rest': (request) =>
      service.relay.handle({ request, agent: request.params.agent ?? '', rest: restOf(request) }),
    'relay.sessions': async (reader, { principal, input: { query } }) => {
      const before = query.before === undefined ? undefined : parseInstant(query.before)?.micros;
      const rows = await selectSessions(reader, chosenProject(principal, query.project), {
        limit: query.limit ?? 50,
        before,
      });
      const items = rows.map(({ first_us, last_us, ...row }) => ({
        ...row,
        first_at: formatMicros(first_us),
        last_at: formatMicros(last_us),
      }));
      return { body: { items } };
    },
    'relay.spans': async (reader, { principal, input: { query } }) => {
      const spans = await selectSpans(reader, chosenProject(principal, query.project), {
        sessionId: query.session_id,
        traceId: query.trace_id,
        after: query.after,
        limit: query.limit ?? 200,
      });
      return { body: { items: spans.map(viewOf), next: spans.at(-1)?.seq ?? query.after ?? 0 } };
    },
    'relay.trace': async (reader, { principal, input: { path, query } }) => {
      const spans = await selectSpans(reader, chosenProject(principal, query.project), {
        traceId: path.trace_id,
        limit: MAX_TRACE_SPANS,
      });
      if (spans.length === 0) throw relayErrors.trace_not_found();
      const roots = treeOf(spans.map(viewOf)) as unknown as Record<string, unknown>[];
      return { body: { trace_id: path.trace_id, spans: spans.length, roots } };
    },
    'relay.graph': async (reader, { principal, input: { query } }) => ({
      body: graphOf(await selectEdges(reader, chosenProject(principal, query.project), query.session_id)),
    }),
    'relay.status': async (reader, { principal }) => {
      const counters = await readCounters(reader);
      return {
        body: {
          protocol: '0.4',
          peers: (await selectPeers(reader, principal.defaultProject)).length,
          star_enforce: settings.starEnforce,
          open_exchanges: service.relay.open,
          export: {
            endpoint: settings.exportUrl ?? null,
            waiting: await countSpooled(reader),
            sent: counters.exported ?? 0,
            rejected: counters.export_rejected ?? 0,
            dropped: counters.spool_dropped ?? 0,
          },
        },
      };
    },
    'relay.peers': async ({ principal, input: { query } }) => ({
      body: { items: await service.listPeers(principal.defaultProject, query.cards ?? true) },
    }),
    'relay.peer.register': async ({ principal, input: { body } }) => ({
      body: await service.registerPeer(principal, body),
    }),
    'relay.peer.remove': async (uow, { principal, input: { path } }) => {
      await service.removePeer(uow, principal, path.id);
      return { body: null };
    },
    'relay.session.derive': async ({ input: { query } }) => ({
      body: deriveSessionId(query.reference, service.deps.hasher),
    }),
    'relay.gate': async ({ principal, input: { body } }) => {
      await operator.gate(principal, body);
      return { body: null };
    },
    'relay.send': async ({ principal, input: { body }, signal }) => ({
      body: await operator.send(principal, body, signal),
    }),
    'relay.stream': async ({ principal, input: { query }, signal }) =>
      operator.stream(principal, query, signal),
    'relay.task.get': async ({ principal, input: { path }, signal }) => ({
      body: await operator.task(principal, 'tasks/get', path.task_id, signal),
    }),
    'relay.task.cancel': async ({ principal, input: { path }, signal }) => ({
      body: await operator.task(principal, 'tasks/cancel', path.task_id, signal),
    }),
    'relay.tasks': async (reader, { principal, input: { query } }) => {
      const rows = await selectTasks(reader, principal.defaultProject, {
        limit: query.limit ?? 50,
        peerId: query.peer_id,
      });
      const items = rows.map((row) => ({
        task_id: row.task_id,
        peer_id: row.peer_id,
        context_id: row.context_id,
        state: row.state,
        trace_id: row.trace_id,
        caller: row.caller,
        opened_at: formatMicros(row.opened_us),
        updated_at: formatMicros(row.updated_us),
      }));
      return { body: { items } };
    },
  };
}

/** Still encoded, as it goes on to the peer: `/a2a/{agent}/{rest}`. */
function restOf({ target }: PlainRequest): string {
  return pathOf(target).split('/').slice(3).join('/');
}
