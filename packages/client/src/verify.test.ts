import { describe, expect, it } from 'vitest';
import { portableHasher } from '../../../src/kernel/sha256.ts';
import { eventHash, GENESIS_HASH, traceEventLine } from '../../../src/kernel/trace/event.ts';
import { checkChain, checkEntries, checkProof } from './verify.ts';

const CHAIN = '0190b8e0-0000-7000-8000-000000000001';

/** A ledger chain whose payloads carry what a platform's JSON parser would lose. */
function chain(payloads: readonly string[]): string[] {
  let previous = GENESIS_HASH;
  return payloads.map((payload, sequence) => {
    const event = {
      trace_version: '1.0',
      event_id: `0190b8e0-0000-7000-8000-0000000001${String(sequence).padStart(2, '0')}`,
      trace_id: '0190b8e0-0000-7000-8000-0000000000aa',
      span_id: '0190b8e0-0000-7000-8000-0000000000bb',
      parent_span_id: null,
      session_id: CHAIN,
      sequence,
      timestamp: `2026-01-02T03:04:0${sequence}.000000Z`,
      event_type: 'note.written',
      payload: {},
      previous_event_hash: previous,
    };
    previous = eventHash(portableHasher, event, payload);
    return traceEventLine({ ...event, event_hash: previous }, payload);
  });
}

function answerOf(lines: readonly string[]): string {
  const entries = lines.map(
    (line, leaf) =>
      `{"leaf":${leaf},"project_seq":${leaf + 1},"project_id":"default","session_id":"s","chain":"ledger","event":${line}}`,
  );
  return `{"events":[${entries.join(',')}],"next":${lines.length}}`;
}

describe('checking the entries of an answer', () => {
  const lines = chain(['{"amount":1.0}', '{"amount":2}', '{"text":"caf\\u00e9"}']);

  it('recomputes every hash from the text, numbers in the form they were hashed in', () => {
    expect(checkEntries(answerOf(lines))).toEqual([
      { leaf: 0, hash: 'match', link: 'unseen' },
      { leaf: 1, hash: 'match', link: 'match' },
      { leaf: 2, hash: 'match', link: 'match' },
    ]);
  });

  it('names the entry whose content was changed', () => {
    const changed = lines.map((line) => line.replace('"amount":2', '"amount":3'));
    expect(checkEntries(answerOf(changed)).map(({ hash }) => hash)).toEqual(['match', 'mismatch', 'match']);
  });

  it('names the entry that links to something else than the one before it', () => {
    const other = chain(['{"amount":9}', '{"amount":2}']);
    const [, second] = checkEntries(answerOf([lines[0]!, other[1]!]));
    expect(second).toEqual({ leaf: 1, hash: 'match', link: 'mismatch' });
  });

  it('takes an entry whose content retention dropped for pruned', () => {
    const pruned = lines[1]!.replace('"payload":{"amount":2}', '"payload":null');
    expect(checkEntries(answerOf([pruned]))).toEqual([{ leaf: 0, hash: 'pruned', link: 'unseen' }]);
  });
});

describe('checking files', () => {
  const lines = chain(['{"n":1}', '{"n":2}']);

  it('accepts a whole chain and says where a changed one breaks', () => {
    expect(checkChain(`${lines.join('\n')}\n`)).toMatchObject({ valid: true, event_count: 2 });
    const broken = checkChain(lines.join('\n').replace('"n":2', '"n":3'));
    expect(broken.errors).toMatchObject([{ index: 1, error: 'hash_mismatch' }]);
  });

  it('refuses what is no proof file with a reason', async () => {
    expect(await checkProof('{}')).toMatchObject({ valid: false, error: { code: 'malformed_proof' } });
  });
});
