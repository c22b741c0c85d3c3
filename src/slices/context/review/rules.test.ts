import { describe, expect, it } from 'vitest';
import { nodeHasher } from '../../../platform/index.ts';
import type { Status } from '../packages/stored-package.ts';
import { brokenEntry, type Move, moveStanding, type ReviewEntry, sealEntry, withoutNote } from './rules.ts';

const author = { id: 'ada', type: 'agent' as const };
const person = { actor: { id: 'petra', type: 'human' as const }, mayReviewOwn: false };
const asAuthor = { actor: author, mayReviewOwn: false };

describe('the lifecycle', () => {
  const outcome = (from: Status, move: Move, by = person) => {
    try {
      return moveStanding({ status: from, reviewType: 'human' }, { author }, move, by).status;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it.each<[Status, string, string, string, string]>([
    ['draft', 'awaiting_review', 'invalid_transition', 'invalid_transition', 'complete'],
    ['awaiting_review', 'awaiting_review', 'complete', 'revision_requested', 'invalid_transition'],
    ['revision_requested', 'awaiting_review', 'complete', 'invalid_transition', 'complete'],
    ['complete', 'invalid_transition', 'invalid_transition', 'invalid_transition', 'invalid_transition'],
  ])(
    'from %s: flag %s, approve %s, request changes %s, the author finishes %s',
    (from, flag, approve, change, finish) => {
      expect(outcome(from, { kind: 'flag', reviewType: 'human' })).toBe(flag);
      expect(outcome(from, { kind: 'approve' })).toBe(approve);
      expect(outcome(from, { kind: 'request_changes' })).toBe(change);
      expect(outcome(from, { kind: 'complete' }, asAuthor as never)).toBe(finish);
    },
  );
});

describe('the review log', () => {
  const entry = (seq: number, previous: ReviewEntry | undefined): ReviewEntry =>
    sealEntry(nodeHasher, {
      project_id: 'p',
      package_id: 'a',
      seq,
      from: 'awaiting_review',
      to: 'awaiting_review',
      review_type_before: 'human',
      review_type_after: 'human',
      actor: { id: 'petra', type: 'human', session_id: null },
      note: `note ${seq}`,
      note_salt: 'salt',
      at: '2026-01-01T00:00:00.000000Z',
      prev_hash: previous?.new_hash ?? 'sha256:0',
      new_hash: `sha256:${seq}`,
      previous_entry_hash: previous?.entry_hash ?? null,
    });
  const first = entry(1, undefined);
  const second = entry(2, first);

  it('is whole as written, and broken by a change, a gap or another order', () => {
    expect(brokenEntry(nodeHasher, [first, second])).toBeUndefined();
    expect(brokenEntry(nodeHasher, [{ ...first, note: 'added' }, second])?.seq).toBe(1);
    expect(brokenEntry(nodeHasher, [second])?.seq).toBe(2);
    expect(brokenEntry(nodeHasher, [second, first])?.seq).toBe(2);
  });

  it('stays whole when what a reviewer wrote is destroyed, and says that there was something', () => {
    const erased = [withoutNote(first), withoutNote(second)];
    expect(brokenEntry(nodeHasher, erased)).toBeUndefined();
    expect(erased[0]).toMatchObject({ note: null, note_salt: null, note_hash: first.note_hash });
    expect(JSON.stringify(erased)).not.toContain('note 1');
  });
});
