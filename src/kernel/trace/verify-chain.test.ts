import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeHasher } from '../../platform/index.ts';
import type { BatonError } from '../error.ts';
import { canonicalUtf8Literal } from '../json/canonical/utf8-literal.ts';
import { readJson } from '../json/reader.ts';
import { objectText } from '../json/testing.ts';
import type { JsonObject } from '../json/value.ts';
import { eventHash, GENESIS_HASH, type TraceEvent, traceEventLine } from './event.ts';
import { readStoredEvent } from './line.ts';
import { chainOf, rehashedFrom, SESSION } from './testing.ts';
import { type ChainOptions, createChainVerifier } from './verify-chain.ts';

const events = chainOf(SESSION);
const lines = events.map((event) => traceEventLine(event));
const prove = process.env.BATON_PROVE === '1';

function verify(
  chain: Iterable<Parameters<ReturnType<typeof createChainVerifier>['push']>[0]>,
  options?: ChainOptions,
) {
  const verifier = createChainVerifier(nodeHasher, options);
  for (const event of chain) verifier.push(event);
  return verifier.finish();
}

function edit(index: number, change: Partial<TraceEvent>): TraceEvent[] {
  return events.map((event, at) => (at === index ? { ...event, ...change } : event));
}

function found(chain: Parameters<typeof verify>[0], options?: ChainOptions): string[] {
  return verify(chain, options).errors.map(({ index, error }) => `${index} ${error}`);
}

describe('a sound chain', () => {
  it('is valid as lines and as events, in every mode', () => {
    for (const mode of ['exact', 'strict', 'lenient'] as const) {
      for (const chain of [lines, events]) {
        expect(verify(chain, { mode })).toEqual({
          valid: true,
          event_count: events.length,
          ended: true,
          errors: [],
          warnings: [],
          head: events.at(-1)?.event_hash,
          pruned: 0,
          profile: 'appendix-b',
        });
      }
    }
  });

  it('is valid when it is empty, and not ended', () => {
    expect(verify([])).toMatchObject({ valid: true, event_count: 0, ended: false, head: GENESIS_HASH });
  });

  it('may hold any payload', () => {
    fc.assert(
      fc.property(fc.array(objectText, { minLength: 1, maxLength: 6 }), (payloads) => {
        const chain = chainOf(
          payloads.map((text) => ({ type: 'error.occurred', payload: readJson(text) as JsonObject })),
        );
        const exported = chain.map((event) => traceEventLine(event));
        expect(verify(exported, { mode: 'exact' }).errors).toEqual([]);
        expect(verify(exported, { profile: 'auto' })).toMatchObject({ valid: true, profile: 'appendix-b' });
      }),
    );
  });
});

describe('a tampered chain', () => {
  it('shows an edited payload by its hash, also in the first event', () => {
    expect(found(edit(0, { payload: { agent_id: 'x', goal: 'y' } }))).toEqual(['0 hash_mismatch']);
    expect(found(edit(3, { payload: { policy_id: 'q', result: 'allow', action_id: 'a.b' } }))).toEqual([
      '3 hash_mismatch',
    ]);
  });

  it('shows a removed event by link and sequence', () => {
    expect(found(events.toSpliced(2, 1))).toEqual(['2 chain_broken', '2 sequence_gap']);
    expect(found(lines.toSpliced(2, 1))).toEqual(['2 chain_broken', '2 sequence_gap']);
  });

  it('shows a removed beginning', () => {
    expect(found(events.slice(1))).toEqual(['0 invalid_genesis', '0 sequence_gap']);
  });

  it('shows all that is wrong, event by event, link before sequence before hash', () => {
    const broken = edit(2, { previous_event_hash: 'a'.repeat(64), sequence: 9 });
    expect(found(broken)).toEqual(['2 chain_broken', '2 sequence_gap', '2 hash_mismatch', '3 sequence_gap']);
    expect(found(broken.map((event) => traceEventLine(event)))).toEqual(found(broken));
  });

  it('shows events of another session or trace, however well they are linked', () => {
    const other = '00000000-0000-4000-8000-000000000000';
    const spliced = rehashedFrom(edit(4, { session_id: other, trace_id: other }), 4);
    expect(found(spliced)).toEqual(['4 session_mismatch', '4 trace_mismatch']);
    expect(found(spliced.map((event) => traceEventLine(event)))).toEqual(found(spliced));
    const taken = rehashedFrom(
      events.map((event, at) => (at < 4 ? event : { ...event, session_id: other })),
      4,
    );
    expect(found(taken.map((event) => traceEventLine(event)))).toEqual(
      [4, 5, 6, 7].map((at) => `${at} session_mismatch`),
    );
  });

  it('shows a field that breaks its syntax, even when it is hashed and linked', () => {
    const forged = rehashedFrom(edit(5, { event_type: 'policy.invented' }), 5);
    expect(found(forged)).toEqual(['5 invalid_event']);
    expect(found(forged, { kind: 'ledger' })).toEqual([]);
    expect(found(forged, { mode: 'lenient' })).toEqual([]);
    const shifted = rehashedFrom(edit(5, { timestamp: '2026-02-30T05:06:07.896123Z' }), 5);
    expect(found(shifted.map((event) => traceEventLine(event)))).toEqual(['5 invalid_event']);
  });

  it('goes on after a line that cannot be read', () => {
    const report = verify([lines[0]!, '{"trace_version":', ...lines.slice(2)]);
    expect(report.errors).toEqual([
      {
        index: 1,
        sequence: null,
        error: 'invalid_event',
        details: 'The text ends where a value is expected. (invalid_json at /trace_version)',
      },
    ]);
    expect(report).toMatchObject({ valid: false, event_count: events.length, ended: true });
  });

  it('is found out whatever byte of its file is changed', { timeout: 1_200_000 }, () => {
    const chain = prove ? chainOf(Array.from({ length: 200 }, (_, at) => SESSION[1 + (at % 6)]!)) : events;
    const file = chain.map((event) => traceEventLine(event));
    for (const [index, line] of file.entries()) {
      // A line is judged by itself and by the one before.
      const before = file.slice(Math.max(0, index - 1), index);
      for (let at = 0; at < line.length; at += 1) {
        const code = line.charCodeAt(at);
        for (const other of [code ^ 0x01, code ^ 0x20]) {
          const changed = line.slice(0, at) + String.fromCharCode(other) + line.slice(at + 1);
          const { errors } = verify([...before, changed], { mode: 'exact' });
          if (!errors.some((error) => error.index === before.length)) {
            expect.fail(`line ${index} passes with ${other} at ${at}: ${changed}`);
          }
        }
      }
    }
  });
});

describe('the short way of lines', () => {
  it('never judges otherwise than the long way', { timeout: 1_200_000 }, () => {
    const unit = fc.constantFrom(...'{}[]",:019-.eE \\uéaf\u007f');
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 0, max: 3 }), unit, (which, where, cut, added) => {
        const index = which % lines.length;
        const line = lines[index] as string;
        const at = where % line.length;
        const changed = lines.with(index, line.slice(0, at) + added + line.slice(at + cut));
        expect(verify(changed)).toEqual(longWay(changed));
      }),
      { numRuns: prove ? 50_000 : 1500 },
    );
  });

  it('takes parents that come and go, days that end, and types that are many', () => {
    const many = Array.from({ length: 100 }, (_, at) => ({
      type: `kind.of_${at % 40}`,
      payload: { at, text: 'x'.repeat(at * 60) },
      nested: at % 3 > 0,
    }));
    const chain = rehashedFrom(
      chainOf(many).map((event, at) => ({
        ...event,
        timestamp: `2026-03-0${1 + Math.floor(at / 30)}T00:00:00.000${100 + at}Z`,
      })),
      0,
    );
    const file = chain.map((event) => traceEventLine(event));
    expect(verify(file, { kind: 'ledger', mode: 'exact' })).toMatchObject({ valid: true, warnings: [] });
  });

  function longWay(chain: readonly string[]) {
    const verifier = createChainVerifier(nodeHasher);
    for (const line of chain) {
      try {
        verifier.push(readStoredEvent(line, 'strict'));
      } catch (error) {
        expect((error as BatonError).code).toBeDefined();
        verifier.push(line);
      }
    }
    return verifier.finish();
  }
});

describe('the profile of a chain', () => {
  const rawHashed = (chain: readonly TraceEvent[]) => {
    const result: TraceEvent[] = [];
    for (const event of chain) {
      const linked = { ...event, previous_event_hash: result.at(-1)?.event_hash ?? GENESIS_HASH };
      result.push({
        ...linked,
        event_hash: eventHash(nodeHasher, linked, canonicalUtf8Literal(event.payload)),
      });
    }
    return result;
  };

  it('is found when asked for', () => {
    const raw = rawHashed(events);
    expect(found(raw)).toEqual(['0 hash_mismatch']);
    expect(verify(raw, { profile: 'auto' })).toMatchObject({ valid: true, profile: 'utf8' });
    expect(
      verify(
        raw.map((event) => traceEventLine(event)),
        { profile: 'auto' },
      ),
    ).toMatchObject({ valid: true, profile: 'utf8' });
    expect(verify(lines, { profile: 'auto' })).toMatchObject({ valid: true, profile: 'appendix-b' });
    expect(verify(lines, { profile: 'utf8' }).valid).toBe(false);
  });

  it('must be one for the whole chain', () => {
    const umlauts = chainOf(
      Array.from({ length: 3 }, () => ({ type: 'error.occurred', payload: { text: 'ü' } })),
    );
    const last = umlauts[2]!;
    const mixed = umlauts.with(2, {
      ...last,
      event_hash: eventHash(nodeHasher, last, canonicalUtf8Literal(last.payload)),
    });
    for (const chain of [mixed, mixed.map((event) => traceEventLine(event))]) {
      expect(found(chain, { profile: 'auto' })).toEqual(['2 hash_mismatch']);
    }
  });
});

describe('what a chain cannot prove', () => {
  it('is that nothing was cut off or rewritten as a whole', () => {
    expect(verify(lines.slice(0, 4))).toMatchObject({ valid: true, ended: false });
    const rewritten = rehashedFrom(edit(3, { payload: { policy_id: 'q', result: 'allow' } }), 3);
    expect(verify(rewritten).valid).toBe(true);
    expect(verify(rewritten).head).not.toBe(verify(events).head);
  });

  it('is warned of: time that steps back, events after the end', () => {
    const back = rehashedFrom(edit(4, { timestamp: '2026-03-04T05:06:07Z' }), 4);
    expect(verify(back.map((event) => traceEventLine(event)))).toMatchObject({
      valid: true,
      warnings: [{ index: 4, sequence: 4, warning: 'timestamp_regression' }],
    });
    const reopened = chainOf([...SESSION, SESSION[2]!]);
    expect(verify(reopened.map((event) => traceEventLine(event)))).toMatchObject({
      valid: true,
      ended: false,
      warnings: [{ index: 8, warning: 'event_after_end' }],
    });
  });

  it('is the hash of a pruned event, whose place is still proven', () => {
    const pruned = events.map((event, at) => (at < 3 ? { ...event, payload: null } : event));
    expect(verify(pruned, { acceptPruned: true })).toMatchObject({ valid: true, pruned: 3 });
    expect(
      verify(
        pruned.map((event) => traceEventLine(event)),
        { acceptPruned: true },
      ),
    ).toMatchObject({ valid: true, pruned: 3 });
    expect(found(pruned)).toEqual(['0 invalid_event', '1 invalid_event', '2 invalid_event']);
    expect(found(pruned.toSpliced(1, 1), { acceptPruned: true })).toEqual([
      '1 chain_broken',
      '1 sequence_gap',
    ]);
  });
});
