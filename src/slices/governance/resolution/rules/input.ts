import type { Micros } from '../../../../kernel/clock.ts';
import type { DecisionInput } from '../../policies/rules/decide.ts';
import type { RiskTier } from '../../schema.ts';
import type { CarpRequest } from '../schema.ts';

/** Everything of a request that a resolution depends on, and nothing else. */
export interface ResolveInput {
  readonly agentId: string;
  readonly goal: string;
  readonly riskTier: RiskTier;
  readonly hints: readonly string[];
  readonly requiredCapabilities: readonly string[];
  readonly context: Readonly<Record<string, unknown>>;
  readonly scopes: ReadonlySet<string>;
  readonly now: Micros;
}

export function resolveInputOf(
  request: Pick<CarpRequest, 'requester' | 'task' | 'context'>,
  facts: { readonly goal: string; readonly scopes: ReadonlySet<string>; readonly now: Micros },
): ResolveInput {
  const { task } = request;
  return {
    agentId: request.requester.agent_id,
    goal: task?.goal ?? facts.goal,
    riskTier: task?.risk_tier ?? 'low',
    hints: task?.context_hints ?? [],
    requiredCapabilities: task?.required_capabilities ?? [],
    context: request.context ?? {},
    scopes: facts.scopes,
    now: facts.now,
  };
}

export function decisionInputOf(input: ResolveInput, parameters?: unknown): DecisionInput {
  return {
    agentId: input.agentId,
    riskTier: input.riskTier,
    context: input.context,
    scopes: input.scopes,
    now: input.now,
    ...(parameters !== undefined && { parameters }),
  };
}
