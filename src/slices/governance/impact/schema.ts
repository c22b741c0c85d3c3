import { z } from 'zod';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { openObject, riskTierSchema } from '../schema.ts';
import { decidingAtlasSchema, knowledgeShape } from '../traces/schema.ts';

/** What became of a call. `limited`: the rules let it pass, and a rate or a budget did not. */
const outcome = z.enum(['ran', 'denied', 'waited', 'limited']);

/** What a call was decided by, kept beside the trace: the parameters are in it, so that the call can be decided again. */
export const recordedCallSchema = z.strictObject({
  call_version: z.literal('1'),
  /** The span of the call in the trace. */
  call_id: z.string(),
  /** Steps of one command line are judged together: one that may not be done stops all of them. */
  group_id: z.string(),
  session_id: z.string(),
  request_id: z.string().nullable(),
  execution_id: z.string().nullable(),
  /** Executed by the server; run by the client itself, unseen by schemas; or asked about by another slice, uncounted by limits. */
  via: z.enum(['execute', 'client', 'check']),
  agent_id: z.string(),
  subagent: z.string().optional(),
  action_id: z.string(),
  risk_tier: riskTierSchema.optional(),
  context: openObject,
  scopes: z.array(z.string()),
  ...knowledgeShape,
  decided_at: z.string(),
  atlases: z.array(decidingAtlasSchema),
  decision: z.strictObject({
    effect: z.enum(['allow', 'deny', 'require_approval']),
    policy_id: z.string(),
    outcome,
  }),
  parameters: openObject,
});

/** With the parameters as they were written: rules tell `1.0` from `1`. */
export type RecordedCall = Omit<z.infer<typeof recordedCallSchema>, 'parameters'> & {
  readonly parameters: JsonObject;
};

const verdict = z.object({ effect: z.string(), policy_id: z.string() }).nullable();

export const changedDecisionSchema = z.object({
  kind: z.enum(['call', 'offer']).describe('A call that was made, or an action that a resolution offered.'),
  session_id: z.string(),
  request_id: z.string().nullable(),
  agent_id: z.string(),
  action_id: z.string(),
  decided_at: z.string(),
  parameters: openObject
    .optional()
    .describe('Of a call, for whoever made it and for whoever may decide on approvals.'),
  before: verdict,
  after: verdict,
});

export const SKIPPED = {
  atlas_missing: 'an Atlas that decided them is not at hand',
  parameters_not_recorded: 'their parameters were not recorded',
  unreadable: 'what was recorded of them cannot be read',
  not_reproduced: 'their own Atlases no longer give the recorded answer',
  too_many: 'they are more than can be compared at once',
} as const;
export type SkipReason = keyof typeof SKIPPED;

export const impactSchema = z.object({
  atlas_id: z.string(),
  version: z.string(),
  since: z.string().nullable(),
  until: z.string().nullable(),
  sessions: z.int(),
  requests: z.int().describe('Resolutions that were decided again.'),
  calls: z.int().describe('Calls that were decided again, with their parameters.'),
  decisions: z.int(),
  unconcerned: z.int().describe('Requests and calls that this Atlas had no say in.'),
  changed_count: z.int(),
  changed: z.array(changedDecisionSchema),
  summary: z.array(
    z.object({
      action_id: z.string(),
      before: z.string(),
      after: z.string(),
      calls: z.int(),
      offers: z.int(),
    }),
  ),
  skipped: z.int(),
  skips: z.array(z.object({ reason: z.enum(Object.keys(SKIPPED) as [SkipReason]), count: z.int() })),
});
export type Impact = z.infer<typeof impactSchema>;
export type ChangedDecision = z.infer<typeof changedDecisionSchema>;
