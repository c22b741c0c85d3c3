import type { Hasher } from '../../../kernel/hasher.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { chosenProject } from '../../../spine/identity/access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { Collector } from './collect.ts';
import type { spanOperations } from './operations.ts';
import { readSessionCursor, writeSessionCursor } from './session-cursor.ts';
import { deriveSessionId } from './session-id.ts';
import { selectSessions } from './session-store.ts';
import { countSpans, selectEdges, selectSpans } from './store.ts';
import { graphOf, readTrace, viewOf } from './views.ts';

export interface SpanHandlerDeps {
  readonly collector: Collector;
  readonly hasher: Hasher;
}

export function createSpanHandlers({ collector, hasher }: SpanHandlerDeps): Handlers<typeof spanOperations> {
  return {
    'otlp.traces': (request, { principal }) => collector.receive(request, principal.defaultProject),
    'relay.sessions': async (reader, { principal, input: { query } }) => {
      const { cursor, words, limit = 50 } = query;
      const { sessions, total, last } = await selectSessions(
        reader,
        chosenProject(principal, query.project),
        { limit, words, before: cursor === undefined ? undefined : readSessionCursor(cursor) },
      );
      const items = sessions.map(({ first_us, last_us, ...row }) => ({
        ...row,
        first_at: formatMicros(first_us),
        last_at: formatMicros(last_us),
      }));
      return { body: { items, total, next: last ? writeSessionCursor(last) : null } };
    },
    'relay.spans': async (reader, { principal, input: { query } }) => {
      const projectId = chosenProject(principal, query.project);
      const { limit = 200, after, before, newest, words } = query;
      const filter = { sessionId: query.session_id, traceId: query.trace_id, after, before, newest, words };
      const found = await selectSpans(reader, projectId, { ...filter, limit: limit + 1 });
      const spans = found.slice(0, limit);
      const next = spans.at(-1)?.seq ?? after ?? before ?? 0;
      const total = await countSpans(reader, projectId, filter);
      return { body: { items: spans.map(viewOf), next, more: found.length > limit, total } };
    },
    'relay.trace': async (reader, { principal, input: { path, query } }) => ({
      body: await readTrace(reader, chosenProject(principal, query.project), path.trace_id),
    }),
    'relay.graph': async (reader, { principal, input: { query } }) => ({
      body: graphOf(await selectEdges(reader, chosenProject(principal, query.project), query.session_id)),
    }),
    'relay.session.derive': async ({ input: { query } }) => ({
      body: deriveSessionId(query.reference, hasher),
    }),
  };
}
