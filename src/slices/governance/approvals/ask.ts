import { globMatcher } from '../../../kernel/glob.ts';
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
import type { Limits } from '../settings.ts';
import { traceSpan } from '../traces/span.ts';
import { APPROVAL_KIND, approvalItem, approvedContent, shownParameters } from './inbox-item.ts';
import { type Asked, answeredBy, sameQuestion } from './rules.ts';
import {
  type Approval,
  closeApproval,
  insertApproval,
  markAsked,
  selectApproval,
  selectLiveApprovals,
} from './store.ts';
import { statusAt } from './view.ts';

export interface Question {
  readonly session: Session;
  readonly resolutionId: string | null;
  readonly actionIds: readonly string[];
  readonly policy: CompiledPolicy;
  readonly riskTier: RiskTier;
  readonly goal: string;
  /** What stands open or granted for the session. */
  readonly live: readonly Approval[];
}

export interface Call {
  readonly parameters: JsonObject;
  readonly hash: string;
}

export interface Approvals {
  /** The approval that a resolution names, so that it can be asked for or given; nobody is asked yet. */
  offer(uow: UnitOfWork, question: Question): Promise<Approval>;
  /** Asks a person whether this call may run; the same question of the same session is the same approval. */
  askForCall(uow: UnitOfWork, question: Question, call: Call): Promise<Approval>;
  /** Asks a person for what a resolution named, or for one action of it. */
  askForOffered(uow: UnitOfWork, approvalId: string, actionId?: string): Promise<Approval>;
  /** The same for the agent whose session it is. */
  askAs(uow: UnitOfWork, principal: Principal, approvalId: string, actionId?: string): Promise<Approval>;
  get(reader: Reader, principal: Principal, approvalId: string): Promise<Approval>;
  /** What was only offered may be decided as well: it is asked and answered at once. */
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
  const { inbox, clock, hasher, ids, journal, payloads } = deps;

  async function find(reader: Reader, approvalId: string): Promise<Approval> {
    const approval = await selectApproval(reader, payloads, approvalId);
    if (!approval) throw governanceErrors.approval_not_found();
    return approval;
  }

  async function get(reader: Reader, principal: Principal, approvalId: string): Promise<Approval> {
    const approval = await find(reader, approvalId);
    if (!canSeeProject(principal, approval.projectId)) throw governanceErrors.approval_not_found();
    return approval;
  }

  /** The approval of a question, made if it is a new one. Nobody is asked by this. */
  async function approvalOf(uow: UnitOfWork, question: Question, call?: Call): Promise<Approval> {
    const { session, policy, actionIds } = question;
    const wanted: Asked = {
      policyId: policy.policyId,
      actionIds,
      // A rule on parameters asks about this very call; what is granted for it is granted for nothing else.
      covers: call && policy.rule.when ? 'call' : 'session',
      parametersHash: call?.hash ?? null,
    };
    const same = sameQuestion(question.live, wanted);
    if (same) return same;
    const now = clock.now();
    const expires = now + (policy.rule.approval?.expiresSeconds ?? limits.approvalSeconds) * 1_000_000;
    const approval: Approval = {
      approvalId: inbox.reserveId(),
      projectId: session.projectId,
      sessionId: session.sessionId,
      agentId: session.agentId ?? '',
      resolutionId: question.resolutionId,
      ...wanted,
      approvers: policy.rule.approval?.approvers ?? null,
      reason: policy.rule.reason ?? 'A person must approve first',
      riskTier: question.riskTier,
      goal: limits.redact(question.goal),
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

  /** Whoever asks late gives a person as long as whoever asks at once. */
  async function ask(uow: UnitOfWork, approval: Approval, call?: Call): Promise<Approval> {
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
      ...(call && { parameters: shownParameters(call.parameters, limits.redact), parametersHash: call.hash }),
    };
    await markAsked(uow, payloads, asked);
    await inbox.openItem(uow, approvalItem(hasher, asked, session));
    return asked;
  }

  async function askForOffered(uow: UnitOfWork, approvalId: string, actionId?: string): Promise<Approval> {
    const approval = await find(uow, approvalId);
    if (actionId === undefined || approval.asked !== null) return ask(uow, approval);
    if (!approval.actionIds.includes(actionId)) {
      throw governanceErrors.action_not_found({
        message: 'This approval is about other actions.',
        next: 'Leave `action_id` out, or name one of `details.action_ids`.',
        pointer: '/action_id',
        details: { action_ids: approval.actionIds },
      });
    }
    if (approval.actionIds.length === 1) return ask(uow, approval);
    const wanted = { ...approval, actionIds: [actionId] };
    const live = await selectLiveApprovals(uow, payloads, approval.sessionId, clock.now());
    const same = sameQuestion(live, wanted);
    if (same) return ask(uow, same);
    const narrower = { ...wanted, approvalId: inbox.reserveId() };
    await insertApproval(uow, payloads, narrower);
    return ask(uow, narrower);
  }

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
      const approval = await find(uow, item.itemId);
      requireApprover(approval, made.decidedBy.id);
      const approved = made.decision !== 'reject';
      const { decidedBy, decidedAt, note } = made;
      const said = { approver: decidedBy.id, decidedAt, reason: note };
      await closeApproval(uow, item.itemId, { status: approved ? 'approved' : 'rejected', ...said });
      if (!approved) return refuse(uow, approval, 'approval_rejected');
      const live = await selectLiveApprovals(uow, payloads, approval.sessionId, clock.now());
      for (const { approvalId } of answeredBy(approval, live)) {
        await closeApproval(uow, approvalId, { status: 'approved', ...said });
        await inbox.supersede(uow, { itemId: approvalId, by: decidedBy, reason: 'approved_otherwise' });
      }
    },
    async expired(uow, item) {
      const approval = await selectApproval(uow, payloads, item.itemId);
      if (!approval) return;
      const decidedAt = formatMicros(clock.now());
      await closeApproval(uow, item.itemId, { status: 'expired', approver: null, decidedAt, reason: null });
      await refuse(uow, approval, 'approval_expired');
    },
    async describe(reader, item) {
      const approval = await selectApproval(reader, payloads, item.itemId);
      return approval && { goal: approval.goal, reason: approval.reason, ...approvedContent(approval) };
    },
  });

  return {
    offer: (uow, question) => approvalOf(uow, question),

    async askForCall(uow, question, call) {
      return ask(uow, await approvalOf(uow, question, call), call);
    },

    askForOffered,

    async askAs(uow, principal, approvalId, actionId) {
      const { sessionId } = await get(uow, principal, approvalId);
      requireSessionOwner(principal, await visibleSession(uow, principal, sessionId));
      return askForOffered(uow, approvalId, actionId);
    },

    get,

    async decide(uow, principal, approvalId, said) {
      if (said.approver !== undefined && said.approver !== principal.actor.id) {
        throw governanceErrors.approver_mismatch({ pointer: '/approver' });
      }
      await ask(uow, await get(uow, principal, approvalId));
      const item = await inbox.get(uow, approvalId);
      if (!item) throw governanceErrors.approval_not_found();
      await inbox.decide(uow, {
        itemId: approvalId,
        decision: said.decision,
        digest: item.digest,
        principal,
        ...(said.reason !== undefined && { note: said.reason }),
      });
      return find(uow, approvalId);
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
