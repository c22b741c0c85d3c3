import type { Micros } from '../../kernel/clock.ts';
import type { BatonError } from '../../kernel/error.ts';
import { globMatcher } from '../../kernel/glob.ts';
import { isOwner } from '../identity/access.ts';
import type { Principal } from '../identity/principal.ts';
import { inboxErrors } from './errors.ts';
import { type Decision, type DecisionMade, type InboxItem, type Risk, stateAt } from './item.ts';

export interface DecisionAttempt {
  readonly decision: Decision;
  /** The id of one of the item's choices; the first where left out. */
  readonly choice?: string | undefined;
  readonly digest: string;
  readonly principal: Principal;
  /** Salted with the item's salt; null without edits. */
  readonly editsHash: string | null;
}

/** `repeat`: the same person said the same before; nothing more happens. */
export type Verdict = 'accept' | 'repeat';

/** Throws if this decision may not be made on this item now. */
export function judgeDecision(
  item: InboxItem,
  attempt: DecisionAttempt,
  now: Micros,
  presenceFor: readonly Risk[],
): Verdict {
  const state = stateAt(item, now);
  if (item.decision) {
    if (isSameDecision(item, attempt)) return 'repeat';
    throw inboxErrors.already_decided({
      details: { decision: item.decision.decision, decided_by: item.decision.decidedBy.id, state },
    });
  }
  if (state === 'superseded') throw inboxErrors.item_superseded({ details: { reason: item.reason } });
  if (state === 'expired') throw inboxErrors.item_expired({ details: { expires_at: item.expiresAt } });
  const fault = deciderFault(item, attempt.principal);
  if (fault) throw fault;
  if (presenceFor.includes(item.risk) && !attempt.principal.present) {
    throw inboxErrors.presence_required({ details: { risk: item.risk } });
  }
  if (attempt.digest !== item.digest) {
    throw inboxErrors.stale_digest({ pointer: '/digest', details: { digest: item.digest } });
  }
  checkEdits(item, attempt);
  checkChoice(item, attempt);
  return 'accept';
}

/** What is approved where an item leaves a choice: the one that was named, or the first. */
export function chosenOf(
  item: InboxItem,
  { decision, choice }: Pick<DecisionAttempt, 'decision' | 'choice'>,
): string | null {
  return decision === 'reject' ? null : (choice ?? item.choices[0]?.id ?? null);
}

/** What several people have agreed to: the last one's yes, and of what they chose the least. */
export function decisionOfAll(
  { choices }: InboxItem,
  made: DecisionMade,
  before: readonly { readonly actorId: string; readonly choice: string | null }[],
): DecisionMade {
  const chosen = [made, ...before].map(({ choice }) => choices.findIndex(({ id }) => id === choice));
  return {
    ...made,
    choice: choices[Math.min(...chosen)]?.id ?? made.choice,
    agreedBy: before.map(({ actorId }) => actorId),
  };
}

function isSameDecision(item: InboxItem, attempt: DecisionAttempt): boolean {
  return (
    item.decision?.decidedBy.id === attempt.principal.actor.id &&
    item.decision.decision === attempt.decision &&
    item.decision.choice === chosenOf(item, attempt) &&
    item.decision.editsHash === attempt.editsHash &&
    item.digest === attempt.digest
  );
}

/** The credential that a request was made with, as items record it. */
export function credentialName({ credential }: Principal): string {
  return `${credential.kind}:${credential.id}`;
}

/** Whether an item was asked by this principal: as the credential's actor, in whose name, or with this very credential. */
export function isAsker(item: InboxItem, principal: Principal): boolean {
  const { id } = principal.actor;
  return (
    id === item.requestedBy.id ||
    id === item.requestedFor.id ||
    item.requestedWith === credentialName(principal)
  );
}

/** Why this principal can never decide the item, whatever they say; undefined if they can. */
export function deciderFault(item: InboxItem, principal: Principal): BatonError | undefined {
  if (isAsker(item, principal)) return inboxErrors.self_approval();
  if (item.humansOnly && principal.actor.type !== 'human') return inboxErrors.human_required();
  if (item.deciders === null || (item.ownerDecides && isOwner(principal))) return undefined;
  if (namesActor(item.deciders, principal.actor.id)) return undefined;
  return inboxErrors.approver_required(item.personal ? {} : { details: { approvers: item.deciders } });
}

export function namesActor(globs: readonly string[], actorId: string): boolean {
  return globs.some((glob) => globMatcher(glob)(actorId));
}

function checkEdits(item: InboxItem, attempt: DecisionAttempt): void {
  const wanted = attempt.decision === 'approve_with_edits';
  if (wanted !== (attempt.editsHash !== null)) throw inboxErrors.edits_missing({ pointer: '/edits' });
  if (wanted && !mayEdit(item)) throw inboxErrors.edits_not_allowed({ pointer: '/decision' });
}

/** What several people agree to is the same for all of them: nobody's yes counts for what another one writes. */
export function mayEdit({ editsAllowed, quorum }: Pick<InboxItem, 'editsAllowed' | 'quorum'>): boolean {
  return editsAllowed && quorum === 1;
}

function checkChoice({ choices }: InboxItem, { decision, choice }: DecisionAttempt): void {
  if (choice === undefined) return;
  if (decision !== 'reject' && choices.some(({ id }) => id === choice)) return;
  throw inboxErrors.unknown_choice({ pointer: '/choice', details: { choices: choices.map(({ id }) => id) } });
}
