import type { Micros } from '../../kernel/clock.ts';
import type { ApprovalView } from '../schema/carp.ts';
import type { Approval } from '../store/approval-store.ts';

export function approvalView(approval: Approval, now: Micros): ApprovalView {
  const lapsed = approval.status === 'pending' && approval.expires <= now;
  return {
    approval_id: approval.approvalId,
    session_id: approval.sessionId,
    agent_id: approval.agentId,
    resolution_id: approval.resolutionId,
    action_ids: [...approval.actionIds],
    policy_id: approval.policyId,
    reason: approval.reason,
    risk_tier: approval.riskTier,
    goal: approval.goal,
    status: lapsed ? 'expired' : approval.status,
    requested_at: approval.requestedAt,
    expires_at: approval.expiresAt,
    approver: approval.approver,
    decided_at: approval.decidedAt,
    decision_reason: approval.decisionReason,
    parameters_hash: approval.parametersHash,
  };
}
