import { present } from '../../../kernel/json/loose.ts';
import { defaultSensitivity, effectiveSensitivity, type SensitivityRules } from '../categories.ts';
import type { StoredProposal } from './shape.ts';

/**
 * What a person must see before they decide, beyond the protocol's own proposal: everything that approving would store,
 * and how sensitive it would count. What is not here cannot be consented to.
 */
export function reviewFields(proposal: StoredProposal, rules: SensitivityRules): Record<string, unknown> {
  const { category, sensitivity, scope, tags, priority, typeGiven, agentName, sessionId } = proposal;
  return {
    sensitivity: {
      ...present({ declared: sensitivity }),
      of_category: defaultSensitivity(category, rules),
      effective: effectiveSensitivity({ category, sensitivity }, rules),
    },
    scope,
    tags,
    priority,
    memory_type_given: typeGiven,
    ...present({ agent_name: agentName, session_id: sessionId, supersedes: proposal.supersedes }),
  };
}
