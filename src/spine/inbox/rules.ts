import type { Micros } from '../../kernel/clock.ts';
import type { Principal } from '../identity/principal.ts';
import { inboxErrors } from './errors.ts';
import { type Decision, type InboxItem, type Risk, stateAt } from './item.ts';

export interface DecisionAttempt {
  readonly decision: Decision;
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
  checkApprover(item, attempt.principal, presenceFor);
  if (attempt.digest !== item.digest) {
    throw inboxErrors.stale_digest({ pointer: '/digest', details: { digest: item.digest } });
  }
  checkEdits(item, attempt);
  return 'accept';
}

function isSameDecision(item: InboxItem, attempt: DecisionAttempt): boolean {
  return (
    item.decision?.decidedBy.id === attempt.principal.actor.id &&
    item.decision.decision === attempt.decision &&
    item.decision.editsHash === attempt.editsHash &&
    item.digest === attempt.digest
  );
}

function checkApprover(item: InboxItem, principal: Principal, presenceFor: readonly Risk[]): void {
  if (principal.actor.id === item.requestedBy.id) throw inboxErrors.self_approval();
  if (item.humansOnly && principal.actor.type !== 'human') throw inboxErrors.human_required();
  if (presenceFor.includes(item.risk) && !principal.present) {
    throw inboxErrors.presence_required({ details: { risk: item.risk } });
  }
}

function checkEdits(item: InboxItem, attempt: DecisionAttempt): void {
  const wanted = attempt.decision === 'approve_with_edits';
  if (wanted !== (attempt.editsHash !== null)) throw inboxErrors.edits_missing({ pointer: '/edits' });
  if (wanted && !item.editsAllowed) throw inboxErrors.edits_not_allowed({ pointer: '/decision' });
}
