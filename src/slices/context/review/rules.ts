import type { Actor } from '../../../spine/identity/principal.ts';
import { sameActor } from '../access.ts';
import { contextErrors } from '../errors.ts';
import type { packageStatuses, reviewTypes } from '../schema.ts';

export type Status = (typeof packageStatuses)[number];
export type ReviewType = (typeof reviewTypes)[number];

/** Where a package stands: all that changes after its deposit. */
export interface Standing {
  readonly status: Status;
  readonly reviewType: ReviewType;
}

export type Move =
  | { readonly kind: 'flag'; readonly reviewType: 'human' | 'agent' }
  | { readonly kind: 'approve' }
  | { readonly kind: 'request_changes' }
  | { readonly kind: 'complete' };

export interface Mover {
  readonly actor: Actor;
  /** The owner may set aside that authors do not open their own human gates. */
  readonly mayReviewOwn: boolean;
}

const TO: Readonly<Record<Move['kind'], Status>> = {
  flag: 'awaiting_review',
  approve: 'complete',
  request_changes: 'revision_requested',
  complete: 'complete',
};

const ALLOWED: Readonly<Record<Status, readonly Status[]>> = {
  draft: ['complete', 'awaiting_review'],
  awaiting_review: ['complete', 'awaiting_review', 'revision_requested'],
  revision_requested: ['complete', 'awaiting_review'],
  complete: [],
};

/** The standing after a move; throws where the table, the reviewer's kind or authorship forbids it. */
export function moveStanding(from: Standing, author: Actor, move: Move, by: Mover): Standing {
  const to = TO[move.kind];
  if (!ALLOWED[from.status].includes(to)) throw refusedMove(from.status, to);
  if (move.kind === 'flag') return { status: to, reviewType: move.reviewType };
  if (move.kind === 'complete') {
    const closesOwnWork = sameActor(author, by.actor) && from.status !== 'awaiting_review';
    if (!closesOwnWork) throw refusedMove(from.status, to);
    return { status: to, reviewType: from.reviewType };
  }
  if (from.status === 'draft') throw refusedMove(from.status, to);
  requireReviewer(from, author, by);
  return { status: to, reviewType: from.reviewType };
}

function requireReviewer(from: Standing, author: Actor, by: Mover): void {
  if (from.reviewType === 'human' && by.actor.type !== 'human') {
    throw contextErrors.reviewer_type_mismatch({ details: { review_type: from.reviewType } });
  }
  if (from.reviewType === 'human' && sameActor(author, by.actor) && !by.mayReviewOwn) {
    throw contextErrors.self_review();
  }
}

function refusedMove(from: Status, to: Status) {
  return contextErrors.invalid_transition({
    message: `A package that is ${from} cannot become ${to}.`,
    details: { from, to },
  });
}
