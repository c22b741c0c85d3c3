/** What a resolution was made from, beside the trace: one line per request in `<session>.inputs.jsonl`. */
import { z } from 'zod';
import { openObject, riskTierSchema } from '../schema.ts';

export const recordedInputSchema = z.strictObject({
  inputs_version: z.literal('1'),
  session_id: z.string(),
  request_id: z.string(),
  resolution_id: z.string().nullable(),
  agent_id: z.string(),
  goal: z.string(),
  risk_tier: riskTierSchema,
  context_hints: z.array(z.string()),
  required_capabilities: z.array(z.string()),
  context: openObject,
  scopes: z.array(z.string()),
  decided_at: z.string(),
  atlases: z.array(
    z.strictObject({
      atlas_id: z.string(),
      version: z.string(),
      digest: z.string(),
      mode: z.enum(['enforce', 'log_only']),
    }),
  ),
  resolution_digest: z.string(),
});
export type RecordedInput = z.infer<typeof recordedInputSchema>;
