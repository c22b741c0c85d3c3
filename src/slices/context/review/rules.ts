import type { z } from 'zod';
import type { Hasher } from '../../../kernel/hasher.ts';
import { canonicalJcs } from '../../../kernel/json/canonical/jcs.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import { sameActor } from '../access.ts';
import { contextErrors } from '../errors.ts';
import type { Standing, Status } from '../packages/stored-package.ts';
import type { reviewEntrySchema } from '../schema.ts';

export type Move =
  | { readonly kind: 'flag'; readonly reviewType: 'human' | 'agent' }
  | { readonly kind: 'approve' }
  | { readonly kind: 'request_changes' }
  | { readonly kind: 'complete' };

export interface Mover {
  readonly actor: Actor;
  /** Authors may not review their own work for a human, unless the project allows it. */
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

/** Whose work a package is: of its author, and of whoever deposited it in the author's name. */
export interface Makers {
  readonly author: Actor;
  readonly depositor?: Actor | null;
}

function isMaker({ author, depositor }: Makers, actor: Actor): boolean {
  return sameActor(author, actor) || (depositor != null && sameActor(depositor, actor));
}

/** The standing after a move; throws if the table, the reviewer's type or authorship forbids it. */
export function moveStanding(from: Standing, makers: Makers, move: Move, by: Mover): Standing {
  const to = TO[move.kind];
  if (!ALLOWED[from.status].includes(to)) throw refusedMove(from.status, to);
  if (move.kind === 'flag') return { status: to, reviewType: move.reviewType };
  if (move.kind === 'complete') {
    const closesOwnWork = sameActor(makers.author, by.actor) && from.status !== 'awaiting_review';
    if (!closesOwnWork) throw refusedMove(from.status, to);
    return { status: to, reviewType: from.reviewType };
  }
  if (from.status === 'draft') throw refusedMove(from.status, to);
  requireReviewer(from, makers, by);
  return { status: to, reviewType: from.reviewType };
}

function requireReviewer(from: Standing, makers: Makers, by: Mover): void {
  if (from.reviewType === 'human' && by.actor.type !== 'human') {
    throw contextErrors.reviewer_type_mismatch({ details: { review_type: from.reviewType } });
  }
  if (from.reviewType === 'human' && isMaker(makers, by.actor) && !by.mayReviewOwn) {
    throw contextErrors.self_review();
  }
}

function refusedMove(from: Status, to: Status) {
  return contextErrors.invalid_transition({
    message: `A package that is ${from} cannot become ${to}.`,
    details: { from, to },
  });
}

/**
 * One line of a package's review log, in wire form. `seq` counts from 1, and `previous_entry_hash` names the entry before.
 * `note_hash` covers the salt and the note, so that the log stays intact when redaction removes both.
 */
export type ReviewEntry = Readonly<z.output<typeof reviewEntrySchema>>;

type Unsealed = Omit<ReviewEntry, 'note_hash' | 'entry_hash'>;

export function sealEntry(hasher: Hasher, entry: Unsealed): ReviewEntry {
  const hashed = { ...entry, note_hash: noteHash(hasher, entry) };
  return { ...hashed, entry_hash: entryHash(hasher, hashed) };
}

function noteHash(hasher: Hasher, { note, note_salt }: Unsealed): string | null {
  return note === null ? null : `sha256:${hasher.hex(`${note_salt}:${note}`)}`;
}

function entryHash(hasher: Hasher, entry: Omit<ReviewEntry, 'entry_hash'>): string {
  const { note: _, note_salt: __, ...lasting } = entry;
  return `sha256:${hasher.hex(canonicalJcs(lasting as never))}`;
}

export function withoutNote(entry: ReviewEntry): ReviewEntry {
  return { ...entry, note: null, note_salt: null };
}

/** The first entry that does not follow from the one before it; undefined if the log is intact. */
export function brokenEntry(hasher: Hasher, entries: readonly ReviewEntry[]): ReviewEntry | undefined {
  let previous: ReviewEntry | undefined;
  for (const entry of entries) {
    const { entry_hash, ...rest } = entry;
    const follows =
      rest.seq === (previous?.seq ?? 0) + 1 &&
      rest.previous_entry_hash === (previous?.entry_hash ?? null) &&
      (previous === undefined || rest.prev_hash === previous.new_hash);
    const noteFits = rest.note === null || noteHash(hasher, rest) === rest.note_hash;
    if (!follows || !noteFits || entryHash(hasher, rest) !== entry_hash) return entry;
    previous = entry;
  }
  return undefined;
}
