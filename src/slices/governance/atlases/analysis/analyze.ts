import {
  type CompiledAction,
  type CompiledPolicy,
  PHASES,
  type PolicySet,
} from '../../policies/rules/compile.ts';
import { type DecisionInput, decide, fitsInput, inputFor } from '../../policies/rules/decide.ts';
import { tierRank } from '../../policies/rules/tiers.ts';
import { type Counterexample, counterexample, type InputSpace, inputSpace } from './input-space.ts';

export interface AnalysisFinding {
  readonly kind: 'dead' | 'shadowed' | 'over_broad' | 'unrunnable';
  readonly atlas_id: string;
  readonly policy_id?: string;
  readonly action_id?: string;
  readonly message: string;
  /** A request that another policy decided although this one matches, or one that it allows. */
  readonly counterexample?: Counterexample;
  readonly winner?: string;
}

export interface Analysis {
  readonly findings: readonly AnalysisFinding[];
  /** False if not every case was tried. What holds for all cases is said only where all were. */
  readonly complete: boolean;
}

interface Seen {
  /** All cases of every action that it has a say on were tried. */
  complete: boolean;
  fits: boolean;
  wins: boolean;
  overruled?: { readonly by: string; readonly example: Counterexample };
}

/** Tries every case that the policies can tell apart, and says which rules never matter and which actions never run. */
export function analyze(set: PolicySet): Analysis {
  const seen = new Map<CompiledPolicy, Seen>();
  for (const phase of PHASES)
    for (const policy of set.policies[phase]) seen.set(policy, { complete: true, fits: false, wins: false });
  const findings: AnalysisFinding[] = [];
  let complete = true;
  for (const actionId of set.actionIds) {
    const action = set.action(actionId) as CompiledAction;
    const space = spaceOf(action);
    complete &&= space.complete;
    if (!space.complete) {
      for (const phase of PHASES)
        for (const policy of action.candidates[phase]) (seen.get(policy) as Seen).complete = false;
    }
    let runnable = false;
    for (const input of space.inputs) runnable = observe(action, input, seen) || runnable;
    if (!runnable && space.complete) {
      findings.push({
        kind: 'unrunnable',
        atlas_id: action.atlasId,
        action_id: actionId,
        message: `Nobody can ever run ${actionId}`,
      });
    }
  }
  for (const [policy, state] of seen) findings.push(...judge(set, policy, state));
  return { findings, complete };
}

function spaceOf({ candidates, tier }: CompiledAction): InputSpace {
  const policies = PHASES.flatMap((phase) => candidates[phase]);
  return inputSpace(policies, tier);
}

/** Returns whether the action can run on this input. */
function observe(action: CompiledAction, input: DecisionInput, seen: Map<CompiledPolicy, Seen>): boolean {
  const verdict = decide(action, input);
  const tierBit = 1 << Math.max(action.tier, tierRank(input.riskTier));
  const effective = new Set([verdict.policy, ...verdict.approvals, ...verdict.limits]);
  for (const phase of PHASES) {
    for (const policy of action.candidates[phase]) {
      const state = seen.get(policy) as Seen;
      if (state.wins) continue;
      if (!policy.unconditional && !fitsInput(policy, tierBit, inputFor(action, input))) continue;
      state.fits = true;
      if (effective.has(policy)) state.wins = true;
      else {
        state.overruled ??= {
          by: verdict.policyId,
          example: counterexample(
            action.action.action_id,
            input,
            (each) =>
              (policy.unconditional || fitsInput(policy, tierBit, inputFor(action, each))) &&
              decide(action, each).policyId === verdict.policyId,
          ),
        };
      }
    }
  }
  return verdict.effect !== 'deny';
}

function judge(set: PolicySet, policy: CompiledPolicy, state: Seen): AnalysisFinding[] {
  const about = { atlas_id: policy.atlasId, policy_id: policy.policyId };
  if (!state.fits && state.complete)
    return [{ kind: 'dead', ...about, message: `${policy.policyId} matches no request at all` }];
  if (!state.wins && state.overruled && state.complete) {
    return [
      {
        kind: 'shadowed',
        ...about,
        message: `${policy.policyId} never decides: other rules come first wherever it matches`,
        counterexample: state.overruled.example,
        winner: state.overruled.by,
      },
    ];
  }
  return policy.type === 'allow' ? overBroad(set, policy) : [];
}

/** An unconditional allow that covers every action, dangerous ones included. */
function overBroad(set: PolicySet, policy: CompiledPolicy): AnalysisFinding[] {
  if (!policy.unconditional || policy.capabilities) return [];
  const own = set.actionIds
    .map((id) => set.action(id) as CompiledAction)
    .filter(({ atlasIndex }) => atlasIndex === policy.atlasIndex);
  if (own.length < 2 || !own.every((action) => action.candidates.allow.includes(policy))) return [];
  for (const action of own.filter(({ tier }) => tier >= tierRank('high'))) {
    const input = spaceOf(action).inputs.find((each) => decide(action, each).policy === policy);
    if (!input) continue;
    return [
      {
        kind: 'over_broad',
        atlas_id: policy.atlasId,
        policy_id: policy.policyId,
        action_id: action.action.action_id,
        message: `${policy.policyId} lets everyone run every action, even ${action.action.action_id}`,
        counterexample: counterexample(
          action.action.action_id,
          input,
          (each) => decide(action, each).policy === policy,
        ),
      },
    ];
  }
  return [];
}
