import type { Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import { mayActAs } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { grantsScope } from '../../../spine/identity/scopes.ts';
import type { Inbox } from '../../../spine/inbox/inbox.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { choicesOf, coverWords } from './cover-words.ts';
import type { GrantCovers } from './grant-rules.ts';
import { type KeptGrant, selectGrant, selectUses } from './grant-store.ts';
import { statusAt } from './rules.ts';
import type { ApprovalView, GrantView } from './schema.ts';
import type { Approval } from './store.ts';

/**
 * What an agent wants and with which parameters is for itself, for whoever asked in its name, and for those who decide:
 * other agents of the project see that something waits.
 */
export function isShownWhole({ agentId, requestedBy }: Approval, principal: Principal): boolean {
  if (grantsScope(principal.scopes, 'approvals:decide')) return true;
  return mayActAs(principal, agentId) || requestedBy?.id === principal.actor.id;
}

const UNSHOWN_GOAL = 'What another agent asks for';

export async function approvalView(
  reader: Reader,
  inbox: Pick<Inbox, 'agreedBy'>,
  approval: Approval,
  now: Micros,
  principal: Principal,
): Promise<ApprovalView> {
  const whole = isShownWhole(approval, principal);
  const { atlas } = approval;
  const granted = approval.status === 'approved' ? await selectGrant(reader, approval.approvalId) : undefined;
  const covers = granted?.covers ?? (approval.permits[0] as GrantCovers);
  return {
    approval_id: approval.approvalId,
    session_id: approval.sessionId,
    agent_id: approval.agentId,
    resolution_id: approval.resolutionId,
    action_ids: [...approval.actionIds],
    atlas: atlas && { atlas_id: atlas.atlasId, version: atlas.version, digest: atlas.digest },
    policy_id: approval.policyId,
    requested_by: approval.requestedBy?.id ?? null,
    approvers: approval.approvers && [...approval.approvers],
    quorum: approval.quorum,
    agreed_by: await inbox.agreedBy(reader, { itemId: approval.approvalId, quorum: approval.quorum }),
    reason: approval.reason,
    risk_tier: approval.riskTier,
    goal: whole ? approval.goal : UNSHOWN_GOAL,
    status: statusAt(approval, now),
    requested_at: approval.requestedAt,
    asked_at: approval.asked === null ? null : formatMicros(approval.asked),
    expires_at: approval.expiresAt,
    approver: approval.approver,
    decided_at: approval.decidedAt,
    decision_reason: whole ? approval.decisionReason : null,
    covers,
    allows: coverWords(covers, approval),
    choices: choicesOf(approval.permits, approval) as ApprovalView['choices'],
    may_differ: [...approval.mayDiffer],
    parameters:
      whole && approval.parameters ? (toPlain(approval.parameters) as ApprovalView['parameters']) : null,
    parameters_hash: whole ? approval.parametersHash : null,
    approved_parameters:
      whole && approval.edited
        ? (toPlain(approval.edited.parameters) as ApprovalView['approved_parameters'])
        : null,
  };
}

export async function grantView(reader: Reader, grant: KeptGrant): Promise<GrantView> {
  const { uses, usedBy } = await selectUses(reader, grant.approvalId);
  return {
    approval_id: grant.approvalId,
    agent_id: grant.agentId,
    session_id: grant.sessionId,
    action_ids: [...grant.actionIds],
    atlas: { atlas_id: grant.atlasId, version: grant.atlasVersion, digest: grant.atlasDigest },
    policy_id: grant.policyId,
    covers: grant.covers,
    allows: coverWords(grant.covers, grant),
    may_differ: [...grant.mayDiffer],
    risk_tier: grant.riskTier,
    granted_by: grant.grantedBy,
    granted_at: grant.grantedAt,
    agreed_by: [...grant.agreedBy],
    expires_at: grant.expires === null ? null : formatMicros(grant.expires),
    uses,
    used_by: usedBy,
    revoked_by: grant.revokedBy,
    revoked_at: grant.revokedAt,
  };
}
