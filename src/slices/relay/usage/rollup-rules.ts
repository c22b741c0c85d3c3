import type { Micros } from '../../../kernel/clock.ts';
import type { SummedSpan } from '../traces/sum-spans.ts';
import { addHistogram, classOf } from './histogram.ts';

export const HOUR_S = 3600;
export const DAY_S = 86_400;
const GRAINS = [HOUR_S, DAY_S] as const;
const EARLIEST_MICROS = 31 * DAY_S * 1e6;
const LATEST_MICROS = DAY_S * 1e6;
const MOST_NAME = 200;

/** What spans are counted by. Empty where a span has none. */
export interface RollupKey {
  readonly projectId: string;
  readonly grainS: number;
  readonly bucketMicros: Micros;
  readonly kind: string;
  readonly agent: string;
  /** The node that handed over to `node`. */
  readonly caller: string;
  readonly node: string;
  readonly model: string;
  readonly tool: string;
  /** Whether the spans say themselves what they cost; the others are priced by their tokens. */
  readonly costed: boolean;
}

export interface RollupSums {
  spans: number;
  errors: number;
  durationMicros: number;
  readonly durations: Map<number, number>;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costMicros: number;
}

export interface Rollup {
  readonly key: RollupKey;
  readonly sums: RollupSums;
}

export function emptySums(): RollupSums {
  return {
    spans: 0,
    errors: 0,
    durationMicros: 0,
    durations: new Map(),
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costMicros: 0,
  };
}

/** What these spans add to the sums of their hours and days. */
export function rollUp(spans: readonly SummedSpan[]): Rollup[] {
  const rollups = new Map<string, Rollup>();
  for (const span of spans) {
    for (const grainS of GRAINS) {
      const key = keyOf(span, grainS);
      const name = rollupName(key);
      const rollup = rollups.get(name) ?? { key, sums: emptySums() };
      rollups.set(name, rollup);
      add(rollup.sums, span);
    }
  }
  return [...rollups.values()];
}

export function rollupName(key: RollupKey): string {
  return JSON.stringify(Object.values(key));
}

/** Once a bucket has as many kinds of sums as it may, the names of what is new are no longer told apart. */
export function withoutNames(key: RollupKey): RollupKey {
  const named = (value: string) => (value === '' ? '' : OTHERS);
  return {
    ...key,
    agent: named(key.agent),
    caller: named(key.caller),
    node: named(key.node),
    model: named(key.model),
    tool: named(key.tool),
  };
}

export const OTHERS = '(others)';

function keyOf({ row, meaning }: SummedSpan, grainS: number): RollupKey {
  const agent = row.agent_id ?? meaning.agent ?? row.service_name;
  const cut = (text: string | null | undefined) => (text ?? '').slice(0, MOST_NAME);
  return {
    projectId: row.project_id,
    grainS,
    bucketMicros: bucketOf(placed(row.start_us, row.stored_us), grainS),
    kind: meaning.kind,
    agent: cut(agent),
    caller: cut(row.node_parent_id),
    node: cut(row.node_id),
    model: cut(meaning.model),
    tool: cut(meaning.tool),
    costed: meaning.costMicros !== undefined,
  };
}

export function bucketOf(micros: Micros, grainS: number): Micros {
  const grain = grainS * 1e6;
  return Math.floor(micros / grain) * grain;
}

/** A clock that is off by weeks would make a bucket for every span; such a span counts as of when it came. */
function placed(start: Micros, stored: Micros): Micros {
  return start < stored - EARLIEST_MICROS || start > stored + LATEST_MICROS ? stored : start;
}

function add(sums: RollupSums, { row, meaning }: SummedSpan): void {
  const duration = Math.max(0, row.end_us - row.start_us);
  const index = classOf(duration);
  sums.spans += 1;
  sums.errors += row.status === 2 ? 1 : 0;
  sums.durationMicros += duration;
  sums.durations.set(index, (sums.durations.get(index) ?? 0) + 1);
  sums.inputTokens += meaning.usage?.input ?? 0;
  sums.outputTokens += meaning.usage?.output ?? 0;
  sums.cacheReadTokens += meaning.usage?.cacheRead ?? 0;
  sums.cacheWriteTokens += meaning.usage?.cacheWrite ?? 0;
  sums.costMicros += meaning.costMicros ?? 0;
}

export function addSums(into: RollupSums, from: RollupSums): void {
  addCounts(into, from);
  addHistogram(into.durations, from.durations);
}

/** All but the durations. */
export function addCounts(into: RollupSums, from: Omit<RollupSums, 'durations'>): void {
  into.spans += from.spans;
  into.errors += from.errors;
  into.durationMicros += from.durationMicros;
  into.inputTokens += from.inputTokens;
  into.outputTokens += from.outputTokens;
  into.cacheReadTokens += from.cacheReadTokens;
  into.cacheWriteTokens += from.cacheWriteTokens;
  into.costMicros += from.costMicros;
}
