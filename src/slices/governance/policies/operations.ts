import { z } from 'zod';
import { defineOperations, read } from '../../../spine/operations/define.ts';
import { openObject, projectParameter, riskTierSchema } from '../schema.ts';

const question = z.strictObject({
  agent_id: z.string().min(1),
  action_id: z.string().optional(),
  risk_tier: riskTierSchema.optional(),
  context: openObject.optional(),
  parameters: openObject.optional(),
  atlas_ids: z.array(z.string()).optional(),
  now: z.string().optional(),
});
export type ExplainQuestion = z.infer<typeof question>;

export const policyOperations = defineOperations({
  'carp.explain': {
    ...read('cra', 'carp:resolve'),
    summary: 'Explain each decision: the rule that wins, the rules that match, and why the others do not.',
    input: { query: z.object({ project: projectParameter }), body: question },
    output: z.object({ explanations: z.array(z.looseObject({})) }),
    errors: ['project_not_found', 'atlas_not_found', 'action_not_found'],
    http: { method: 'POST', path: '/v1/explain' },
    mcp: { tool: 'governance', action: 'explain' },
    cli: { command: 'carp explain', positionals: ['action_id'] },
  },
});
