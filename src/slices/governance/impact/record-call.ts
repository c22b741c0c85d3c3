import { formatMicros } from '../../../kernel/instant.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { LoadedSet } from '../atlases/sets.ts';
import type { DecisionInput, Verdict } from '../policies/rules/decide.ts';
import type { GovernanceDeps } from '../ports.ts';
import { recordedKnowledge } from '../resolution/known-facts.ts';
import type { DecidingAtlas } from '../traces/schema.ts';
import { insertCall } from './call-store.ts';
import type { RecordedCall } from './schema.ts';

export interface DecidedCall {
  readonly projectId: string;
  readonly sessionId: string;
  readonly requestId: string | null;
  readonly actionId: string;
  /** The span of its events. */
  readonly callId: string;
  /** What is judged together with it; itself unless given. */
  readonly groupId?: string;
  readonly via: RecordedCall['via'];
  readonly loads: LoadedSet['loads'];
  readonly input: DecisionInput & { readonly parameters: JsonObject };
  readonly verdict: Verdict;
}

export interface CallOutcome {
  readonly outcome: RecordedCall['decision']['outcome'];
  /** Of the rate or budget that was used up. */
  readonly limit?: string;
  readonly executionId?: string;
}

/** Records what a call was decided by, sealed, in the unit that decides it. */
export async function recordCall(
  uow: UnitOfWork,
  { payloads }: GovernanceDeps,
  call: DecidedCall,
  { outcome, limit, executionId }: CallOutcome,
): Promise<void> {
  const { input, verdict } = call;
  await insertCall(
    uow,
    payloads,
    call.projectId,
    {
      call_version: '1',
      call_id: call.callId,
      group_id: call.groupId ?? call.callId,
      session_id: call.sessionId,
      request_id: call.requestId,
      execution_id: executionId ?? null,
      via: call.via,
      agent_id: input.agentId,
      ...(input.subagent !== undefined && { subagent: input.subagent }),
      action_id: call.actionId,
      ...(input.riskTier !== undefined && { risk_tier: input.riskTier }),
      context: { ...input.context },
      scopes: [...input.scopes].sort(),
      ...recordedKnowledge(input),
      decided_at: formatMicros(input.now),
      atlases: decidingAtlases(call.loads),
      decision: {
        effect: limit === undefined ? verdict.effect : 'deny',
        policy_id: limit ?? verdict.policyId,
        outcome,
      },
      parameters: input.parameters,
    },
    input.now,
  );
}

export function decidingAtlases(loads: LoadedSet['loads']): DecidingAtlas[] {
  return loads.map(({ atlasId, version, digest, mode, rulesOnly, guardrail }) => ({
    atlas_id: atlasId,
    version,
    digest,
    mode,
    ...(rulesOnly && { rules_only: true as const }),
    ...(guardrail && { guardrail: true as const }),
  }));
}
