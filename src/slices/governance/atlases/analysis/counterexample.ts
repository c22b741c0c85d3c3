import { formatMillis } from '../../../../kernel/instant.ts';
import type { DecisionInput } from '../../policies/rules/decide.ts';

/** A request that shows a finding, as a person would write it down. */
export interface Counterexample {
  readonly action_id: string;
  readonly agent_id: string;
  readonly risk_tier: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly scopes: readonly string[];
  readonly now: string;
  readonly parameters?: unknown;
}

export function counterexample(actionId: string, input: DecisionInput): Counterexample {
  return {
    action_id: actionId,
    agent_id: input.agentId,
    risk_tier: input.riskTier ?? 'low',
    context: input.context,
    scopes: [...input.scopes],
    now: formatMillis(input.now),
    ...(input.parameters !== undefined && { parameters: input.parameters }),
  };
}
