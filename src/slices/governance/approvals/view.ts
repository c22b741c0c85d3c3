import type { Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import { statusAt } from './rules.ts';
import type { ApprovalView } from './schema.ts';
import type { Approval } from './store.ts';

export function approvalView(approval: Approval, now: Micros): ApprovalView {
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
    status: statusAt(approval, now),
    requested_at: approval.requestedAt,
    asked_at: approval.asked === null ? null : formatMicros(approval.asked),
    expires_at: approval.expiresAt,
    approver: approval.approver,
    decided_at: approval.decidedAt,
    decision_reason: approval.decisionReason,
    covers: approval.covers,
    parameters: approval.parameters && (toPlain(approval.parameters) as ApprovalView['parameters']),
    parameters_hash: approval.parametersHash,
  };
}
