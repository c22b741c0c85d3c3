import { z } from 'zod';
import { defineOperations, outside, raw, read } from '../../../spine/operations/define.ts';
import { ownProject as project } from '../../../spine/operations/own-project.ts';
import { graphSchema, sessionSchema, spanSchema } from '../schema.ts';
import { instant } from '../usage/schema.ts';
import { CALL_KINDS } from './conventions.ts';

const limit = z.int().min(1).max(1000).optional();

export const spanOperations = defineOperations({
  'otlp.traces': {
    ...raw('ours', 'trace:write'),
    summary: 'Receive spans over OTLP/HTTP, in protobuf or JSON.',
    input: {},
    errors: ['invalid_otlp', 'export_too_large'],
    http: { method: 'POST', path: '/v1/traces' },
  },
  'otlp.logs': {
    ...raw('ours', 'trace:write'),
    summary: 'Receive events of Claude Code and Codex over OTLP/HTTP.',
    input: {},
    errors: ['invalid_otlp', 'export_too_large', 'unsupported_telemetry'],
    http: { method: 'POST', path: '/v1/logs' },
  },
  'otlp.metrics': {
    ...raw('ours', 'trace:write'),
    summary: 'Receive counters of Claude Code and Codex over OTLP/HTTP.',
    input: {},
    errors: ['invalid_otlp', 'export_too_large', 'unsupported_telemetry'],
    http: { method: 'POST', path: '/v1/metrics' },
  },
  'relay.sessions': {
    ...outside('ours', 'trace:read'),
    summary: 'List the sessions that have spans, latest first.',
    input: {
      query: z.object({
        project,
        words: z.string().min(1).max(200).optional().describe('Only sessions whose id contains this.'),
        limit,
        cursor: z.string().max(2000).optional().describe('`next` of the page before.'),
      }),
    },
    output: z.object({
      items: z.array(sessionSchema),
      total: z.int().describe('On all pages together.'),
      next: z.string().nullable().describe('The cursor of the next page; null after the last.'),
    }),
    errors: ['project_not_found', 'invalid_session_cursor'],
    http: { method: 'GET', path: '/v1/relay/sessions' },
    mcp: { tool: 'traces', action: 'sessions' },
    cli: { command: 'relay sessions' },
  },
  'relay.spans': {
    ...outside('ours', 'trace:read'),
    summary: 'List spans in the order they arrived, or the newest first; `next` continues the list.',
    description:
      'With `words`, durations or attributes at most 20,000 spans are looked at: an answer may have few items and still ' +
      'say that there is `more`.',
    input: {
      query: z.object({
        project,
        session_id: z.string().optional().describe('All spans of the traces of this session.'),
        trace_id: z.string().optional(),
        status: z.enum(['unset', 'ok', 'error']).optional(),
        agent: z.string().max(200).optional(),
        kind: z.enum(CALL_KINDS).optional(),
        model: z.string().max(200).optional(),
        tool: z.string().max(200).optional(),
        min_duration_ms: z.number().min(0).optional(),
        max_duration_ms: z.number().min(0).optional(),
        attribute: z
          .array(z.string().min(1).max(1000))
          .max(5)
          .optional()
          .describe('`key` or `key=value`; all of them must hold.'),
        words: z
          .string()
          .min(1)
          .max(200)
          .optional()
          .describe('Only spans whose name contains this, or whose span or trace id it is.'),
        newest: z.boolean().optional().describe('The newest first.'),
        after: z.int().min(0).optional(),
        before: z.int().min(0).optional().describe('`next` of the page before, when the newest come first.'),
        limit,
      }),
    },
    output: z.object({
      items: z.array(spanSchema),
      next: z.int(),
      more: z.boolean().describe('Whether a next page has anything.'),
      total: z.object({
        count: z.int(),
        exact: z.boolean().describe('False when there are more than `count`.'),
      }),
    }),
    errors: ['project_not_found', 'invalid_attribute_filter'],
    http: { method: 'GET', path: '/v1/relay/spans' },
    mcp: { tool: 'traces', action: 'spans' },
  },
  'relay.trace': {
    ...read('ours', 'trace:read'),
    summary: 'Read one trace as a tree of spans.',
    input: { path: z.object({ trace_id: z.string() }), query: z.object({ project }) },
    output: z.object({ trace_id: z.string(), spans: z.int(), roots: z.array(z.looseObject({})) }),
    errors: ['project_not_found', 'trace_not_found'],
    http: { method: 'GET', path: '/v1/relay/traces/{trace_id}' },
    mcp: { tool: 'traces', action: 'tree' },
  },
  'relay.graph': {
    ...outside('ours', 'trace:read'),
    summary: 'Show which agent handed over to which, how often and how fast, in one session or in all.',
    input: {
      query: z.object({
        project,
        session_id: z.string().optional(),
        from: instant.optional().describe('Without a session: 30 days ago if absent.'),
        to: instant.optional().describe('Without a session: now if absent.'),
      }),
    },
    output: graphSchema,
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/relay/graph' },
    mcp: { tool: 'traces', action: 'graph' },
    cli: { command: 'relay graph' },
  },
  'relay.session.derive': {
    ...outside('ours', 'open'),
    summary: 'Derive the session id of an issue, a thread, a ticket or a channel.',
    input: {
      query: z.object({ reference: z.string().describe('github:owner/repo#1, slack:…, linear:…, gitlab:…') }),
    },
    output: z.string(),
    errors: ['invalid_session_reference'],
    http: { method: 'GET', path: '/v1/relay/session-id' },
    cli: { command: 'relay session', positionals: ['reference'] },
  },
});
