import type { Hasher } from '../../../kernel/hasher.ts';
import { formatMicros, parseInstant } from '../../../kernel/instant.ts';
import { chosenProject } from '../../../spine/identity/access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { Collector } from './collect.ts';
import type { spanOperations } from './operations.ts';
import { deriveSessionId } from './session-id.ts';
import { selectEdges, selectSessions, selectSpans } from './store.ts';
import { graphOf, readTrace, viewOf } from './views.ts';

export interface SpanHandlerDeps {
  readonly collector: Collector;
  readonly hasher: Hasher;
}

export function createSpanHandlers({ collector, hasher }: SpanHandlerDeps): Handlers<typeof spanOperations> {
  return {
    'otlp.traces': (request, { principal }) => collector.receive(request, principal.defaultProject),
    'relay.sessions': async (reader, { principal, input: { query } }) => {
      const before = query.before === undefined ? undefined : parseInstant(query.before)?.micros;
      const limit = query.limit ?? 50;
      const rows = await selectSessions(reader, chosenProject(principal, query.project), { limit, before });
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
