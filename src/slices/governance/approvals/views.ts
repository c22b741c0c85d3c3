import type { Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { choicesOf, coverWords } from './cover-words.ts';
import type { GrantCovers } from './grant-rules.ts';
import { type KeptGrant, selectGrant, selectUses } from './grant-store.ts';
import { statusAt } from './rules.ts';
import type { ApprovalView, GrantView } from './schema.ts';
import type { Approval } from './store.ts';

export async function approvalView(reader: Reader, approval: Approval, now: Micros): Promise<ApprovalView> {
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
    reason: approval.reason,
    risk_tier: approval.riskTier,
    goal: approval.goal,
    status: statusAt(approval, now),
    requested_at: approval.requestedAt,
    asked_at: approval.asked === null ? null : formatMicros(approval.asked),
    expires_at: approval.expiresAt,
    approver: approval.approver,
    decided_at: approval.decidedAt,
    decision_reason: approval.decisionReason,
    covers,
    allows: coverWords(covers, approval),
    choices: choicesOf(approval.permits, approval) as ApprovalView['choices'],
    may_differ: [...approval.mayDiffer],
    parameters: approval.parameters && (toPlain(approval.parameters) as ApprovalView['parameters']),
    parameters_hash: approval.parametersHash,
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
    expires_at: grant.expires === null ? null : formatMicros(grant.expires),
    uses,
    used_by: usedBy,
    revoked_by: grant.revokedBy,
    revoked_at: grant.revokedAt,
  };
}
