import type { Micros } from '../../../../kernel/clock.ts';
import type { Session } from '../../../../spine/identity/sessions/session.ts';
import type { DecisionInput } from '../../policies/rules/decide.ts';
import type { RiskTier } from '../../schema.ts';
import type { CarpRequest } from '../schema.ts';

/**
 * Whom the policies judge and the limits count for: never a name from the request itself. A session from before agents
 * were bound keeps the one it has.
 */
export function policySubject({ agentId, boundAgent }: Pick<Session, 'agentId' | 'boundAgent'>): {
  readonly agentId: string;
  readonly subagent?: string;
} {
  const bound = boundAgent ?? agentId ?? '';
  return agentId === null || agentId === bound ? { agentId: bound } : { agentId: bound, subagent: agentId };
}

/** Everything of a request that a resolution depends on, and nothing else. */
export interface ResolveInput {
  readonly agentId: string;
  readonly subagent?: string | undefined;
  readonly goal: string;
  readonly riskTier: RiskTier;
  readonly hints: readonly string[];
  readonly requiredCapabilities: readonly string[];
  readonly context: Readonly<Record<string, unknown>>;
  readonly scopes: ReadonlySet<string>;
  readonly now: Micros;
}

export function resolveInputOf(
  request: Pick<CarpRequest, 'task' | 'context'>,
  session: Pick<Session, 'agentId' | 'boundAgent' | 'goal'>,
  facts: { readonly scopes: ReadonlySet<string>; readonly now: Micros },
): ResolveInput {
  const { task } = request;
  return {
    ...policySubject(session),
    goal: task?.goal ?? session.goal ?? '',
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
    ...(input.subagent !== undefined && { subagent: input.subagent }),
    riskTier: input.riskTier,
    context: input.context,
    scopes: input.scopes,
    now: input.now,
    ...(parameters !== undefined && { parameters }),
  };
}
