import { z } from 'zod';
import { defineOperations, outside, read, write } from '../../../spine/operations/define.ts';
import { ownProject as project } from '../../../spine/operations/own-project.ts';
import { instant } from '../usage/schema.ts';
import {
  annotationSchema,
  comparisonSchema,
  conversationSchema,
  newAnnotationSchema,
  sessionViewSchema,
  traceSummarySchema,
  waterfallSchema,
} from './schema.ts';

/** More of a trace than anybody reads. */
export const MOST_TRACE_SPANS = 10_000;

const traceId = z.string().max(64);
const sessionId = z.string().min(1).max(1000);

export const traceOperations = defineOperations({
  'relay.traces': {
    ...outside('ours', 'trace:read'),
    summary: 'List traces, the latest first, with or without a session.',
    input: {
      query: z.object({
        project,
        session_id: sessionId.optional(),
        without_session: z.boolean().optional().describe('Only traces of which no span names a session.'),
        status: z.enum(['error', 'ok']).optional().describe('`error`: with a span that failed.'),
        min_duration_ms: z.number().min(0).optional(),
        from: instant.optional(),
        to: instant.optional(),
        limit: z.int().min(1).max(200).optional(),
        cursor: z.string().max(200).optional().describe('`next` of the page before.'),
      }),
    },
    output: z.object({
      items: z.array(traceSummarySchema),
      next: z.string().nullable().describe('The cursor of the next page; null after the last.'),
    }),
    errors: ['project_not_found', 'invalid_trace_cursor'],
    http: { method: 'GET', path: '/v1/relay/traces' },
    mcp: { tool: 'traces', action: 'list' },
    cli: { command: 'relay traces' },
  },
  'relay.session': {
    ...outside('ours', 'trace:read'),
    summary: 'Sum up a session: agents, models, tokens, cost, what failed and what was slow.',
    input: { query: z.object({ project, session_id: sessionId }) },
    output: sessionViewSchema,
    errors: ['project_not_found', 'relay_session_not_found'],
    http: { method: 'GET', path: '/v1/relay/session' },
    mcp: { tool: 'traces', action: 'session' },
    cli: { command: 'relay summary', positionals: ['session_id'] },
  },
  'relay.conversation': {
    ...outside('ours', 'trace:read'),
    summary: 'Read a session as a conversation: who said what to whom.',
    input: { query: z.object({ project, session_id: sessionId }) },
    output: conversationSchema,
    errors: ['project_not_found', 'relay_session_not_found'],
    http: { method: 'GET', path: '/v1/relay/conversation' },
    mcp: { tool: 'traces', action: 'conversation' },
    cli: { command: 'relay conversation', positionals: ['session_id'] },
  },
  'relay.waterfall': {
    ...read('ours', 'trace:read'),
    summary: 'Read one trace as rows in the order of its tree, without attributes.',
    input: {
      path: z.object({ trace_id: traceId }),
      query: z.object({
        project,
        from: z
          .int()
          .min(0)
          .max(MOST_TRACE_SPANS)
          .optional()
          .describe('The row to begin at; 0 is the first.'),
        limit: z
          .int()
          .min(1)
          .max(MOST_TRACE_SPANS)
          .optional()
          .describe('At most so many rows; all by default.'),
        around: z.string().max(64).optional().describe('The page of `limit` rows that has this span.'),
      }),
    },
    output: waterfallSchema,
    errors: ['project_not_found', 'trace_not_found'],
    http: { method: 'GET', path: '/v1/relay/traces/{trace_id}/waterfall' },
    mcp: { tool: 'traces', action: 'waterfall' },
  },
  'relay.compare': {
    ...read('ours', 'trace:read'),
    summary: 'Compare two traces step by step.',
    input: { query: z.object({ project, left: traceId, right: traceId }) },
    output: comparisonSchema,
    errors: ['project_not_found', 'trace_not_found'],
    http: { method: 'GET', path: '/v1/relay/compare' },
    mcp: { tool: 'traces', action: 'compare_spans' },
    cli: { command: 'relay compare', positionals: ['left', 'right'] },
  },
  'relay.trace.otlp': {
    ...read('ours', 'trace:read'),
    summary: 'Export one trace as OTLP JSON, as any collector accepts it.',
    input: { path: z.object({ trace_id: traceId }), query: z.object({ project }) },
    output: z.object({ resourceSpans: z.array(z.looseObject({})) }),
    errors: ['project_not_found', 'trace_not_found'],
    http: { method: 'GET', path: '/v1/relay/traces/{trace_id}/otlp' },
    cli: { command: 'relay export', positionals: ['trace_id'] },
  },
  'relay.annotate': {
    ...write('ours', 'trace:write'),
    summary: 'Judge a trace or one of its spans: a label, a score or a note.',
    input: { query: z.object({ project }), body: newAnnotationSchema },
    output: annotationSchema,
    errors: ['project_not_found', 'trace_not_found', 'too_many_annotations'],
    http: { method: 'POST', path: '/v1/relay/annotations', status: 201 },
    mcp: { tool: 'traces', action: 'annotate' },
    cli: { command: 'relay annotate', positionals: ['trace_id', 'name'] },
  },
  'relay.annotations': {
    ...read('ours', 'trace:read'),
    summary: 'List the annotations of a trace.',
    input: { query: z.object({ project, trace_id: traceId }) },
    output: z.object({ items: z.array(annotationSchema) }),
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/relay/annotations' },
    mcp: { tool: 'traces', action: 'annotations' },
  },
  'relay.annotation.remove': {
    ...write('ours', 'trace:write'),
    summary: 'Remove an annotation of one’s own.',
    input: { path: z.object({ annotation_id: z.string().max(64) }), query: z.object({ project }) },
    output: z.null(),
    errors: ['project_not_found', 'annotation_not_found'],
    http: { method: 'DELETE', path: '/v1/relay/annotations/{annotation_id}', status: 204 },
    mcp: { tool: 'traces', action: 'remove_annotation' },
  },
});
