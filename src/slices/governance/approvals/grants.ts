import type { Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import { selectSession } from '../../../spine/identity/sessions/session-store.ts';
import { inboxErrors } from '../../../spine/inbox/errors.ts';
import type { DecisionMade } from '../../../spine/inbox/item.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { AtlasLoad } from '../atlases/store.ts';
import { selectActiveLoads } from '../atlases/store.ts';
import { governanceErrors } from '../errors.ts';
import type { CompiledPolicy } from '../policies/rules/compile.ts';
import type { GovernanceDeps } from '../ports.ts';
import { policySubject } from '../resolution/rules/input.ts';
import type { RiskTier } from '../schema.ts';
import { visibleApproval } from './ask.ts';
import {
  boundBy,
  coveringGrant,
  type Grant,
  type GrantCovers,
  type HashOfCall,
  isSingle,
  type Need,
} from './grant-rules.ts';
import {
  insertGrant,
  insertUse,
  type KeptGrant,
  markRevoked,
  selectGrant,
  selectLiveGrants,
} from './grant-store.ts';
import type { Approval, ApprovalAtlas } from './store.ts';

/** What a policy of the loaded set wants a person to have agreed to. */
export function needOf(
  policy: CompiledPolicy,
  loads: readonly AtlasLoad[],
  actionIds: readonly string[],
  riskTier: RiskTier,
): Need {
  const { atlasId, version, digest } = loads[policy.atlasIndex] as AtlasLoad;
  return {
    atlasId,
    atlasVersion: version,
    atlasDigest: digest,
    policyId: policy.policyId,
    actionIds,
    riskTier,
  };
}

export interface Admittance<N extends Need> {
  /** The grants that let the call pass, if nothing is missing. */
  readonly used: readonly Grant[];
  readonly missing: readonly N[];
}

/** Finds a grant for each policy; a call passes if every one of them has its own. */
export function admittanceOf<N extends Need>(
  grants: readonly Grant[],
  needs: readonly N[],
  hashOf: HashOfCall | undefined,
): Admittance<N> {
  const used: Grant[] = [];
  const missing: N[] = [];
  for (const need of needs) {
    const grant = coveringGrant(grants, need, hashOf);
    if (grant) used.push(grant);
    else missing.push(need);
  }
  return { used, missing };
}

/**
 * The grants that a call with this credential may use: of its session, and the rules for its agent. Nobody passes by what
 * they granted themselves, in whose name they may act: that would be to decide on their own request.
 */
export async function usableGrants(
  reader: Reader,
  principal: Principal,
  session: Session,
  now: Micros,
): Promise<Grant[]> {
  const { projectId, sessionId } = session;
  const { agentId: boundAgent, subagent } = policySubject(session);
  const holder = { projectId, sessionId, boundAgent, agentId: subagent ?? boundAgent };
  const live = await selectLiveGrants(reader, holder, now);
  return live.filter((grant) => ![grant.grantedBy, ...grant.agreedBy].includes(principal.actor.id));
}

/**
 * Records what a call passes by, in the unit that records its intent: if that fails, nothing is spent. TRACE's payloads
 * have no place for who agreed, so the session's ledger says it, in the span of the call's own events.
 */
export async function spendGrants(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  session: Session,
  grants: readonly Grant[],
  use: { readonly by: string; readonly spanId?: string | undefined },
): Promise<void> {
  const now = deps.clock.now();
  for (const grant of grants) {
    await insertUse(uow, grant, use.by, now);
    await deps.journal.append(uow, {
      chain: { sessionId: session.sessionId, kind: 'ledger' },
      type: isSingle(grant.covers) ? 'approval.spent' : 'approval.used',
      payload: {
        approval_id: grant.approvalId,
        policy_id: grant.policyId,
        used_by: use.by,
        approver: grant.grantedBy,
        ...(grant.agreedBy.length > 0 && { agreed_by: grant.agreedBy }),
        granted_at: grant.grantedAt,
        covers: grant.covers,
      },
      ...(use.spanId !== undefined && { spanId: use.spanId }),
      parentSpanId: session.rootSpanId,
    });
  }
}

/** What a person's yes becomes. Throws if the Atlas that asked is no longer the one in force. */
export async function grantApproval(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  approval: Approval,
  made: DecisionMade,
): Promise<Grant> {
  const covers = (made.choice ?? approval.permits[0]) as GrantCovers;
  const atlas = await atlasInForce(uow, deps, approval);
  const session = await selectSession(uow, approval.sessionId);
  if (!session) throw governanceErrors.approval_not_found();
  const rule = covers === 'rule';
  const grant: Grant = {
    approvalId: approval.approvalId,
    projectId: approval.projectId,
    atlasId: atlas.atlasId,
    atlasVersion: atlas.version,
    atlasDigest: atlas.digest,
    policyId: approval.policyId,
    agentId: approval.agentId,
    boundAgent: policySubject(session).agentId,
    sessionId: rule ? null : approval.sessionId,
    actionIds: approval.actionIds,
    covers,
    boundHash: boundBy(covers, approval.mayDiffer, approval.boundHash),
    mayDiffer: approval.mayDiffer,
    riskTier: approval.riskTier,
    grantedBy: made.decidedBy.id,
    agreedBy: made.agreedBy ?? [],
    grantedAt: made.decidedAt,
    granted: deps.clock.now(),
    expires: rule ? null : approval.expires,
  };
  await insertGrant(uow, grant);
  await deps.record(uow, {
    projectId: grant.projectId,
    actor: made.decidedBy,
    type: 'approval.granted',
    payload: {
      approval_id: grant.approvalId,
      atlas_id: grant.atlasId,
      atlas_version: grant.atlasVersion,
      policy_id: grant.policyId,
      agent_id: grant.agentId,
      session_id: grant.sessionId,
      action_ids: grant.actionIds,
      covers,
      parameters_hash: approval.parametersHash,
      may_differ: grant.mayDiffer,
      ...(grant.agreedBy.length > 0 && { agreed_by: grant.agreedBy }),
    },
  });
  return grant;
}

async function atlasInForce(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  { projectId, atlas, policyId }: Approval,
): Promise<ApprovalAtlas> {
  const loads = await selectActiveLoads(uow, projectId);
  for (const load of loads) {
    const { atlasId, version, digest } = load;
    if (atlas) {
      if (digest === atlas.digest && version === atlas.version) return atlas;
      continue;
    }
    // Asked before the Atlas was kept with it: of the one that has the policy now.
    const { manifest } = await deps.sets.content(uow, digest);
    const asks = (manifest.policies ?? []).some(
      ({ policy_id, type }) => policy_id === policyId && type === 'require_approval',
    );
    if (asks) return { atlasId, version, digest };
  }
  throw governanceErrors.approval_outdated({ details: { policy_id: policyId } });
}

/** Takes back what is not used up yet. Any person who may approve may also revoke, since that gives nobody anything. */
export async function revokeGrant(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  approvalId: string,
): Promise<KeptGrant> {
  if (principal.actor.type !== 'human') throw inboxErrors.human_required();
  await visibleApproval(uow, deps, principal, approvalId);
  const grant = await selectGrant(uow, approvalId);
  if (!grant) throw governanceErrors.grant_not_found();
  if (grant.revokedAt !== null) return grant;
  const revoked = { by: principal.actor.id, at: formatMicros(deps.clock.now()) };
  await markRevoked(uow, approvalId, revoked);
  await deps.record(uow, {
    projectId: grant.projectId,
    actor: principal.actor,
    type: 'approval.revoked',
    payload: { approval_id: approvalId, policy_id: grant.policyId, covers: grant.covers },
  });
  return { ...grant, revokedBy: revoked.by, revokedAt: revoked.at };
}
