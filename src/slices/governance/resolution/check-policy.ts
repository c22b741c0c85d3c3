import { formatMicros } from '../../../kernel/instant.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { askForOffered } from '../approvals/ask.ts';
import type { GovernanceDeps } from '../ports.ts';
import { resolveRequest } from './resolve.ts';
import type { CarpResolution } from './schema.ts';

export interface PolicyQuestion {
  /** Names the work that the question belongs to: the same name finds its session, and its approvals, again. */
  readonly session: string;
  readonly goal: string;
  /** The one action that must be allowed; without it, nothing may be denied. */
  readonly action?: string | undefined;
}

export interface PolicyAnswer {
  readonly allowed: boolean;
  /** Allowed once a person has approved, who is asked in the inbox from now on. */
  readonly waiting: boolean;
  readonly reason: string;
  /** Absent where the question itself was refused. */
  readonly resolutionId?: string;
}

/** A resolve by another slice, which means to act: whoever has to approve is asked at once. */
export async function checkPolicy(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  { session: ref, goal, action }: PolicyQuestion,
): Promise<PolicyAnswer> {
  const { actor, defaultProject: projectId } = principal;
  const session = await deps.sessions.sessionForRef(
    uow,
    { projectId, scheme: 'run', value: ref },
    { actor, goal },
  );
  const resolved = await resolveRequest(uow, deps, principal, {
    carp_version: '1.0',
    request_id: deps.ids(),
    timestamp: formatMicros(deps.clock.now()),
    operation: 'resolve',
    requester: { agent_id: actor.id, session_id: session.sessionId },
    task: { goal },
  });
  if ('refused' in resolved) return { allowed: false, waiting: false, reason: resolved.refused.message };
  const answer = answerOf(resolved.done, action);
  if (answer.waiting) {
    for (const approvalId of approvalsBefore(resolved.done, action)) {
      await askForOffered(uow, deps, approvalId, action);
    }
  }
  return { ...answer, resolutionId: resolved.done.resolution_id };
}

function answerOf(resolution: CarpResolution, action: string | undefined): PolicyAnswer {
  const { decision, allowed_actions, denied_actions } = resolution;
  if (action === undefined) {
    const { type, reason } = decision;
    return {
      allowed: type === 'allow',
      waiting: type === 'requires_approval',
      reason: reason ?? `The decision is ${type}.`,
    };
  }
  if (!allowed_actions.some(({ action_id }) => action_id === action)) {
    const denied = denied_actions.find(({ action_id }) => action_id === action);
    return {
      allowed: false,
      waiting: false,
      reason: denied?.reason ?? `No Atlas has the action ${action}.`,
    };
  }
  const waiting = approvalsBefore(resolution, action).length > 0;
  return { allowed: !waiting, waiting, reason: waiting ? 'A person must approve first.' : 'Allowed.' };
}

/** The approvals that an action needs, or all of them. */
function approvalsBefore({ constraints }: CarpResolution, action: string | undefined): string[] {
  return constraints.flatMap(({ type, parameters }) => {
    if (type !== 'require_approval') return [];
    const actionIds = (parameters?.action_ids ?? []) as readonly string[];
    return action === undefined || actionIds.includes(action) ? [String(parameters?.approval_id)] : [];
  });
}
