import { formatMicros } from '../../../kernel/instant.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { canSeeProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import { requireSessionOwner, visibleSession } from '../../../spine/identity/sessions/session-access.ts';
import { selectSession } from '../../../spine/identity/sessions/session-store.ts';
import { inboxErrors } from '../../../spine/inbox/errors.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { governanceErrors } from '../errors.ts';
import type { CompiledPolicy } from '../policies/rules/compile.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { RiskTier } from '../schema.ts';
import { approvalItem, shownParameters } from './inbox-item.ts';
import { type ApprovalQuestion, sameQuestion, statusAt } from './rules.ts';
import { type Approval, insertApproval, markAsked, selectApproval, selectLiveApprovals } from './store.ts';

export interface NeededApproval {
  readonly session: Session;
  readonly resolutionId: string | null;
  readonly actionIds: readonly string[];
  readonly policy: CompiledPolicy;
  readonly riskTier: RiskTier;
  readonly goal: string;
  /** The approvals of the session that are open or granted. */
  readonly live: readonly Approval[];
}

/** The call that needs an approval. */
export interface WaitingCall {
  readonly parameters: JsonObject;
  readonly hash: string;
}

export async function findApproval(
  reader: Reader,
  { payloads }: GovernanceDeps,
  approvalId: string,
): Promise<Approval> {
  const approval = await selectApproval(reader, payloads, approvalId);
  if (!approval) throw governanceErrors.approval_not_found();
  return approval;
}

export async function visibleApproval(
  reader: Reader,
  deps: GovernanceDeps,
  principal: Principal,
  approvalId: string,
): Promise<Approval> {
  const approval = await findApproval(reader, deps, approvalId);
  if (!canSeeProject(principal, approval.projectId)) throw governanceErrors.approval_not_found();
  return approval;
}

/** The approval that a resolution names, created if the question is new. Nobody is asked yet. */
export async function offerApproval(
  uow: UnitOfWork,
  { inbox, clock, payloads, settings }: GovernanceDeps,
  needed: NeededApproval,
  call?: WaitingCall,
): Promise<Approval> {
  const { session, policy, actionIds } = needed;
  const question: ApprovalQuestion = {
    policyId: policy.policyId,
    actionIds,
    // A rule on parameters asks about this very call; what is granted for it is granted for nothing else.
    covers: call && policy.rule.when ? 'call' : 'session',
    parametersHash: call?.hash ?? null,
  };
  const same = sameQuestion(needed.live, question);
  if (same) return same;
  const now = clock.now();
  const expires = now + (policy.rule.approval?.expiresSeconds ?? settings.approvalSeconds) * 1_000_000;
  const approval: Approval = {
    approvalId: inbox.reserveId(),
    projectId: session.projectId,
    sessionId: session.sessionId,
    agentId: session.agentId ?? '',
    resolutionId: needed.resolutionId,
    ...question,
    approvers: policy.rule.approval?.approvers ?? null,
    reason: policy.rule.reason ?? 'A person must approve first',
    riskTier: needed.riskTier,
    goal: settings.redact(needed.goal),
    parameters: null,
    asked: null,
    status: 'pending',
    requestedAt: formatMicros(now),
    requested: now,
    expiresAt: formatMicros(expires),
    expires,
    approver: null,
    decidedAt: null,
    decisionReason: null,
  };
  await insertApproval(uow, payloads, approval);
  return approval;
}

/** Puts the question in the inbox. However late it is asked, a person gets the full time to answer. */
export async function askPerson(
  uow: UnitOfWork,
  { inbox, clock, hasher, payloads, settings }: GovernanceDeps,
  approval: Approval,
  call?: WaitingCall,
): Promise<Approval> {
  if (approval.asked !== null) return approval;
  const session = await selectSession(uow, approval.sessionId);
  if (!session) throw governanceErrors.approval_not_found();
  const now = clock.now();
  if (statusAt(approval, now) === 'expired') {
    throw inboxErrors.item_expired({ details: { expires_at: approval.expiresAt } });
  }
  const expires = now + (approval.expires - approval.requested);
  const asked: Approval = {
    ...approval,
    asked: now,
    expires,
    expiresAt: formatMicros(expires),
    ...(call && { parameters: shownParameters(call.parameters, settings.redact), parametersHash: call.hash }),
  };
  await markAsked(uow, payloads, asked);
  await inbox.openItem(uow, approvalItem(hasher, asked, session));
  return asked;
}

/** Asks a person whether this call may run; the same question of the same session is the same approval. */
export async function askForCall(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  needed: NeededApproval,
  call: WaitingCall,
): Promise<Approval> {
  return askPerson(uow, deps, await offerApproval(uow, deps, needed, call), call);
}

/** Asks a person for what a resolution named, or for one action of it. */
export async function askForOffered(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  approvalId: string,
  actionId?: string,
): Promise<Approval> {
  const approval = await findApproval(uow, deps, approvalId);
  if (actionId === undefined || approval.asked !== null) return askPerson(uow, deps, approval);
  if (!approval.actionIds.includes(actionId)) {
    throw governanceErrors.action_not_found({
      message: 'This approval is about other actions.',
      next: 'Leave `action_id` out, or name one of `details.action_ids`.',
      pointer: '/action_id',
      details: { action_ids: approval.actionIds },
    });
  }
  if (approval.actionIds.length === 1) return askPerson(uow, deps, approval);
  const question = { ...approval, actionIds: [actionId] };
  const live = await selectLiveApprovals(uow, deps.payloads, approval.sessionId, deps.clock.now());
  const same = sameQuestion(live, question);
  if (same) return askPerson(uow, deps, same);
  const narrower = { ...question, approvalId: deps.inbox.reserveId() };
  await insertApproval(uow, deps.payloads, narrower);
  return askPerson(uow, deps, narrower);
}

/** As `askForOffered`, for the agent whose session it is. */
export async function askAs(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  approvalId: string,
  actionId?: string,
): Promise<Approval> {
  const { sessionId } = await visibleApproval(uow, deps, principal, approvalId);
  requireSessionOwner(principal, await visibleSession(uow, principal, sessionId));
  return askForOffered(uow, deps, approvalId, actionId);
}
