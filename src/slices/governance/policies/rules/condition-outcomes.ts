import type { CompiledAction, CompiledPolicy } from './compile.ts';
import {
  agentFits,
  cedarFits,
  contextFits,
  countsUnclear,
  type DecisionInput,
  lacksScope,
  surroundingsOf,
} from './decide.ts';
import { tierRank } from './tiers.ts';
import { inWindow } from './time-window.ts';
import { testOutcomes } from './when/when.ts';

export interface ConditionOutcome {
  readonly condition: string;
  readonly held: boolean;
}

/** Every condition of a policy by itself, so that tests can be asked whether they have seen both sides of it. */
export function conditionOutcomes(
  policy: CompiledPolicy,
  { tier }: CompiledAction,
  input: DecisionInput,
): ConditionOutcome[] {
  const outcomes: ConditionOutcome[] = [];
  const add = (condition: string, held: boolean) => outcomes.push({ condition, held });
  if (policy.tiers !== undefined) {
    add('risk_tiers', (policy.tiers & (1 << Math.max(tier, tierRank(input.riskTier)))) !== 0);
  }
  if (policy.agents) add('agents', agentFits(policy, input));
  for (const entry of policy.context ?? [])
    add(`context_matches.${entry[0]}`, contextFits([entry], input.context));
  if (policy.window) add('time_window', inWindow(policy.window, input.now));
  if (policy.rule.when) {
    for (const { name, holds } of testOutcomes(
      policy.rule.when,
      surroundingsOf(input),
      countsUnclear(policy, input),
    ))
      add(name, holds);
  }
  if (policy.rule.cedar) add('cedar', cedarFits(policy, input));
  if (policy.type === 'scope') add('required_scopes', lacksScope(policy, input.scopes));
  return outcomes;
}
