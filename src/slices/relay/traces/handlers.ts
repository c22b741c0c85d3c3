import { chosenProject } from '../../../spine/identity/access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { RelayDeps } from '../ports.ts';
import { microsOf } from '../usage/schema.ts';
import { annotate, annotationView, removeAnnotation } from './annotate.ts';
import { selectAnnotations } from './annotation-store.ts';
import { compareTraces } from './compare.ts';
import { conversationOf } from './conversation.ts';
import { exportTrace } from './export-trace.ts';
import type { SpanFollower } from './follow-spans.ts';
import { listTraces } from './list-traces.ts';
import type { traceOperations } from './operations.ts';
import { readSession, turnsOfSession } from './read-session.ts';
import { readTraceCursor } from './trace-cursor.ts';
import { understood } from './understood-span.ts';
import { readWaterfall, spansOfTrace } from './waterfall.ts';

export interface TraceHandlerDeps extends Pick<RelayDeps, 'db' | 'clock' | 'ids'> {
  readonly follower: SpanFollower;
}

export function createTraceHandlers(deps: TraceHandlerDeps): Handlers<typeof traceOperations> {
  const { db, follower } = deps;
  return {
    'relay.traces': async ({ principal, input: { query } }) => {
      const projectId = chosenProject(principal, query.project);
      const filter = {
        sessionId: query.session_id,
        withoutSession: query.without_session,
        failed: query.status === undefined ? undefined : query.status === 'error',
        minDurationMs: query.min_duration_ms,
        from: microsOf(query.from),
        to: microsOf(query.to),
        before: query.cursor === undefined ? undefined : readTraceCursor(query.cursor),
      };
      await follower.catchUp();
      return { body: await db.read((reader) => listTraces(reader, projectId, filter, query.limit ?? 50)) };
    },
    'relay.session': async ({ principal, input: { query } }) => {
      const projectId = chosenProject(principal, query.project);
      await follower.catchUp();
      return { body: await db.read((reader) => readSession(reader, projectId, query.session_id)) };
    },
    'relay.conversation': async ({ principal, input: { query } }) => {
      const projectId = chosenProject(principal, query.project);
      await follower.catchUp();
      const { spans, complete } = await db.read((reader) =>
        turnsOfSession(reader, projectId, query.session_id),
      );
      return { body: { items: conversationOf(spans), complete } };
    },
    'relay.waterfall': async (reader, { principal, input: { path, query } }) => ({
      body: await readWaterfall(reader, chosenProject(principal, query.project), path.trace_id, query),
    }),
    'relay.compare': async (reader, { principal, input: { query } }) => {
      const projectId = chosenProject(principal, query.project);
      const left = await spansOfTrace(reader, projectId, query.left);
      const right = await spansOfTrace(reader, projectId, query.right);
      const compared = compareTraces(left.spans.map(understood), right.spans.map(understood));
      return { body: { ...compared, complete: left.complete && right.complete } };
    },
    'relay.trace.otlp': async (reader, { principal, input: { path, query } }) => {
      const resourceSpans = await exportTrace(reader, chosenProject(principal, query.project), path.trace_id);
      return { body: { resourceSpans: resourceSpans as unknown as Record<string, unknown>[] } };
    },
    'relay.annotate': async (uow, { principal, input: { query, body } }) => ({
      body: await annotate(uow, deps, principal, chosenProject(principal, query.project), body),
    }),
    'relay.annotations': async (reader, { principal, input: { query } }) => {
      const rows = await selectAnnotations(reader, chosenProject(principal, query.project), query.trace_id);
      return { body: { items: rows.map(annotationView) } };
    },
    'relay.annotation.remove': async (uow, { principal, input: { path, query } }) => {
      await removeAnnotation(uow, principal, chosenProject(principal, query.project), path.annotation_id);
      return { body: null };
    },
  };
}
