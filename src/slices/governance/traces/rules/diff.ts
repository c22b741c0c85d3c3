import { canonicalJcs } from '../../../../kernel/json/canonical/jcs.ts';
import { asString, isRecord } from '../../../../kernel/json/loose.ts';
import { jsonPointer } from '../../../../kernel/json/pointer.ts';
import type { Json } from '../../../../kernel/json/value.ts';
import type { TraceRecord } from './state.ts';

export interface Difference {
  readonly path: string;
  readonly type: 'value_changed' | 'value_added' | 'value_removed' | 'event_added' | 'event_removed';
  readonly significance: 'minor' | 'major';
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface TraceDiff {
  readonly compatibility: 'identical' | 'semantically_equivalent' | 'different';
  readonly differences: readonly Difference[];
}

/** Ids, instants and hashes differ in every session. */
const DYNAMIC = new Set([
  'event_id',
  'trace_id',
  'span_id',
  'parent_span_id',
  'session_id',
  'request_id',
  'resolution_id',
  'execution_id',
  'approval_id',
  'timestamp',
  'event_hash',
  'previous_event_hash',
  'sequence',
]);
const MINOR = new Set(['duration_ms', 'evaluation_ms']);

/** Paths count the events of the first trace, or of the second where an event is only there. */
export function diffTraces(a: readonly TraceRecord[], b: readonly TraceRecord[]): TraceDiff {
  const differences: Difference[] = [];
  for (const pair of alignByKey(a.map(keyOf), b.map(keyOf))) {
    if (pair.a === undefined) {
      differences.push({ path: `/${pair.b}`, type: 'event_added', significance: 'major' });
    } else if (pair.b === undefined) {
      differences.push({ path: `/${pair.a}`, type: 'event_removed', significance: 'major' });
    } else {
      compare(a[pair.a] as TraceRecord, b[pair.b] as TraceRecord, [pair.a], differences);
    }
  }
  const major = differences.some(({ significance }) => significance === 'major');
  return {
    compatibility: major ? 'different' : differences.length > 0 ? 'semantically_equivalent' : 'identical',
    differences,
  };
}

function keyOf(event: TraceRecord): string {
  return `${event.event_type} ${asString(event.payload?.action_id) ?? asString(event.payload?.block_id) ?? ''}`;
}

function compare(before: unknown, after: unknown, path: (string | number)[], found: Difference[]): void {
  if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (DYNAMIC.has(key)) continue;
      compareMember(before, after, key, [...path, key], found);
    }
    return;
  }
  if (!same(before, after)) found.push(difference('value_changed', path, before, after));
}

function compareMember(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  key: string,
  path: (string | number)[],
  found: Difference[],
): void {
  if (!Object.hasOwn(after, key)) found.push(difference('value_removed', path, before[key], undefined));
  else if (!Object.hasOwn(before, key)) found.push(difference('value_added', path, undefined, after[key]));
  else compare(before[key], after[key], path, found);
}

function difference(
  type: Difference['type'],
  path: readonly (string | number)[],
  before: unknown,
  after: unknown,
): Difference {
  return {
    path: jsonPointer(path),
    type,
    significance: MINOR.has(String(path.at(-1))) ? 'minor' : 'major',
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return canonicalJcs(a as Json) === canonicalJcs(b as Json);
}

/** Pairs of the two sequences' indexes; undefined on the side where there is none. */
interface Pair {
  readonly a: number | undefined;
  readonly b: number | undefined;
}

/** Above this size the table costs too much, and events are compared by position. */
const LARGEST_TABLE = 4_000_000;

/** A longest common subsequence of the keys; equal starts and ends are matched first. */
function alignByKey(a: readonly string[], b: readonly string[]): Pair[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let tail = 0;
  while (
    tail < a.length - start &&
    tail < b.length - start &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  ) {
    tail += 1;
  }
  const pairs: Pair[] = [];
  for (let at = 0; at < start; at += 1) pairs.push({ a: at, b: at });
  pairs.push(...alignMiddle(a, b, start, a.length - tail, b.length - tail));
  for (let at = tail; at > 0; at -= 1) pairs.push({ a: a.length - at, b: b.length - at });
  return pairs;
}

function alignMiddle(
  a: readonly string[],
  b: readonly string[],
  start: number,
  endA: number,
  endB: number,
): Pair[] {
  const rows = endA - start;
  const columns = endB - start;
  if (rows * columns > LARGEST_TABLE) return byPlace(start, endA, endB);
  const width = columns + 1;
  const longest = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i -= 1) {
    for (let j = columns - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        a[start + i] === b[start + j]
          ? (longest[(i + 1) * width + j + 1] as number) + 1
          : Math.max(longest[(i + 1) * width + j] as number, longest[i * width + j + 1] as number);
    }
  }
  const pairs: Pair[] = [];
  let i = 0;
  let j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && a[start + i] === b[start + j]) {
      pairs.push({ a: start + i, b: start + j });
      i += 1;
      j += 1;
    } else if (j === columns || (i < rows && longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!)) {
      pairs.push({ a: start + i, b: undefined });
      i += 1;
    } else {
      pairs.push({ a: undefined, b: start + j });
      j += 1;
    }
  }
  return pairs;
}

function byPlace(start: number, endA: number, endB: number): Pair[] {
  return Array.from({ length: Math.max(endA, endB) - start }, (_, offset) => ({
    a: start + offset < endA ? start + offset : undefined,
    b: start + offset < endB ? start + offset : undefined,
  }));
}
