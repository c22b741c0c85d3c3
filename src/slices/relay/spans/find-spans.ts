import type { Total } from '../../../spine/storage/bounded-count.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { fromAnyValue } from '../otlp/model.ts';
import { countSpans, type SpanFilter, type StoredSpan, selectSpans } from './store.ts';

export interface SpanQuestion extends SpanFilter {
  /** Part of the name, without regard to case; or the id of a span or a trace. */
  readonly words?: string | undefined;
  readonly minDurationMs?: number | undefined;
  readonly maxDurationMs?: number | undefined;
  readonly attributes?: readonly AttributeCondition[] | undefined;
}

/** Present, if no value is given. */
export interface AttributeCondition {
  readonly key: string;
  readonly value: string | undefined;
}

export interface FoundSpans {
  readonly spans: readonly StoredSpan[];
  /** The last one looked at: the next page goes on from here. */
  readonly last: number | undefined;
  readonly more: boolean;
  readonly total: Total;
}

const PAGE = 500;
const MOST_LOOKED_AT = 20_000;
const TRACE_ID = /^[0-9a-f]{32}$/i;
const SPAN_ID = /^[0-9a-f]{16}$/i;

/**
 * What no index knows is looked for in so many spans at once and no more: an answer may have fewer than asked for, or
 * none, and still say that there is more to look at.
 */
export async function findSpans(
  reader: Reader,
  projectId: string,
  question: SpanQuestion,
): Promise<FoundSpans> {
  const { words, minDurationMs, maxDurationMs, attributes = [], limit, ...own } = byId(question);
  const tests: ((span: StoredSpan) => boolean)[] = [];
  if (words !== undefined) {
    const part = words.toLowerCase();
    tests.push(({ span }) => span.name.toLowerCase().includes(part));
  }
  if (minDurationMs !== undefined) tests.push((stored) => durationMs(stored) >= minDurationMs);
  if (maxDurationMs !== undefined) tests.push((stored) => durationMs(stored) <= maxDurationMs);
  for (const condition of attributes) tests.push((stored) => fulfils(stored, condition));
  if (tests.length === 0) {
    const found = await selectSpans(reader, projectId, { ...own, limit: limit + 1 });
    const spans = found.slice(0, limit);
    const total = await countSpans(reader, projectId, own);
    return { spans, last: spans.at(-1)?.seq, more: found.length > limit, total };
  }
  return scan(reader, projectId, { ...own, limit }, (span) => tests.every((test) => test(span)));
}

async function scan(
  reader: Reader,
  projectId: string,
  filter: SpanFilter,
  matches: (span: StoredSpan) => boolean,
): Promise<FoundSpans> {
  const spans: StoredSpan[] = [];
  const direction = filter.newest ? 'before' : 'after';
  let last: number | undefined;
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += PAGE) {
    const from = last === undefined ? {} : { [direction]: last };
    const page = await selectSpans(reader, projectId, { ...filter, ...from, limit: PAGE });
    for (const stored of page) {
      last = stored.seq;
      if (matches(stored)) spans.push(stored);
      if (spans.length === filter.limit)
        return { spans, last, more: true, total: { count: spans.length, exact: false } };
      await reader.giveTurn();
    }
    if (page.length < PAGE) return { spans, last, more: false, total: { count: spans.length, exact: true } };
  }
  return { spans, last, more: true, total: { count: spans.length, exact: false } };
}

/** An id is found wherever it is, not only among what is looked at. */
function byId({ words, ...question }: SpanQuestion): SpanQuestion {
  if (words !== undefined && TRACE_ID.test(words)) return { ...question, traceId: words.toLowerCase() };
  if (words !== undefined && SPAN_ID.test(words)) return { ...question, spanId: words.toLowerCase() };
  return { ...question, words };
}

function durationMs({ span }: StoredSpan): number {
  return Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6;
}

function fulfils({ span }: StoredSpan, { key, value }: AttributeCondition): boolean {
  for (const attribute of span.attributes ?? []) {
    if (attribute.key !== key) continue;
    const own = fromAnyValue(attribute.value);
    if (value === undefined || (typeof own === 'object' ? JSON.stringify(own) : String(own)) === value)
      return true;
  }
  return false;
}

/** `key` or `key=value`; undefined where it is neither. */
export function readCondition(text: string): AttributeCondition | undefined {
  const at = text.indexOf('=');
  if (at === 0 || text === '') return undefined;
  return at < 0 ? { key: text, value: undefined } : { key: text.slice(0, at), value: text.slice(at + 1) };
}
