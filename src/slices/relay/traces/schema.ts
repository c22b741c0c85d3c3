import { z } from 'zod';
import { WORK_KINDS } from '../spans/conventions.ts';
import { costSchema } from '../usage/schema.ts';

export const traceSummarySchema = costSchema.extend({
  trace_id: z.string(),
  name: z.string().describe('The name of its root, or of the span that came first.'),
  service: z.string(),
  session_id: z.string().nullable(),
  spans: z.int(),
  errors: z.int(),
  start: z.string(),
  duration_ms: z.number(),
});
export type TraceSummaryView = z.infer<typeof traceSummarySchema>;

const hop = z.object({
  trace_id: z.string(),
  span_id: z.string(),
  name: z.string(),
  label: z.string().describe('Who worked, or who called whom: `a → b`.'),
  kind: z.enum(WORK_KINDS),
  duration_ms: z.number(),
  status: z.enum(['unset', 'ok', 'error']),
  status_message: z.string().optional(),
});

export const sessionViewSchema = z.object({
  session_id: z.string(),
  journal_session: z
    .object({ session_id: z.string(), callsign: z.string().nullable(), scheme: z.string() })
    .nullable()
    .describe('The Session that stands for it in the journal.'),
  traces: z.int(),
  spans: z.int(),
  errors: z.int(),
  agents: z.array(z.string()),
  first_at: z.string(),
  last_at: z.string(),
  usage: costSchema,
  models: z.array(costSchema.extend({ model: z.string(), calls: z.int() })),
  failures: z.array(hop).describe('Spans that failed, the first first; at most 20.'),
  slowest: z.array(hop).describe('The longest steps that wait for nothing below them; at most 10.'),
  reported: z
    .array(
      z.object({
        client: z.string(),
        metric: z.string(),
        attributes: z.record(z.string(), z.string()),
        value: z.number(),
      }),
    )
    .describe('Counters that the coding agent keeps itself.'),
  complete: z.boolean().describe('False when the session has more traces than were summed up.'),
});
export type SessionView = z.infer<typeof sessionViewSchema>;

export const conversationSchema = z.object({
  items: z.array(
    z.object({
      at: z.string(),
      from: z.string(),
      to: z.string(),
      text: z.string(),
      direction: z.enum(['request', 'reply']),
      kind: z.enum(WORK_KINDS),
      state: z.string().optional(),
      failed: z.boolean(),
      error: z.string().optional(),
      trace_id: z.string(),
      span_id: z.string(),
    }),
  ),
  complete: z.boolean(),
});
export type ConversationView = z.infer<typeof conversationSchema>;

export const waterfallSchema = z.object({
  trace_id: z.string(),
  session_id: z.string().nullable(),
  start: z.string(),
  duration_ms: z.number(),
  spans: z.int().describe('How many rows there are in all.'),
  errors: z.int(),
  failed: z
    .array(z.object({ row: z.int(), span_id: z.string() }))
    .describe('Which rows failed, whatever part was asked for; at most 500.'),
  own_time: z
    .array(z.object({ agent: z.string(), ms: z.number() }))
    .describe('What each agent spent itself, without what it waited for; the 20 busiest.'),
  usage: costSchema,
  from: z.int().describe('The number of the first row here.'),
  rows: z.array(
    hop.extend({
      parent_span_id: z.string().nullable(),
      depth: z.int(),
      offset_ms: z.number(),
      service: z.string(),
      agent: z.string(),
      model: z.string().optional(),
      tool: z.string().optional(),
      input_tokens: z.int().optional(),
      output_tokens: z.int().optional(),
      cost_usd: z.number().optional(),
    }),
  ),
  complete: z.boolean(),
});
export type WaterfallView = z.infer<typeof waterfallSchema>;

const side = z.object({
  span_id: z.string(),
  duration_ms: z.number(),
  status: z.string(),
  model: z.string().optional(),
  tokens: z.int(),
});

export const comparisonSchema = z.object({
  left: z.object({
    trace_id: z.string(),
    spans: z.int(),
    errors: z.int(),
    duration_ms: z.number(),
    tokens: z.int(),
  }),
  right: z.object({
    trace_id: z.string(),
    spans: z.int(),
    errors: z.int(),
    duration_ms: z.number(),
    tokens: z.int(),
  }),
  steps: z.array(
    z.object({
      path: z.array(z.string()).describe('Names from the root down; the last says which of its kind it is.'),
      change: z.enum(['same', 'changed', 'only_left', 'only_right']),
      differences: z.array(z.enum(['status', 'model', 'input', 'output', 'tokens'])),
      left: side.nullable(),
      right: side.nullable(),
    }),
  ),
  complete: z.boolean(),
});
export type ComparisonView = z.infer<typeof comparisonSchema>;

export const annotationSchema = z.object({
  annotation_id: z.string(),
  trace_id: z.string(),
  span_id: z.string().nullable(),
  name: z.string(),
  label: z.string().nullable(),
  score: z.number().nullable(),
  note: z.string().nullable(),
  made_by: z.string(),
  created_at: z.string(),
});
export type AnnotationView = z.infer<typeof annotationSchema>;

export const newAnnotationSchema = z
  .object({
    trace_id: z.string().regex(/^[0-9a-f]{32}$/),
    span_id: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .optional()
      .describe('The span that is judged; the whole trace if absent.'),
    name: z.string().min(1).max(100).describe('What is judged, such as `task_outcome_correct`.'),
    label: z.string().min(1).max(100).optional(),
    score: z.number().optional(),
    note: z.string().min(1).max(4000).optional(),
  })
  .refine(({ label, score, note }) => [label, score, note].some((value) => value !== undefined), {
    message: 'An annotation has a label, a score or a note.',
  });
export type NewAnnotation = z.infer<typeof newAnnotationSchema>;
