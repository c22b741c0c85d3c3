import type { Micros } from '../../../../kernel/clock.ts';
import type { Principal } from '../../../../spine/identity/principal.ts';
import type { Session } from '../../../../spine/identity/sessions/session.ts';
import type { DecisionInput } from '../../policies/rules/decide.ts';
import type { Asker, KnownFact } from '../../policies/rules/when/surroundings.ts';
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
  readonly asker?: Asker | undefined;
  readonly facts?: readonly KnownFact[] | undefined;
}

/** What the server knows by itself of whoever asks. */
export function askerOf(
  { actor, credential }: Pick<Principal, 'actor' | 'credential'>,
  project: string,
): Asker {
  return { actor: actor.id, actorType: actor.type, credential: credential.kind, project };
}

export function resolveInputOf(
  request: Pick<CarpRequest, 'task' | 'context'>,
  session: Pick<Session, 'agentId' | 'boundAgent' | 'goal'>,
  known: Pick<ResolveInput, 'scopes' | 'now' | 'asker' | 'facts'>,
): ResolveInput {
  const { task } = request;
  return {
    ...policySubject(session),
    goal: task?.goal ?? session.goal ?? '',
    riskTier: task?.risk_tier ?? 'low',
    hints: task?.context_hints ?? [],
    requiredCapabilities: task?.required_capabilities ?? [],
    context: request.context ?? {},
    ...known,
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
    asker: input.asker,
    facts: input.facts,
    ...(parameters !== undefined && { parameters }),
  };
}
