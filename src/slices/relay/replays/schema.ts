import { z } from 'zod';
import { REASONS, type Reason } from './reasons.ts';

const reason = z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]);

export const replaySourceSchema = z
  .object({
    trace_id: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .optional()
      .describe('The messages of this trace.'),
    span_id: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .optional()
      .describe('Of the trace, only the message of this span.'),
    session_id: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe('The messages of this session, in their order.'),
    to: z
      .array(z.string().min(1).max(130))
      .max(50)
      .optional()
      .describe('The agents to send them to: a name, or `old=new` for each. By default those that got them.'),
    altered: z
      .boolean()
      .optional()
      .describe('Also send messages of which secrets are masked, as they are kept.'),
  })
  .refine(({ trace_id, session_id }) => (trace_id === undefined) !== (session_id === undefined), {
    message: 'Name a trace or a session.',
  })
  .refine(({ trace_id, span_id }) => span_id === undefined || trace_id !== undefined, {
    message: 'A span is named with its trace.',
  })
  .meta({ examples: [{ session_id: 'your-session-id' }] });
export type ReplaySource = z.infer<typeof replaySourceSchema>;

export const plannedStepSchema = z.object({
  number: z.int(),
  trace_id: z.string(),
  span_id: z.string(),
  from: z.string().describe('Who said it.'),
  agent: z.string().describe('Who got it.'),
  to: z.string().describe('Who is to get it now.'),
  governed: z.boolean().describe('Policy decides again whether it may be sent.'),
  streams: z.boolean(),
  text: z.string().describe('The beginning of its text.'),
  exact: z.boolean().describe('Known to be, word for word, what was sent.'),
  sent: z.boolean().describe('Whether it would be sent.'),
  reason: reason.optional(),
  why: z.string().optional(),
});
export type PlannedStep = z.infer<typeof plannedStepSchema>;

export const replayPlanSchema = z.object({
  messages: z.int(),
  to_send: z.int(),
  speaker: z.string().describe('In whose name they are sent: nobody speaks for whoever said it first.'),
  steps: z.array(plannedStepSchema).describe('The first 200.'),
});
export type ReplayPlan = z.infer<typeof replayPlanSchema>;

const side = z.object({
  trace_id: z.string(),
  span_id: z.string(),
  state: z.string().nullable(),
  kind: z.enum(['task', 'message']).describe('How the agent answered.'),
  error: z
    .object({
      failure_class: z.string().nullable(),
      code: z.number().nullable(),
      message: z.string().nullable(),
    })
    .nullable(),
  http_status: z.int().optional(),
  latency_ms: z.number(),
  first_event_ms: z.number().optional(),
  text_digest: z.string().optional().describe('SHA-256 of all its text, whatever is kept of it.'),
  text: z.string(),
  artifacts: z.int(),
  parts: z.array(z.object({ source: z.string(), kind: z.string(), value: z.string() })),
  pieces: z.int(),
});

const piece = z.object({ after_ms: z.number(), parts: z.int(), text: z.string() }).nullable();

export const comparedExchangeSchema = z.object({
  changes: z.array(z.enum(['state', 'kind', 'error', 'text', 'parts', 'artifacts', 'pieces'])),
  original: side.nullable().describe('Null where its spans are no longer kept.'),
  replayed: side.nullable(),
  latency_ratio: z.number().optional().describe('How many times as long it took this time.'),
  text_diff: z.array(z.object({ op: z.enum(['same', 'removed', 'added']), text: z.string() })).optional(),
  text_diff_cut: z.boolean().optional(),
  pieces: z
    .array(z.object({ same: z.boolean(), original: piece, replayed: piece }))
    .optional()
    .describe('Of a stream, as they are kept; only where one step is asked for.'),
});
export type ComparedExchange = z.infer<typeof comparedExchangeSchema>;

export const STEP_STATES = ['waiting', 'sending', 'sent', 'skipped', 'unknown'] as const;
export const REPLAY_STATES = ['running', 'ended', 'stopped', 'interrupted'] as const;

export const replayStepSchema = z.object({
  number: z.int(),
  state: z.enum(STEP_STATES),
  agent: z.string(),
  to: z.string(),
  exact: z.boolean(),
  trace_id: z.string().describe('Of the original.'),
  span_id: z.string(),
  new_trace_id: z.string().nullable(),
  reason: reason.optional(),
  why: z.string().optional(),
  compared: comparedExchangeSchema.optional(),
});
export type ReplayStepView = z.infer<typeof replayStepSchema>;

export const replaySchema = z.object({
  replay_id: z.string(),
  source: z.object({ kind: z.enum(['trace', 'session']), id: z.string() }),
  state: z.enum(REPLAY_STATES),
  why: z.string().nullable().describe('Why it ended before all were sent.'),
  made_by: z.string(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  messages: z.int(),
  sent: z.int(),
  skipped: z.int(),
});
export type ReplayView = z.infer<typeof replaySchema>;

export const replayPageSchema = replaySchema.extend({
  contexts: z
    .array(z.object({ original: z.string(), replayed: z.string() }))
    .describe('Which session stands for which of the original.'),
  steps: z.array(replayStepSchema),
  next: z.int().nullable().describe('`after` of the next page; null after the last.'),
});
export type ReplayPage = z.infer<typeof replayPageSchema>;
