/** The wire formats that are ours; A2A and OTLP bring their own. */
import { z } from 'zod';
import { ACTOR_ID_RULE, isActorId } from '../../kernel/actor-id.ts';

export const taskSchema = z.object({
  task_id: z.string(),
  peer_id: z.string(),
  context_id: z.string().nullable(),
  state: z.string(),
  trace_id: z.string(),
  caller: z.string(),
  opened_at: z.string(),
  updated_at: z.string(),
});

export const sessionSchema = z.object({
  session_id: z.string(),
  traces: z.int(),
  spans: z.int(),
  agents: z.int(),
  errors: z.int(),
  first_at: z.string(),
  last_at: z.string(),
});

const spanEventSchema = z.object({
  time: z.string(),
  name: z.string(),
  attributes: z.record(z.string(), z.unknown()),
});

export const spanSchema = z.object({
  seq: z.int(),
  trace_id: z.string(),
  span_id: z.string(),
  parent_span_id: z.string().nullable(),
  name: z.string(),
  kind: z.string(),
  service: z.string(),
  start: z.string(),
  end: z.string(),
  duration_ms: z.number(),
  status: z.enum(['unset', 'ok', 'error']),
  status_message: z.string().optional(),
  attributes: z.record(z.string(), z.unknown()),
  events: z.array(spanEventSchema),
  links: z.array(z.object({ trace_id: z.string(), span_id: z.string() })).optional(),
});
export type SpanView = z.infer<typeof spanSchema>;

const latencySchema = { mean_ms: z.number(), p95_ms: z.number() };
export const graphSchema = z.object({
  nodes: z.array(z.object({ id: z.string(), spans: z.int(), errors: z.int() })),
  edges: z.array(
    z.object({ from: z.string(), to: z.string(), spans: z.int(), errors: z.int(), ...latencySchema }),
  ),
  complete: z.boolean().describe('False when there are more spans than were counted.'),
});
export type GraphView = z.infer<typeof graphSchema>;

export const statusSchema = z.object({
  protocol: z.string(),
  peers: z.int(),
  star_enforce: z.boolean(),
  open_exchanges: z.int(),
  export: z.object({
    endpoint: z.string().nullable(),
    waiting: z.int(),
    sent: z.int(),
    rejected: z.int(),
    dropped: z.int(),
  }),
});

export const sendSchema = z.object({
  to: z.string().describe('The peer.'),
  text: z.string().max(1_000_000),
  as: z
    .string()
    .max(128)
    .optional()
    .describe('The agent that speaks; by default the one the credential belongs to.'),
  context: z.string().max(256).optional().describe('The A2A contextId, which is the session.'),
  session: z
    .string()
    .max(256)
    .optional()
    .describe('A reference such as github:owner/repo#1, from which the session id is derived.'),
  task: z.string().max(256).optional().describe('Continue this task of the peer.'),
});
export type SendInput = z.infer<typeof sendSchema>;

export const gateSchema = z.object({
  verb: z.string().min(1).max(64),
  decision: z.enum(['allow', 'deny']),
  rule: z.string().min(1).max(64).describe('The rule that decided.'),
  reason: z.string().max(1000),
  arguments: z
    .record(z.string().max(64), z.string().max(256))
    .optional()
    .describe('Names and ids only, no content.'),
  commit: z.string().max(64).optional().describe('The commit the repository was at.'),
});
export type GateInput = z.infer<typeof gateSchema>;

export const exchangeSchema = z.object({
  task_id: z.string().nullable(),
  context_id: z.string().nullable(),
  state: z.string().nullable(),
  text: z.string(),
  trace_id: z.string(),
  result: z.looseObject({}),
});
export type ExchangeView = z.infer<typeof exchangeSchema>;

export const channelSchema = z.object({
  id: z.string(),
  title: z.string(),
  created_by: z.string(),
  created_at: z.string(),
  closed_at: z.string().nullable(),
  last_seq: z.int(),
  state_seq: z.int(),
});
export type Channel = z.infer<typeof channelSchema>;

export const channelEventSchema = z.object({
  channel_id: z.string(),
  seq: z.int(),
  kind: z.string(),
  author: z.string(),
  posted_by: z.string(),
  payload: z.record(z.string(), z.unknown()),
  created_at: z.string(),
});
export type ChannelEvent = z.infer<typeof channelEventSchema>;

export const channelViewSchema = z.object({
  channel: channelSchema,
  onboarding: z.string(),
  participate: z.array(z.string()),
  spec: channelEventSchema.nullable(),
  state: channelEventSchema.nullable(),
  agents: z.array(z.object({ agent: z.string(), last_status_at: z.string(), alive: z.boolean() })),
  recent_events: z.array(channelEventSchema),
});
export type ChannelView = z.infer<typeof channelViewSchema>;

export const leaseSchema = z.object({
  name: z.string(),
  holder: z.string(),
  fencing_token: z.int(),
  expires_at: z.string(),
});

export const receiptSchema = z.object({
  agent: z.string(),
  delivered_seq: z.int(),
  read_seq: z.int(),
  updated_at: z.string(),
});

/** How somebody who takes part in a channel is called. */
export const agent = z.string().max(128).refine(isActorId, ACTOR_ID_RULE);
export const leaseName = z.string().min(1).max(64).optional().describe('By default `handoff`.');

export const newChannelEventSchema = z.object({
  kind: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[\w.-]+$/),
  author: agent.optional(),
  payload: z.record(z.string(), z.unknown()),
  expected_state_seq: z.int().min(0).optional().describe('0 if there must be no state yet.'),
  fencing_token: z.int().min(1).optional().describe('Of the `handoff` lease, if somebody holds it.'),
});
export type NewChannelEvent = z.infer<typeof newChannelEventSchema>;

export const eventsQuerySchema = z.object({
  kind: z.string().max(64).optional(),
  limit: z.int().min(1).max(500).optional(),
  after: z.int().min(0).optional(),
  wait: z.number().min(0).max(55).optional(),
  agent: agent.optional().describe('The reader; the events are recorded as delivered to it.'),
});
export type EventsQuery = z.infer<typeof eventsQuerySchema>;

export const newLeaseSchema = z.object({
  holder: agent,
  name: leaseName,
  ttl_seconds: z.int().min(1).max(3600).optional(),
  fencing_token: z.int().min(1).optional().describe('To renew.'),
});
export type NewLease = z.infer<typeof newLeaseSchema>;

export const newEnvelopeSchema = z.object({
  action: z.string().min(1).max(64),
  host: z.string().min(1).max(128),
  role: z.enum(['relay', 'orchestrator', 'planner', 'validator', 'worker', 'deployer']),
  destructive: z.boolean().optional(),
  text: z.string().max(100_000).optional(),
  session: z.string().max(256).optional(),
});

export const envelopeCheckSchema = z.object({
  envelope: z.string().max(200_000),
  issuers: z.array(z.string()).optional().describe('Trusted issuers; by default only yourself.'),
  hosts: z.array(z.string()).optional().describe('Known host classes; by default any.'),
});
