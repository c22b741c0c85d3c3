import { parseInstant } from '../../../kernel/instant.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { governanceErrors } from '../errors.ts';
import { type Explanation, explain } from '../policies/rules/explain.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { ExplainQuestion } from './schema.ts';

/** Decides as a resolution for the caller would, and says why. Nothing is stored. */
export async function explainDecisions(
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
