/** One side of a comparison: how recorded calls come out by some versions of Atlases, with what limits they spend. */
import type { Micros } from '../../../../kernel/clock.ts';
import { parseInstant } from '../../../../kernel/instant.ts';
import { toPlain } from '../../../../kernel/json/plain.ts';
import { parameterFaults, schemaProblem } from '../../execution/parameter-check.ts';
import { type AppliedLimit, appliedLimits } from '../../policies/rules/applied-limits.ts';
import type { Charge } from '../../policies/rules/budget.ts';
import type { PolicySet } from '../../policies/rules/compile.ts';
import { type DecisionInput, decide, onlyLogs } from '../../policies/rules/decide.ts';
import { addDecimals } from '../../policies/rules/decimal.ts';
import { judgeLimits } from '../../policies/rules/judge-limits.ts';
import { knowledgeOf } from '../../resolution/known-facts.ts';
import type { RecordedCall } from '../schema.ts';

/** Null: no Atlas has the action. */
export type ImpactVerdict = {
  readonly effect: 'allow' | 'deny' | 'require_approval';
  readonly policy_id: string;
} | null;

/** A recorded call and when it failed, if it did: what it was charged may have been given back then. */
export interface CallOnRecord {
  readonly call: RecordedCall;
  readonly failed: Micros | null;
}

interface Judged {
  readonly verdict: ImpactVerdict;
  readonly limits: readonly AppliedLimit[];
  readonly enforce: boolean;
}

interface KeptCharge extends Charge {
  /** Not counted from then on. */
  readonly refunded: Micros | null;
}

export interface Side {
  /** Judges the steps of one call. Calls come in the order in which they were made. */
  judge(set: PolicySet, group: readonly CallOnRecord[]): ImpactVerdict[];
}

export function createSide(projectId: string): Side {
  const counters = new Map<string, KeptCharge[]>();

  function charge(group: readonly CallOnRecord[], judged: readonly Judged[]): (string | undefined)[] {
    const over: (string | undefined)[] = [];
    for (const [at, { limits, enforce }] of judged.entries()) {
      const { call, failed } = group[at] as CallOnRecord;
      if (call.via === 'check') continue;
      const now = instantOf(call);
      const usage = new Map(limits.map(({ key }) => [key, live(counters.get(key) ?? [], now)]));
      const verdict = judgeLimits(limits, usage, call.parameters, now, enforce);
      if (!verdict.ok) {
        over[at] = verdict.over.policyId;
        return over;
      }
      for (const { limit, amount } of verdict.charges) {
        const refundable = limit.kind === 'budget' && limit.rule.refundable;
        keep(limit, { at: now, amount, refunded: refundable ? failed : null }, now);
      }
    }
    return over;
  }

  function keep(limit: AppliedLimit, charge: KeptCharge, now: Micros): void {
    const { windowSeconds } = limit.rule;
    const kept = counters.get(limit.key) ?? [];
    if (windowSeconds !== undefined) {
      const since = now - windowSeconds * 1_000_000;
      counters.set(limit.key, [...kept.filter(({ at }) => at > since), charge]);
      return;
    }
    // What never expires and is never given back is one sum.
    const last = kept.at(-1);
    if (last && last.refunded === null && charge.refunded === null) {
      kept[kept.length - 1] = { ...charge, amount: addDecimals(last.amount, charge.amount) };
    } else kept.push(charge);
    counters.set(limit.key, kept);
  }

  return {
    judge(set, group) {
      const judged = group.map(({ call }) => judgeCall(set, call, projectId));
      const stopped = judged.some(
        ({ verdict, enforce }) => enforce && (verdict?.effect ?? 'deny') === 'deny',
      );
      const asked = judged.some(({ verdict, enforce }) => enforce && verdict?.effect === 'require_approval');
      // Nobody knows whether a person would have agreed: whoever was let through is taken to be again.
      const agreed = group.some(
        ({ call: { decision } }) => decision.outcome === 'ran' || decision.outcome === 'limited',
      );
      const over = stopped || (asked && !agreed) ? [] : charge(group, judged);
      return judged.map(({ verdict }, at) => {
        const limit = over[at];
        return limit === undefined ? verdict : { effect: 'deny', policy_id: limit };
      });
    },
  };
}

function judgeCall(set: PolicySet, call: RecordedCall, projectId: string): Judged {
  const action = set.action(call.action_id);
  if (!action) return { verdict: null, limits: [], enforce: true };
  const { parameters_schema: schema } = action.action;
  if (
    call.via === 'execute' &&
    schema &&
    parameterFaults(schema, toPlain(call.parameters), engineOf(schema)).length > 0
  ) {
    return { verdict: { effect: 'deny', policy_id: 'parameters-schema' }, limits: [], enforce: true };
  }
  const verdict = decide(action, decisionInputOfCall(call));
  const { effect, policyId, limits } = verdict;
  const { agent_id: agentId, session_id: sessionId, action_id: actionId } = call;
  return {
    verdict: { effect, policy_id: policyId },
    limits: appliedLimits(action, limits, {
      projectId,
      agentId,
      sessionId,
      actionId,
      parameters: call.parameters,
    }),
    enforce: !onlyLogs(action, verdict),
  };
}

function decisionInputOfCall(call: RecordedCall): DecisionInput {
  return {
    agentId: call.agent_id,
    ...(call.subagent !== undefined && { subagent: call.subagent }),
    riskTier: call.risk_tier,
    context: call.context,
    scopes: new Set(call.scopes),
    now: instantOf(call),
    parameters: call.parameters,
    ...knowledgeOf(call),
  };
}

type Schema = Parameters<typeof schemaProblem>[0];
const engines = new WeakMap<Schema, 'linear' | 'any'>();

/** What was loaded before patterns had to be linear is still judged: this runs with a budget. */
function engineOf(schema: Schema): 'linear' | 'any' {
  const engine = engines.get(schema) ?? (schemaProblem(schema) === undefined ? 'linear' : 'any');
  engines.set(schema, engine);
  return engine;
}

function live(charges: readonly KeptCharge[], now: Micros): readonly Charge[] {
  return charges.filter(({ refunded }) => refunded === null || refunded > now);
}

export function instantOf({ decided_at }: { readonly decided_at: string }): Micros {
  return parseInstant(decided_at)?.micros ?? 0;
}
