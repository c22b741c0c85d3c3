import { type CompiledAction, PHASES, type PolicySet } from '../../policies/rules/compile.ts';
import { decide } from '../../policies/rules/decide.ts';
import { type Counterexample, counterexample } from './counterexample.ts';
import { inputSpace } from './input-space.ts';

export interface DecisionChange {
  readonly action_id: string;
  readonly before: { readonly effect: string; readonly policy_id: string };
  readonly after: { readonly effect: string; readonly policy_id: string };
  readonly counterexample: Counterexample;
}

const STRICTNESS: Readonly<Record<string, number>> = { allow: 0, require_approval: 1, deny: 2 };

export function isStricter(change: DecisionChange): boolean {
  return (STRICTNESS[change.after.effect] ?? 0) > (STRICTNESS[change.before.effect] ?? 0);
}

/** One request for every way in which a decision on a common action changes. */
export function diffDecisions(
  before: PolicySet,
  after: PolicySet,
): { readonly changes: readonly DecisionChange[]; readonly complete: boolean } {
  const changes = new Map<string, DecisionChange>();
  let complete = true;
  for (const actionId of before.actionIds) {
    const old = before.action(actionId) as CompiledAction;
    const fresh = after.action(actionId);
    if (!fresh) continue;
    const policies = PHASES.flatMap((phase) => [...old.candidates[phase], ...fresh.candidates[phase]]);
    const space = inputSpace(policies, Math.min(old.tier, fresh.tier));
    complete &&= space.complete;
    for (const input of space.inputs) {
      const was = decide(old, input);
      const is = decide(fresh, input);
      const key = `${actionId} ${was.effect} ${is.effect}`;
      if (was.effect === is.effect || changes.has(key)) continue;
      changes.set(key, {
        action_id: actionId,
        before: { effect: was.effect, policy_id: was.policyId },
        after: { effect: is.effect, policy_id: is.policyId },
        counterexample: counterexample(actionId, input),
      });
    }
  }
  return { changes: [...changes.values()], complete };
}
