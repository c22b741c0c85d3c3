import { digestOf, formatDigest } from '../../../kernel/digest.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import type { NewItem } from '../../../spine/inbox/inbox.ts';
import type { Approval } from './store.ts';

/** The kind of its inbox items. */
export const APPROVAL_KIND = 'carp_approval';

/** What a person agrees to; the digest is taken of it, and whoever decides is shown all of it. */
export function approvedContent(approval: Approval): JsonObject {
  return {
    session_id: approval.sessionId,
    agent_id: approval.agentId,
    action_ids: approval.actionIds,
    policy_id: approval.policyId,
    covers: approval.covers,
    parameters: approval.parameters,
    parameters_hash: approval.parametersHash,
  };
}

export function approvalItem(hasher: Hasher, approval: Approval, session: Session): NewItem {
  const digest = formatDigest(digestOf(hasher, 'jcs', approvedContent(approval)));
  return {
    itemId: approval.approvalId,
    kind: APPROVAL_KIND,
    projectId: approval.projectId,
    // A person who lets an agent work with their own key is not the one who asks.
    requestedBy: session.actor.type === 'human' ? { id: approval.agentId, type: 'agent' } : session.actor,
    subject: { type: 'action', id: `${approval.sessionId}:${digest.slice(-16)}` },
    digest,
    rule: approval.policyId,
    title: `${approval.agentId} asks to run ${approval.actionIds.join(', ')}`,
    risk: approval.riskTier,
    expires: approval.expires,
    edits: false,
    sessionId: approval.sessionId,
  };
}
