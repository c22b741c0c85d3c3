import { formatMicros } from '../../../kernel/instant.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { canSeeProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import { requireSessionOwner, visibleSession } from '../../../spine/identity/sessions/session-access.ts';
import { selectSession } from '../../../spine/identity/sessions/session-store.ts';
import { inboxErrors } from '../../../spine/inbox/errors.ts';
import { credentialName } from '../../../spine/inbox/rules.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { governanceErrors } from '../errors.ts';
import type { CompiledPolicy } from '../policies/rules/compile.ts';
import type { ApprovalRule } from '../policies/rules/parameters.ts';
import type { GovernanceDeps } from '../ports.ts';
import { hashWithout, type Need, permittedCovers } from './grant-rules.ts';
import { approvalItem, shownParameters } from './inbox-item.ts';
import { sameQuestion, statusAt } from './rules.ts';
import { type Approval, insertApproval, markAsked, selectApproval, selectOpenApprovals } from './store.ts';

export interface NeededApproval extends Need {
  /** Whose credential asks. */
  readonly principal: Principal;
  readonly session: Session;
  readonly resolutionId: string | null;
  readonly policy: CompiledPolicy;
  readonly goal: string;
  /** The approvals of the session that are open. */
  readonly open: readonly Approval[];
}

/** The call that needs an approval. */
export interface WaitingCall {
  readonly parameters: JsonObject;
  readonly hash: string;
}

const EXACTLY_ONCE: Pick<ApprovalRule, 'covers' | 'mayDiffer'> = { covers: 'call', mayDiffer: [] };

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
  deps: GovernanceDeps,
  needed: NeededApproval,
): Promise<Approval> {
  return (
    sameQuestion(needed.open, { ...needed, boundHash: null, askedBy: needed.principal.actor.id }) ??
    insertQuestion(uow, deps, needed)
  );
}

async function insertQuestion(
  uow: UnitOfWork,
  { inbox, clock, payloads, settings }: GovernanceDeps,
  needed: NeededApproval,
): Promise<Approval> {
  const { session, policy, principal, riskTier } = needed;
  const rule = policy.rule.approval ?? {
    ...EXACTLY_ONCE,
    approvers: undefined,
    expiresSeconds: undefined,
    quorum: undefined,
  };
  const now = clock.now();
  const expires = now + (rule.expiresSeconds ?? settings.approvalSeconds) * 1_000_000;
  const approval: Approval = {
    approvalId: inbox.reserveId(),
    projectId: session.projectId,
    sessionId: session.sessionId,
    agentId: session.agentId ?? '',
    resolutionId: needed.resolutionId,
    actionIds: needed.actionIds,
    atlas: { atlasId: needed.atlasId, version: needed.atlasVersion, digest: needed.atlasDigest },
    policyId: needed.policyId,
    approvers: rule.approvers ?? null,
    mayDiffer: rule.mayDiffer,
    permits: permittedCovers(rule, riskTier, false),
    reason: policy.rule.reason ?? 'A person must approve first',
    riskTier,
    goal: settings.redact(needed.goal),
    parameters: null,
    parametersHash: null,
    boundHash: null,
    requestedBy: principal.actor,
    requestedWith: credentialName(principal),
    asked: null,
    status: 'pending',
    requestedAt: formatMicros(now),
    requested: now,
    expiresAt: formatMicros(expires),
    expires,
    approver: null,
    decidedAt: null,
    decisionReason: null,
    quorum: rule.quorum ?? 1,
    edited: null,
  };
  await insertApproval(uow, payloads, approval);
  return approval;
}

/** Puts the question in the inbox. However late it is asked, a person gets the full time to answer. */
async function askPerson(
  uow: UnitOfWork,
  { inbox, clock, hasher, payloads }: GovernanceDeps,
  approval: Approval,
): Promise<Approval> {
  if (approval.asked !== null) return approval;
  const session = await selectSession(uow, approval.sessionId);
  if (!session) throw governanceErrors.approval_not_found();
  const now = clock.now();
  if (statusAt(approval, now) === 'expired') {
    throw inboxErrors.item_expired({ details: { expires_at: approval.expiresAt } });
  }
  const expires = now + (approval.expires - approval.requested);
  const asked: Approval = { ...approval, asked: now, expires, expiresAt: formatMicros(expires) };
  await markAsked(uow, payloads, asked);
  await inbox.openItem(uow, approvalItem(hasher, asked, session));
  return asked;
}

/**
 * Asks a person whether this call may run; the same question of the same session is the same approval. An offer that
 * becomes the question is from then on about this call alone.
 */
export async function askForCall(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  needed: NeededApproval,
  call: WaitingCall,
): Promise<Approval> {
  const rule = needed.policy.rule.approval ?? EXACTLY_ONCE;
  const boundHash = hashWithout(deps.hasher, call.parameters, rule.mayDiffer);
  const { principal } = needed;
  const known = sameQuestion(needed.open, { ...needed, boundHash, askedBy: principal.actor.id });
  if (known && known.asked !== null) return known;
  return askPerson(uow, deps, {
    ...(known ?? (await insertQuestion(uow, deps, needed))),
    permits: permittedCovers(rule, needed.riskTier, true),
    parameters: shownParameters(call.parameters, deps.settings.redact),
    parametersHash: call.hash,
    boundHash,
    requestedBy: principal.actor,
    requestedWith: credentialName(principal),
  });
}

/** An approval that was only offered can be decided too: it is asked and answered at once. */
export function askToDecide(uow: UnitOfWork, deps: GovernanceDeps, approval: Approval): Promise<Approval> {
  return askPerson(uow, deps, approval);
}

/** Asks a person for what a resolution named, or for one action of it, for the agent whose session it is. */
export async function askAs(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  approvalId: string,
  actionId?: string,
): Promise<Approval> {
  const approval = await visibleApproval(uow, deps, principal, approvalId);
  requireSessionOwner(principal, await visibleSession(uow, principal, approval.sessionId));
  const asking = { ...approval, requestedBy: principal.actor, requestedWith: credentialName(principal) };
  if (approval.asked !== null) {
    const again = approval.requestedBy === null || approval.requestedBy.id === principal.actor.id;
    return again ? approval : askAnew(uow, deps, asking);
  }
  if (actionId === undefined) return askPerson(uow, deps, asking);
  if (!approval.actionIds.includes(actionId)) {
    throw governanceErrors.action_not_found({
      message: 'This approval is about other actions.',
      next: 'Leave `action_id` out, or name one of `details.action_ids`.',
      pointer: '/action_id',
      details: { action_ids: approval.actionIds },
    });
  }
  if (approval.actionIds.length === 1) return askPerson(uow, deps, asking);
  return askAnew(uow, deps, { ...asking, actionIds: [actionId] });
}

/** The question as it is, unless this asker has it open already. */
async function askAnew(uow: UnitOfWork, deps: GovernanceDeps, wanted: Approval): Promise<Approval> {
  const now = deps.clock.now();
  const { requestedBy, requestedWith } = wanted;
  const open = await selectOpenApprovals(uow, deps.payloads, wanted.sessionId, now);
  const same = open.find(
    (each) =>
      each.atlas?.digest === wanted.atlas?.digest &&
      each.policyId === wanted.policyId &&
      each.riskTier === wanted.riskTier &&
      each.boundHash === wanted.boundHash &&
      each.actionIds.join() === wanted.actionIds.join() &&
      (each.asked === null || each.requestedBy?.id === requestedBy?.id),
  );
  if (same) return askPerson(uow, deps, { ...same, requestedBy, requestedWith });
  const fresh: Approval = {
    ...wanted,
    approvalId: deps.inbox.reserveId(),
    asked: null,
    requested: now,
    requestedAt: formatMicros(now),
    expires: now + (wanted.expires - (wanted.asked ?? wanted.requested)),
  };
  await insertApproval(uow, deps.payloads, fresh);
  return askPerson(uow, deps, fresh);
}
