import type { Principal } from '../../identity/principal.ts';
import type { Session } from '../../identity/sessions/session.ts';
import { selectSession } from '../../identity/sessions/session-store.ts';
import { inboxErrors } from '../../inbox/errors.ts';
import type { InboxItem } from '../../inbox/item.ts';
import { digestOf, formatDigest } from '../../kernel/digest.ts';
import { globMatcher } from '../../kernel/glob.ts';
import { formatMicros } from '../../kernel/instant.ts';
import type { UnitOfWork } from '../../storage/database.ts';
import { governanceErrors } from '../errors.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { CompiledPolicy } from '../rules/policy/compile.ts';
import type { RiskTier } from '../schema/text.ts';
import { type Approval, closeApproval, insertApproval, selectApproval } from '../store/approval-store.ts';
import type { Limits } from './settings.ts';
import { traceSpan } from './trace-span.ts';

/** The kind of its inbox items. */
const APPROVAL_KIND = 'carp_approval';

export interface ApprovalRequest {
  readonly session: Session;
  readonly resolutionId: string | null;
  readonly actionIds: readonly string[];
  readonly policy: CompiledPolicy;
  readonly riskTier: RiskTier;
  readonly goal: string;
  /** Set where the question is about one call with exactly these parameters. */
  readonly parametersHash: string | null;
}

export interface Approvals {
  /** Asks a person; the same question of the same session is the same approval. */
  ask(uow: UnitOfWork, request: ApprovalRequest): Promise<Approval>;
  decide(
    uow: UnitOfWork,
    principal: Principal,
    approvalId: string,
    said: {
      readonly decision: 'approve' | 'reject';
      readonly approver?: string | undefined;
      readonly reason?: string | undefined;
    },
  ): Promise<Approval>;
}

export function createApprovals(deps: GovernanceDeps, limits: Limits): Approvals {
  const { inbox, clock, hasher, ids, journal } = deps;

  async function refuse(uow: UnitOfWork, approval: Approval, reason: string): Promise<void> {
    const session = await selectSession(uow, approval.sessionId);
    if (!session) return;
    const span = traceSpan(journal, uow, session, ids());
    for (const actionId of approval.actionIds) {
      await span.emit('action.denied', { action_id: actionId, reason, policy_id: approval.policyId });
    }
  }

  inbox.register(APPROVAL_KIND, {
    apply: 'rows',
    async run(uow, item, made) {
      const approval = await selectApproval(uow, item.itemId);
      if (!approval) throw governanceErrors.approval_not_found();
      requireApprover(approval, made.decidedBy.id);
      const approved = made.decision !== 'reject';
      await closeApproval(uow, item.itemId, {
        status: approved ? 'approved' : 'rejected',
        approver: made.decidedBy.id,
        decidedAt: made.decidedAt,
        reason: made.note,
      });
      if (!approved) await refuse(uow, approval, 'approval_rejected');
    },
    async expired(uow, item) {
      const approval = await selectApproval(uow, item.itemId);
      if (!approval) return;
      const decidedAt = formatMicros(clock.now());
      await closeApproval(uow, item.itemId, { status: 'expired', approver: null, decidedAt, reason: null });
      await refuse(uow, approval, 'approval_expired');
    },
  });

  return {
    async ask(uow, request) {
      const { session, policy, actionIds } = request;
      const seconds = policy.rule.approval?.expiresSeconds ?? limits.approvalSeconds;
      const now = clock.now();
      const expires = now + seconds * 1_000_000;
      const subject = {
        session_id: session.sessionId,
        agent_id: session.agentId ?? '',
        action_ids: [...actionIds],
        policy_id: policy.policyId,
        parameters_hash: request.parametersHash,
      };
      const digest = formatDigest(digestOf(hasher, 'jcs', subject));
      const item: InboxItem = await inbox.openItem(uow, {
        kind: APPROVAL_KIND,
        projectId: session.projectId,
        // A person who lets an agent work with their own key is not the one who asks.
        requestedBy:
          session.actor.type === 'human' ? { id: session.agentId ?? '', type: 'agent' } : session.actor,
        subject: { type: 'action', id: `${session.sessionId}:${digest.slice(-16)}` },
        digest,
        rule: policy.policyId,
        title: `${session.agentId} asks to run ${actionIds.join(', ')}`,
        risk: request.riskTier,
        expires,
        edits: false,
        sessionId: session.sessionId,
      });
      const approval: Approval = {
        approvalId: item.itemId,
        projectId: session.projectId,
        sessionId: session.sessionId,
        agentId: session.agentId ?? '',
        resolutionId: request.resolutionId,
        actionIds,
        policyId: policy.policyId,
        approvers: policy.rule.approval?.approvers ?? null,
        reason: policy.rule.reason ?? 'A person must approve first',
        riskTier: request.riskTier,
        goal: request.goal,
        parametersHash: request.parametersHash,
        status: 'pending',
        requestedAt: item.openedAt,
        requested: now,
        expiresAt: item.expiresAt ?? formatMicros(expires),
        expires: item.expires ?? expires,
        approver: null,
        decidedAt: null,
        decisionReason: null,
      };
      await insertApproval(uow, approval);
      return (await selectApproval(uow, item.itemId)) ?? approval;
    },

    async decide(uow, principal, approvalId, said) {
      if (said.approver !== undefined && said.approver !== principal.actor.id) {
        throw governanceErrors.approver_mismatch({ pointer: '/approver' });
      }
      const item = await inbox.get(uow, approvalId);
      if (item?.kind !== APPROVAL_KIND) throw governanceErrors.approval_not_found();
      try {
        await inbox.decide(uow, {
          itemId: approvalId,
          decision: said.decision,
          digest: item.digest,
          principal,
          ...(said.reason !== undefined && { note: said.reason }),
        });
      } catch (error) {
        const hidden = (error as { code?: string }).code === 'item_not_found';
        throw hidden ? governanceErrors.approval_not_found({ cause: error }) : error;
      }
      const approval = await selectApproval(uow, approvalId);
      if (!approval) throw governanceErrors.approval_not_found();
      return approval;
    },
  };
}

function requireApprover(approval: Approval, actorId: string): void {
  if (!approval.approvers || approval.approvers.some((glob) => globMatcher(glob)(actorId))) return;
  throw inboxErrors.human_required({
    message: 'The policy names other approvers.',
    next: 'Let one of `details.approvers` decide.',
    details: { approvers: approval.approvers },
  });
}

/** Whether a live approval lets this call through. */
export function isGranted(approvals: readonly Approval[], actionId: string, parametersHash: string): boolean {
  return approvals.some(
    (approval) =>
      approval.status === 'approved' &&
      approval.actionIds.includes(actionId) &&
      (approval.parametersHash === null || approval.parametersHash === parametersHash),
  );
}
