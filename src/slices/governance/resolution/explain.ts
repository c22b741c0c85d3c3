import { parseInstant } from '../../../kernel/instant.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { governanceErrors } from '../errors.ts';
import { type Explanation, explain } from '../policies/rules/explain.ts';
import type { GovernanceDeps } from '../ports.ts';
import { factsFor } from './known-facts.ts';
import { askerOf } from './rules/input.ts';
import type { ExplainQuestion } from './schema.ts';

/** Decides as a resolution for the caller would, and says why. Nothing is stored. */
export async function explainDecisions(
  reader: Reader,
  deps: GovernanceDeps,
  principal: Principal,
  projectId: string,
  question: ExplainQuestion,
): Promise<Explanation[]> {
  const { sets, clock } = deps;
  const loaded = await sets.load(reader, projectId, question.atlas_ids);
  const { set } = loaded;
  const now = parseInstant(question.now ?? '')?.micros ?? clock.now();
  const input = {
    agentId: question.agent_id,
    riskTier: question.risk_tier,
    context: question.context ?? {},
    scopes: principal.scopes,
    now,
    asker: askerOf(principal, projectId),
    facts: await factsFor(reader, deps, loaded, projectId, now),
    ...(question.parameters && { parameters: question.parameters }),
  };
  const ids = question.action_id === undefined ? set.actionIds : [question.action_id];
  return ids.map((id) => {
    const explanation = explain(set, id, input);
    if (!explanation) throw governanceErrors.action_not_found({ pointer: '/action_id' });
    return explanation;
  });
}
