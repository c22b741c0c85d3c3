/**
 * The timeline of one subject and predicate: spans that do not overlap, each of which one fact holds. A statement takes the
 * place of what was believed of its span; what follows stays.
 */
import type { Micros } from '../../../kernel/clock.ts';

export interface Span {
  readonly spanId: number;
  readonly factId: string;
  readonly from: Micros;
  /** Null: until somebody says otherwise. */
  readonly to: Micros | null;
}

export interface Splice {
  /** Where the new fact holds. */
  readonly from: Micros;
  readonly to: Micros | null;
  /** Spans that end where it begins. */
  readonly cut: readonly Span[];
  /** Spans that it covers: nobody believes them any more. */
  readonly covered: readonly Span[];
  /** A span that goes on after it, as a fact of its own: one fact holds one span. */
  readonly goesOn: Span | undefined;
}

/**
 * `spans`: those believed now, in order. Without an end, the new fact holds until the next scheduled one, which is why what
 * begins after `now` is not in its way.
 */
export function splice(
  spans: readonly Span[],
  statement: { readonly from: Micros; readonly to: Micros | undefined },
  now: Micros,
): Splice {
  const { from } = statement;
  const scheduled = spans.find((span) => span.from > Math.max(from, now));
  const to = statement.to ?? scheduled?.from ?? null;
  const touched = spans.filter(
    (span) => (span.to === null || span.to > from) && (to === null || span.from < to),
  );
  const goesOn = touched.find((span) => to !== null && (span.to === null || span.to > to));
  return {
    from,
    to,
    cut: touched.filter((span) => span.from < from),
    covered: touched.filter((span) => span.from >= from),
    goesOn,
  };
}

/** The span that something begins in without saying when it ends would contradict: a later one that has begun. */
export function contradicted(spans: readonly Span[], from: Micros, now: Micros): Span | undefined {
  return spans.find((span) => span.from > from && span.from <= now);
}

/** What holds at an instant. */
export function spanAt(spans: readonly Span[], at: Micros): Span | undefined {
  return spans.findLast((span) => span.from <= at && (span.to === null || at < span.to));
}

/** The first part of a span that nobody else holds; undefined where there is none. */
export function freePart(
  spans: readonly Span[],
  from: Micros,
  to: Micros | null,
): { readonly from: Micros; readonly to: Micros | null } | undefined {
  let start = from;
  for (const span of spans) {
    if (span.to !== null && span.to <= start) continue;
    if (span.from > start) break;
    if (span.to === null) return undefined;
    start = span.to;
  }
  const next = spans.find((span) => span.from > start)?.from;
  const end = to === null ? (next ?? null) : Math.min(to, next ?? to);
  return end !== null && end <= start ? undefined : { from: start, to: end };
}
