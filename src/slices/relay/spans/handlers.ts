import { formatMicros } from '../../../kernel/instant.ts';
import { chosenProject } from '../../../spine/identity/access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { relayErrors } from '../errors.ts';
import type { RelayDeps } from '../ports.ts';
import type { TelemetryCollector } from '../telemetry/receive.ts';
import type { SpanFollower } from '../traces/follow-spans.ts';
import { graphOfSession, graphOfTime } from '../traces/graph.ts';
import { microsOf } from '../usage/schema.ts';
import type { Collector } from './collect.ts';
import { findSpans, readCondition } from './find-spans.ts';
import type { spanOperations } from './operations.ts';
import { readSessionCursor, writeSessionCursor } from './session-cursor.ts';
import { deriveSessionId } from './session-id.ts';
import { selectSessions } from './session-store.ts';
import { readTrace, viewOf } from './views.ts';

export interface SpanHandlerDeps extends Pick<RelayDeps, 'db' | 'clock' | 'hasher'> {
  readonly collector: Collector;
  readonly telemetry: TelemetryCollector;
  readonly follower: SpanFollower;
}

const MONTH_MICROS = 30 * 86_400e6;
const STATUSES = { unset: 0, ok: 1, error: 2 };

export function createSpanHandlers({
  db,
  clock,
  collector,
  telemetry,
  follower,
  hasher,
}: SpanHandlerDeps): Handlers<typeof spanOperations> {
  return {
    'otlp.traces': (request, { principal }) => collector.receive(request, principal.defaultProject),
    'otlp.logs': (request, { principal }) => telemetry.logs(request, principal.defaultProject),
    'otlp.metrics': (request, { principal }) => telemetry.metrics(request, principal.defaultProject),
    'relay.sessions': async ({ principal, input: { query } }) => {
      const { cursor, words, limit = 50 } = query;
      const projectId = chosenProject(principal, query.project);
      const before = cursor === undefined ? undefined : readSessionCursor(cursor);
      await follower.catchUp();
      const { sessions, total, last } = await db.read((reader) =>
        selectSessions(reader, projectId, { limit, words, before }),
      );
      const items = sessions.map(({ first_us, last_us, ...row }) => ({
        ...row,
        first_at: formatMicros(first_us),
        last_at: formatMicros(last_us),
      }));
      return { body: { items, total, next: last ? writeSessionCursor(last) : null } };
    },
    'relay.spans': async ({ principal, input: { query } }) => {
      const projectId = chosenProject(principal, query.project);
      const { limit = 200, after, before, newest, words, agent, kind, model, tool } = query;
      const question = {
        ...{ sessionId: query.session_id, traceId: query.trace_id, after, before, newest, words, limit },
        ...{ agent, kind, model, tool, status: query.status && STATUSES[query.status] },
        ...{ minDurationMs: query.min_duration_ms, maxDurationMs: query.max_duration_ms },
        attributes: query.attribute?.map((text) => {
          const condition = readCondition(text);
          if (!condition) throw relayErrors.invalid_attribute_filter({ pointer: '/attribute' });
          return condition;
        }),
      };
      await follower.catchUp();
      const found = await db.read((reader) => findSpans(reader, projectId, question));
      const next = found.last ?? after ?? before ?? 0;
      return {
        body: { items: found.spans.map(viewOf), next, more: found.more, total: found.total },
      };
    },
    'relay.trace': async (reader, { principal, input: { path, query } }) => ({
      body: await readTrace(reader, chosenProject(principal, query.project), path.trace_id),
    }),
    'relay.graph': async ({ principal, input: { query } }) => {
      const projectId = chosenProject(principal, query.project);
      const sessionId = query.session_id;
      await follower.catchUp();
      const to = microsOf(query.to) ?? clock.now() + 1;
      const from = microsOf(query.from) ?? to - MONTH_MICROS;
      return {
        body: await db.read((reader) =>
          sessionId === undefined
            ? graphOfTime(reader, projectId, from, to)
            : graphOfSession(reader, projectId, sessionId),
        ),
      };
    },
    'relay.session.derive': async ({ input: { query } }) => ({
      body: deriveSessionId(query.reference, hasher),
    }),
  };
}
