import { formatMicros } from '../../../kernel/instant.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { selectSession } from '../../../spine/identity/sessions/session-store.ts';
import type { InboxEffect } from '../../../spine/inbox/effect.ts';
import type { DecisionMade } from '../../../spine/inbox/item.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { governanceErrors } from '../errors.ts';
import type { GovernanceDeps } from '../ports.ts';
import { traceSpan } from '../traces/span.ts';
import { askToDecide, findApproval, visibleApproval } from './ask.ts';
import { approvedParameters } from './edited.ts';
import { isSingle } from './grant-rules.ts';
import { grantApproval } from './grants.ts';
import { highlightsOf, pathsIn } from './highlights.ts';
import { approvedContent } from './inbox-item.ts';
import { answeredBy } from './rules.ts';
import type { ApprovalDecision } from './schema.ts';
import {
  type Approval,
  closeApproval,
  selectApproval,
  selectOpenApprovals,
  selectOpenApprovalsOf,
} from './store.ts';
import { isShownWhole } from './views.ts';

/** An approval that was only offered can be decided too: it is asked and answered at once. */
export async function decideApproval(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  approvalId: string,
  { decision, covers, approver, reason }: ApprovalDecision,
): Promise<Approval> {
  if (approver !== undefined && approver !== principal.actor.id) {
    throw governanceErrors.approver_mismatch({ pointer: '/approver' });
  }
  await askToDecide(uow, deps, await visibleApproval(uow, deps, principal, approvalId));
  const item = await deps.inbox.get(uow, approvalId);
  if (!item) throw governanceErrors.approval_not_found();
  await deps.inbox.decide(uow, {
    itemId: approvalId,
    decision,
    digest: item.digest,
    principal,
    ...(covers !== undefined && { choice: covers }),
    ...(reason !== undefined && { note: reason }),
  });
  return findApproval(uow, deps, approvalId);
}

/** What a decision in the inbox does to the approval behind the item. */
export function approvalEffect(deps: GovernanceDeps): InboxEffect {
  const { clock, payloads } = deps;
  return {
    apply: 'rows',
    async run(uow, item, made) {
      const approval = await findApproval(uow, deps, item.itemId);
      const { decidedBy, decidedAt, note } = made;
      const close = { approver: decidedBy.id, decidedAt, reason: note };
      if (made.decision === 'reject') {
        await closeApproval(uow, item.itemId, { status: 'rejected', ...close });
        return traceDenial(uow, deps, approval, 'approval_rejected');
      }
      await closeApproval(uow, item.itemId, { status: 'approved', ...close });
      return grant(uow, deps, await approvedParameters(uow, deps, approval, made), made);
    },
    async expired(uow, item) {
      const approval = await selectApproval(uow, payloads, item.itemId);
      if (!approval) return;
      const decidedAt = formatMicros(clock.now());
      await closeApproval(uow, item.itemId, { status: 'expired', approver: null, decidedAt, reason: null });
      await traceDenial(uow, deps, approval, 'approval_expired');
    },
    async describe(reader, item, principal) {
      const approval = await selectApproval(reader, payloads, item.itemId);
      if (!approval || !isShownWhole(approval, principal)) return undefined;
      const { goal, reason, edited } = approval;
      return {
        goal,
        reason,
        ...approvedContent(approval),
        ...(edited && { edited_parameters: edited.parameters, edited_hash: edited.hash }),
      };
    },
    async highlights(reader, item, principal) {
      const approval = await selectApproval(reader, payloads, item.itemId);
      if (!approval?.parameters || !isShownWhole(approval, principal)) return [];
      return highlightsOf(approval.parameters, await decidingPaths(reader, deps, approval));
    },
  };
}

/** A grant for many calls also answers what is asked about some of them. */
async function grant(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  approval: Approval,
  made: DecisionMade,
): Promise<void> {
  const granted = await grantApproval(uow, deps, approval, made);
  if (isSingle(granted.covers)) return;
  const now = deps.clock.now();
  const open = await (granted.sessionId === null
    ? selectOpenApprovalsOf(uow, deps.payloads, granted, now)
    : selectOpenApprovals(uow, deps.payloads, granted.sessionId, now));
  const { decidedBy, decidedAt, note: reason } = made;
  for (const { approvalId } of answeredBy(granted, open)) {
    await closeApproval(uow, approvalId, { status: 'approved', approver: decidedBy.id, decidedAt, reason });
    await deps.inbox.supersede(uow, { itemId: approvalId, by: decidedBy, reason: 'approved_otherwise' });
  }
}

/** The parameters that the asking policy looks at. */
async function decidingPaths(
  reader: Reader,
  { sets }: GovernanceDeps,
  { atlas, policyId }: Approval,
): Promise<readonly string[]> {
  if (!atlas) return [];
  const found = await sets.find(reader, atlas.digest);
  const policy = found?.manifest.policies?.find(({ policy_id }) => policy_id === policyId);
  return pathsIn(policy?.parameters?.when);
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
