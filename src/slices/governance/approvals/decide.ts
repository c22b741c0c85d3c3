import { globMatcher } from '../../../kernel/glob.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { selectSession } from '../../../spine/identity/sessions/session-store.ts';
import type { InboxEffect } from '../../../spine/inbox/effect.ts';
import { inboxErrors } from '../../../spine/inbox/errors.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { governanceErrors } from '../errors.ts';
import type { GovernanceDeps } from '../ports.ts';
import { traceSpan } from '../traces/span.ts';
import { askPerson, findApproval, visibleApproval } from './ask.ts';
import { approvedContent } from './inbox-item.ts';
import { answeredBy } from './rules.ts';
import type { ApprovalDecision } from './schema.ts';
import { type Approval, closeApproval, selectApproval, selectLiveApprovals } from './store.ts';

/** An approval that was only offered can be decided too: it is asked and answered at once. */
export async function decideApproval(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  approvalId: string,
  { decision, approver, reason }: ApprovalDecision,
): Promise<Approval> {
  if (approver !== undefined && approver !== principal.actor.id) {
    throw governanceErrors.approver_mismatch({ pointer: '/approver' });
  }
  await askPerson(uow, deps, await visibleApproval(uow, deps, principal, approvalId));
  const item = await deps.inbox.get(uow, approvalId);
  if (!item) throw governanceErrors.approval_not_found();
  await deps.inbox.decide(uow, {
    itemId: approvalId,
    decision,
    digest: item.digest,
    principal,
    ...(reason !== undefined && { note: reason }),
  });
  return findApproval(uow, deps, approvalId);
}

/** What a decision in the inbox does to the approval behind the item. */
export function approvalEffect(deps: GovernanceDeps): InboxEffect {
  const { clock, inbox, payloads } = deps;
  return {
    apply: 'rows',
    async run(uow, item, { decision, decidedBy, decidedAt, note }) {
      const approval = await findApproval(uow, deps, item.itemId);
      requireApprover(approval, decidedBy.id);
      const close = { approver: decidedBy.id, decidedAt, reason: note };
      if (decision === 'reject') {
        await closeApproval(uow, item.itemId, { status: 'rejected', ...close });
        return traceDenial(uow, deps, approval, 'approval_rejected');
      }
      await closeApproval(uow, item.itemId, { status: 'approved', ...close });
      const live = await selectLiveApprovals(uow, payloads, approval.sessionId, clock.now());
      for (const { approvalId } of answeredBy(approval, live)) {
        await closeApproval(uow, approvalId, { status: 'approved', ...close });
        await inbox.supersede(uow, { itemId: approvalId, by: decidedBy, reason: 'approved_otherwise' });
      }
    },
    async expired(uow, item) {
      const approval = await selectApproval(uow, payloads, item.itemId);
      if (!approval) return;
      const decidedAt = formatMicros(clock.now());
      await closeApproval(uow, item.itemId, { status: 'expired', approver: null, decidedAt, reason: null });
      await traceDenial(uow, deps, approval, 'approval_expired');
    },
    async describe(reader, item) {
      const approval = await selectApproval(reader, payloads, item.itemId);
      return approval && { goal: approval.goal, reason: approval.reason, ...approvedContent(approval) };
    },
  };
}

async function traceDenial(
  uow: UnitOfWork,
  { journal, ids }: GovernanceDeps,
  approval: Approval,
  reason: string,
): Promise<void> {
  const session = await selectSession(uow, approval.sessionId);
  if (!session) return;
  const span = traceSpan(uow, journal, session, ids());
  for (const actionId of approval.actionIds) {
    await span.emit('action.denied', { action_id: actionId, reason, policy_id: approval.policyId });
  }
}

function requireApprover(approval: Approval, actorId: string): void {
  if (!approval.approvers || approval.approvers.some((glob) => globMatcher(glob)(actorId))) return;
  throw inboxErrors.human_required({
    message: 'The policy names other approvers.',
    next: 'Let one of `details.approvers` decide.',
    details: { approvers: approval.approvers },
  });
}
