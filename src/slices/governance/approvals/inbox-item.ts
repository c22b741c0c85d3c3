import { digestOf, formatDigest } from '../../../kernel/digest.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { canonicalAppendixB } from '../../../kernel/json/canonical/appendix-b.ts';
import { ecmascriptLexeme } from '../../../kernel/json/canonical/ecmascript.ts';
import { type Json, JsonNumber, type JsonObject } from '../../../kernel/json/value.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import type { NewItem } from '../../../spine/inbox/inbox.ts';
import { choicesOf } from './cover-words.ts';
import type { Approval } from './store.ts';

/** The kind of its inbox items. */
export const APPROVAL_KIND = 'carp_approval';

/** What a person agrees to. The item's digest covers it, and whoever decides sees all of it. */
export function approvedContent(approval: Approval): JsonObject {
  const { atlas } = approval;
  return {
    session_id: approval.sessionId,
    agent_id: approval.agentId,
    requested_by: approval.requestedBy?.id ?? null,
    action_ids: approval.actionIds,
    atlas: atlas && { atlas_id: atlas.atlasId, version: atlas.version, digest: atlas.digest },
    policy_id: approval.policyId,
    risk_tier: approval.riskTier,
    parameters: approval.parameters,
    parameters_hash: approval.parametersHash,
    may_differ: approval.mayDiffer,
    ...(approval.quorum > 1 && { quorum: approval.quorum }),
    choices: choicesOf(approval.permits, approval).map(({ id, words }) => ({ id, words })),
  };
}

export function approvalItem(hasher: Hasher, approval: Approval, session: Session): NewItem {
  const digest = formatDigest(digestOf(hasher, 'jcs', approvedContent(approval)));
  return {
    itemId: approval.approvalId,
    kind: APPROVAL_KIND,
    projectId: approval.projectId,
    ...askersOf(approval, session.actor),
    deciders: approval.approvers,
    choices: choicesOf(approval.permits, approval),
    quorum: approval.quorum,
    subject: { type: 'action', id: `${approval.sessionId}:${digest.slice(-16)}` },
    digest,
    rule: approval.policyId,
    title: `${approval.agentId} asks to run ${approval.actionIds.join(', ')}`,
    risk: approval.riskTier,
    expires: approval.expires,
    edits: isEditable(hasher, approval),
    alike: approval.atlas ? [approval.atlas.atlasId, ...approval.actionIds] : [...approval.actionIds],
    sessionId: approval.sessionId,
  };
}

/**
 * Other parameters can be approved instead only where the person sees all of what was asked: what is shown without its
 * secrets would be sent without them.
 */
function isEditable(hasher: Hasher, { parameters, parametersHash, actionIds }: Approval): boolean {
  if (parameters === null || actionIds.length !== 1) return false;
  return hasher.hex(canonicalAppendixB(parameters)) === parametersHash;
}

/** Whoever's credential asked, and the agent in whose name: neither can decide. */
function askersOf(
  { requestedBy, requestedWith, agentId }: Approval,
  owner: Actor,
): Pick<NewItem, 'requestedBy' | 'requestedFor' | 'requestedWith'> {
  const by = requestedBy ?? owner;
  return {
    requestedBy: by,
    requestedFor: agentId === '' || agentId === by.id ? by : { id: agentId, type: 'agent' },
    ...(requestedWith !== null && { requestedWith }),
  };
}

type Redact = (text: string) => string;

/**
 * The parameters of a call as a person sees them: secrets removed, by their look or by the name of the member, and
 * numbers that a browser would round as text.
 */
export function shownParameters(parameters: JsonObject, redact: Redact): JsonObject {
  return members(parameters, redact);
}

function members(object: JsonObject, redact: Redact): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, shown(value, (text) => named(name, text, redact))]),
  );

  function named(name: string, text: string, by: Redact): string {
    const label = `${name}: `;
    const safe = by(label + by(text));
    return safe.startsWith(label) ? safe.slice(label.length) : safe;
  }

  function shown(value: Json, by: Redact): Json {
    if (typeof value === 'string') return by(value);
    if (typeof value === 'number') return by(String(value)) === String(value) ? value : by(String(value));
    if (value === null || typeof value === 'boolean') return value;
    if (value instanceof JsonNumber) {
      const safe = by(value.lexeme);
      return safe === value.lexeme && ecmascriptLexeme(value) !== undefined ? value.toNumber() : safe;
    }
    if (Array.isArray(value)) return value.map((item: Json) => shown(item, by));
    return members(value as JsonObject, redact);
  }
}
