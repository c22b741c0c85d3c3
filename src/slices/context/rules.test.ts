import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../kernel/json/reader.ts';
import type { JsonObject } from '../../kernel/json/value.ts';
import { inline, quoted } from '../../kernel/quoted.ts';
import { nodeHasher } from '../../platform/index.ts';
import { requireWanted } from './descriptor/rules.ts';
import { judgeAssertion } from './facts/rules.ts';
import { withinBudget } from './orient/rules.ts';
import { contentHash, packageHashes } from './packages/rules/hashes.ts';
import { findSecrets } from './packages/rules/secrets.ts';
import { readCursor, writeCursor } from './paging.ts';
import { brokenEntry, type ReviewEntry, sealEntry, withoutNote } from './review/review-entry.ts';
import { type Move, moveStanding, type Status } from './review/rules.ts';

const author = { id: 'ada', type: 'agent' as const };
const person = { actor: { id: 'petra', type: 'human' as const }, mayReviewOwn: false };
const asAuthor = { actor: author, mayReviewOwn: false };

describe('the lifecycle', () => {
  const outcome = (from: Status, move: Move, by = person) => {
    try {
      return moveStanding({ status: from, reviewType: 'human' }, author, move, by).status;
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

describe('hashes', () => {
  const EXAMPLE = `{"package_id":"pkg_1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d","project_id":"proj_dev_relay","relay_version":"0.1",
    "title":"Shipped archive/de-archive","status":"complete","package_type":"milestone","review_type":"none",
    "created_at":"2026-04-18T20:00:00Z","created_by":{"id":"jordan","type":"human","session_id":null},
    "tags":["archive","cli"],"decisions_made":["Soft archive via archived_at timestamp"],"open_questions":[],
    "handoff_note":"Migration 009 applied, dashboard filter works."}`;
  const exampleWith = (more: string) => EXAMPLE.replace(/\}$/, `${more}}`);
  const V1 = '0efe5d06aaaaf2dc735b3f9ce7cfc1a0f7cd715491ab61d991f57be1d4c0db33';

  it.each([
    ['V1 the example of the protocol', EXAMPLE, V1],
    ['V2 an absent member instead of a null one', EXAMPLE.replace(',"session_id":null', ''), V1],
    [
      'V3 defaults written out',
      exampleWith(',"description":"","significance":5,"deliverables":[],"content_md":""'),
      'a8a3abb573c618694c486de88a032d384c446b72e926fe2056f29cdaa85bb6ee',
    ],
    [
      'V4 another form of the same instant',
      EXAMPLE.replace('20:00:00Z', '20:00:00+00:00'),
      '8a33b46ac747c24db9871a2624efebacbf7583935477996fea254dbc68ea3e10',
    ],
    [
      'V5 members that the protocol does not know',
      exampleWith(',"x-trust-score":0.1').replace('"type":"human"', '"type":"human","git_commit":"abc123"'),
      '2653502a1801d77f30dc60a99fe978b52e0ffb3c879fbb232187f658ce000010',
    ],
    [
      'V7 keys in the order of their UTF-8 bytes, nulls kept in arrays only',
      '{"😀":1,"\ufb33":2,"x":{"n":null},"a":[null,1]}',
      'a81dee9c10e037e0e6f586a27a25a89f3369af726cd4ed7c34e717780bf135ae',
    ],
  ])('are those of the published vectors: %s', (_, text, hash) => {
    expect(contentHash(nodeHasher, readJson(text))).toBe(`sha256:${hash}`);
    expect(packageHashes(nodeHasher, readJson(text) as JsonObject).content).toBe(`sha256:${hash}`);
  });

  it('are those of the published vectors: V6 the body without status and review type', () => {
    expect(packageHashes(nodeHasher, readJson(EXAMPLE) as JsonObject).body).toBe(
      'sha256:4459ed37a1b8bd03f851b6945f196dfee464180c4de82b2b6a3b1f3b29cc8f25',
    );
  });
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

describe('an assertion', () => {
  const current = { factId: 'f', value: 'a', validFrom: '2026-01-01T00:00:00Z', fromMicros: 1_000 };

  it('never begins before what it replaces, whatever the clock says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000 }), (now) => {
        const verdict = judgeAssertion(current, { value: 'b' }, now);
        expect(verdict.kind === 'assert' && verdict.fromMicros).toBe(Math.max(now, 1_000));
      }),
    );
  });

  it('is no change where asked and the value is the same', () => {
    expect(judgeAssertion(current, { value: 'a', ifChanged: true }, 5_000)).toEqual({ kind: 'unchanged' });
    expect(judgeAssertion(current, { value: 'a' }, 5_000).kind).toBe('assert');
    expect(() => judgeAssertion(undefined, { value: 'a', expectedValue: 'x' }, 0)).toThrow(/not the one/);
  });
});

describe('quotation', () => {
  it('keeps every line of others behind a mark, whatever they write', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const lines = quoted(text).split('\n');
        expect(lines.every((line) => line.startsWith('> '))).toBe(true);
        expect(inline(text)).not.toMatch(/[\n\r\u2028\u2029\u202e\u200b]/u);
      }),
    );
  });
});

describe('the secret scanner', () => {
  it('finds credentials also behind escapes, names the place, and leaves prose alone', () => {
    const text = `{"a":["fine",{"b~/c":"ghp_${'a'.repeat(36)}"}],"d":"\\u0041KIA${'Z'.repeat(16)}"}`;
    expect(findSecrets(text, readJson(text))).toEqual([
      { kind: 'github_token', pointer: '/a/1/b~0~1c' },
      { kind: 'aws_access_key', pointer: '/d' },
    ]);
    const address = '{"a":"Kept at postgres://app:s3cret@db.internal/app now"}';
    expect(findSecrets(address, readJson(address))).toEqual([{ kind: 'url_password', pointer: '/a' }]);
    const prose = '{"a":"The token expires; see https://example.org/user:guide and sk-learn"}';
    expect(findSecrets(prose, readJson(prose))).toEqual([]);
  });
});

describe('small rules', () => {
  it('a cursor survives its travel, and nonsense is refused', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.nat(), (micros, seq) => {
        expect(readCursor(writeCursor({ micros, seq }))).toEqual({ micros, seq });
      }),
    );
    expect(() => readCursor('nonsense')).toThrow(/none of ours/);
  });

  it('a budget takes whole items only', () => {
    expect(withinBudget(['aaaa', 'b'.repeat(100), 'cc'], (one) => one, 10)).toEqual({
      kept: ['aaaa', 'cc'],
      bytes: 8,
      dropped: 1,
    });
  });

  it('a wish is granted or named', () => {
    expect(() => requireWanted('L3; ext="events/1 cas/1"')).not.toThrow();
    expect(() => requireWanted('L4')).toThrow(/L4/);
  });
});
