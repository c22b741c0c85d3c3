import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeAssertion } from './rules.ts';
import { freePart, type Span, spanAt, splice } from './timeline.ts';

describe('an assertion', () => {
  const current = { factId: 'f', value: 'a', validFrom: '2026-01-01T00:00:00Z', fromMicros: 1_000 };
  const spans: Span[] = [{ spanId: 1, factId: 'f', from: 1_000, to: null }];

  it('never begins before what it replaces, whatever the clock says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000 }), (now) => {
        const verdict = judgeAssertion(current, spans, { value: 'b' }, now);
        expect(verdict.kind === 'assert' && verdict.splice.from).toBe(Math.max(now, 1_000));
      }),
    );
  });

  it('is no change where asked and the value is the same', () => {
    expect(judgeAssertion(current, spans, { value: 'a', ifChanged: true }, 5_000)).toEqual({
      kind: 'unchanged',
    });
    expect(judgeAssertion(current, spans, { value: 'a' }, 5_000).kind).toBe('assert');
    expect(() => judgeAssertion(undefined, [], { value: 'a', expectedValue: 'x' }, 0)).toThrow(/not the one/);
  });

  it('contradicts what came later only if it says until when it held', () => {
    const at = (micros: number) => ({ text: String(micros), micros });
    expect(() => judgeAssertion(current, spans, { value: 'b', validFrom: at(500) }, 5_000)).toThrow();
    const corrected = judgeAssertion(
      current,
      spans,
      { value: 'b', validFrom: at(2_000), validTo: at(3_000) },
      5_000,
    );
    expect(corrected).toMatchObject({ splice: { from: 2_000, to: 3_000, goesOn: { factId: 'f' } } });
  });
});

/** Spans as a list of disjoint pieces between small numbers. */
const timelines = fc
  .uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 0, maxLength: 8 })
  .map((edges) => edges.sort((a, b) => a - b))
  .chain((edges) =>
    fc
      .array(fc.boolean(), { minLength: edges.length, maxLength: edges.length })
      .map((kept) =>
        edges.flatMap((from, at): Span[] =>
          kept[at] ? [{ spanId: at, factId: `f${at}`, from, to: edges[at + 1] ?? null }] : [],
        ),
      ),
  );

describe('a splice', () => {
  it('gives every instant of the statement to it, and leaves every other as it was', () => {
    fc.assert(
      fc.property(
        timelines,
        fc.integer({ min: 0, max: 40 }),
        fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
        fc.integer({ min: 0, max: 40 }),
        (spans, from, length, now) => {
          const made = splice(spans, { from, to: length && from + length }, now);
          const touched = new Set([...made.cut, ...made.covered].map(({ spanId }) => spanId));
          const after: Span[] = [
            ...spans.filter(({ spanId }) => !touched.has(spanId)),
            ...made.cut.map((span) => ({ ...span, to: from })),
            { spanId: 99, factId: 'new', from, to: made.to },
            ...(made.goesOn && made.to !== null ? [{ ...made.goesOn, from: made.to }] : []),
          ].sort((a, b) => a.from - b.from);
          for (let at = 0; at <= 61; at += 1) {
            const holding = after.filter((span) => span.from <= at && (span.to === null || at < span.to));
            expect(holding.length).toBeLessThanOrEqual(1);
            const inside = at >= from && (made.to === null || at < made.to);
            expect(holding[0]?.factId).toBe(inside ? 'new' : spanAt(spans, at)?.factId);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('finds for an imported fact only time that nothing else holds', () => {
    fc.assert(
      fc.property(
        timelines,
        fc.integer({ min: 0, max: 40 }),
        fc.option(fc.integer({ min: 1, max: 20 })),
        (spans, from, length) => {
          const free = freePart(spans, from, length === null ? null : from + length);
          for (let at = 0; at <= 61; at += 1) {
            if (!free || at < free.from || (free.to !== null && at >= free.to)) continue;
            expect(spanAt(spans, at)).toBeUndefined();
            expect(at).toBeGreaterThanOrEqual(from);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
