import { parseInstant } from '../../../kernel/instant.ts';
import { chosenProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { governanceErrors } from '../errors.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { ExplainQuestion, policyOperations } from './operations.ts';
import { type Explanation, explain } from './rules/explain.ts';

export function createPolicyHandlers(deps: GovernanceDeps): Handlers<typeof policyOperations> {
  return {
    'carp.explain': async (reader, { input, principal }) => {
      const projectId = chosenProject(principal, input.query.project);
      const explanations = await explainDecisions(reader, deps, principal, projectId, input.body);
      return { body: { explanations: explanations.map((each) => ({ ...each })) } };
    },
  };
}

/** Decides as a resolution would, for whoever asks: nothing is stored. */
async function explainDecisions(
  reader: Reader,
  { sets, clock }: GovernanceDeps,
  principal: Principal,
  projectId: string,
  question: ExplainQuestion,
): Promise<Explanation[]> {
  const { set } = await sets.load(reader, projectId, question.atlas_ids);
  const input = {
    agentId: question.agent_id,
    riskTier: question.risk_tier,
    context: question.context ?? {},
    scopes: principal.scopes,
    now: parseInstant(question.now ?? '')?.micros ?? clock.now(),
    ...(question.parameters && { parameters: question.parameters }),
  };
  const ids = question.action_id === undefined ? set.actionIds : [question.action_id];
  return ids.map((id) => {
    const explanation = explain(set, id, input);
    if (!explanation) throw governanceErrors.action_not_found({ pointer: '/action_id' });
    return explanation;
  });
}
