import type { Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import { chosenProject } from '../../../spine/identity/access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { GovernanceDeps } from '../ports.ts';
import { askAs, visibleApproval } from './ask.ts';
import { decideApproval } from './decide.ts';
import type { approvalOperations } from './operations.ts';
import { statusAt } from './rules.ts';
import type { ApprovalView } from './schema.ts';
import { type Approval, selectApprovals } from './store.ts';

export function createApprovalHandlers(deps: GovernanceDeps): Handlers<typeof approvalOperations> {
  const { clock, payloads } = deps;
  return {
    'approvals.list': async (reader, { input, principal }) => {
      const { status = 'pending', limit = 50, project } = input.query;
      const now = clock.now();
      const items = await selectApprovals(reader, payloads, {
        projectId: chosenProject(principal, project),
        status: status === 'all' ? undefined : status,
        limit,
        now,
      });
      return { body: { items: items.map((each) => approvalView(each, now)), total: items.length } };
    },

    'approvals.get': async (reader, { input, principal }) => {
      const approval = await visibleApproval(reader, deps, principal, input.path.approval_id);
      return { body: approvalView(approval, clock.now()) };
    },

    'approvals.ask': async (uow, { input, principal }) => {
      const approval = await askAs(uow, deps, principal, input.path.approval_id, input.body.action_id);
      return { body: approvalView(approval, clock.now()) };
    },

    'approvals.decide': async (uow, { input, principal }) => {
      const approval = await decideApproval(uow, deps, principal, input.path.approval_id, input.body);
      return { body: approvalView(approval, clock.now()) };
    },
  };
}

function approvalView(approval: Approval, now: Micros): ApprovalView {
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
