import type { Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { groupBy } from '../../../spine/search/store/group-by.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { relayErrors } from '../errors.ts';
import { addWritten, percentileOf } from './histogram.ts';
import { selectPrices } from './price-store.ts';
import { type PriceOf, priceList } from './prices.ts';
import {
  addCounts,
  bucketOf,
  DAY_S,
  emptySums,
  HOUR_S,
  type RollupKey,
  type RollupSums,
} from './rollup-rules.ts';
import { selectRollups, type WrittenRollup } from './rollup-store.ts';
import type { STATS_BY, STATS_SORT, StatsView, SumsView } from './schema.ts';

export interface StatsQuestion {
  readonly by: (typeof STATS_BY)[number];
  readonly sort: (typeof STATS_SORT)[number];
  readonly interval: 'hour' | 'day' | undefined;
  readonly from: Micros;
  readonly to: Micros;
  readonly kind?: string | undefined;
  readonly agent?: string | undefined;
  readonly peer?: string | undefined;
  readonly model?: string | undefined;
  readonly tool?: string | undefined;
  readonly limit: number;
}

const MOST_ROWS = 60_000;
const MOST_HOURS = 24 * 14;
const MOST_DAYS = 400;
/** A span of time that hours are read for, although nobody asked for hours. */
const SHORT_MICROS = 3 * DAY_S * 1e6;

/** Counts, percentiles, tokens and cost by agent, peer, model, tool or kind, over time if asked for. */
export async function readStats(
  reader: Reader,
  projectId: string,
  question: StatsQuestion,
): Promise<Omit<StatsView, 'complete'> & { readonly whole: boolean }> {
  const { by, sort, interval, limit } = question;
  const grainS = grainFor(question);
  const from = bucketOf(question.from, grainS);
  if ((question.to - from) / (grainS * 1e6) > (grainS === HOUR_S ? MOST_HOURS : MOST_DAYS))
    throw relayErrors.stats_range_too_long();
  const rollups = await selectRollups(
    reader,
    projectId,
    {
      grainS,
      from,
      to: question.to,
      equal: {
        kind: question.kind ?? (by === 'peer' || question.peer !== undefined ? 'forward' : undefined),
        agent: question.agent,
        node: question.peer,
        model: question.model,
        tool: question.tool,
      },
      having: HAVING[by],
    },
    MOST_ROWS,
  );
  const priceOf = priceList(await selectPrices(reader, projectId));
  const counted = rollups.filter(({ key }) => KEY_OF[by](key) !== undefined);
  const groups = groupBy(counted, ({ key }) => KEY_OF[by](key) ?? '');
  const items = [...groups].map(([key, own]) => ({
    key,
    ...sumsOf(own, priceOf),
    ...(interval && { series: seriesOf(own, priceOf) }),
  }));
  items.sort((a, b) => WEIGHT[sort](b) - WEIGHT[sort](a) || a.key.localeCompare(b.key));
  return {
    from: formatMicros(from),
    to: formatMicros(question.to),
    items: items.slice(0, limit),
    more: items.length > limit,
    whole: rollups.length < MOST_ROWS,
  };
}

function grainFor({ interval, from, to }: StatsQuestion): number {
  if (interval !== undefined) return interval === 'hour' ? HOUR_S : DAY_S;
  return to - from <= SHORT_MICROS ? HOUR_S : DAY_S;
}

const HAVING = {
  agent: 'agent',
  peer: 'node',
  model: 'model',
  tool: 'tool',
  kind: undefined,
  edge: 'caller',
} as const;

const KEY_OF: Readonly<Record<(typeof STATS_BY)[number], (key: RollupKey) => string | undefined>> = {
  agent: ({ agent }) => agent,
  peer: ({ node }) => node,
  model: ({ model }) => model,
  tool: ({ tool }) => tool,
  kind: ({ kind }) => kind,
  edge: ({ caller, node }) => (node === '' ? undefined : `${caller} → ${node}`),
};

const WEIGHT: Readonly<Record<(typeof STATS_SORT)[number], (sums: SumsView) => number>> = {
  spans: ({ spans }) => spans,
  errors: ({ errors }) => errors,
  error_rate: ({ error_rate }) => error_rate,
  p95: ({ p95_ms }) => p95_ms,
  tokens: ({ input_tokens, output_tokens }) => input_tokens + output_tokens,
  cost: ({ cost_usd }) => cost_usd,
};

function seriesOf(rollups: readonly WrittenRollup[], priceOf: PriceOf) {
  return [...groupBy(rollups, ({ key }) => formatMicros(key.bucketMicros))]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([at, own]) => ({ at, ...sumsOf(own, priceOf) }));
}

export function sumsOf(rollups: readonly WrittenRollup[], priceOf: PriceOf): SumsView {
  const all = emptySums();
  let costMicros = 0;
  let unpriced = 0;
  for (const { key, sums } of rollups) {
    addCounts(all, sums);
    addWritten(all.durations, sums.durations);
    if (key.costed) costMicros += sums.costMicros;
    else {
      const cost = key.model === '' ? undefined : priceOf(key.model, usageOf(sums), key.bucketMicros);
      costMicros += cost ?? 0;
      if (cost === undefined) unpriced += sums.inputTokens + sums.outputTokens;
    }
  }
  const ms = (part: number) => rounded(percentileOf(all.durations, part) / 1000);
  return {
    spans: all.spans,
    errors: all.errors,
    error_rate: all.spans === 0 ? 0 : all.errors / all.spans,
    mean_ms: all.spans === 0 ? 0 : rounded(all.durationMicros / all.spans / 1000),
    p50_ms: ms(0.5),
    p95_ms: ms(0.95),
    p99_ms: ms(0.99),
    input_tokens: all.inputTokens,
    output_tokens: all.outputTokens,
    cache_read_tokens: all.cacheReadTokens,
    cache_write_tokens: all.cacheWriteTokens,
    cost_usd: inDollars(costMicros),
    unpriced_tokens: unpriced,
  };
}

function usageOf(sums: Omit<RollupSums, 'durations'>) {
  return {
    input: sums.inputTokens,
    output: sums.outputTokens,
    cacheRead: sums.cacheReadTokens,
    cacheWrite: sums.cacheWriteTokens,
  };
}

export function inDollars(micros: number): number {
  return Math.round(micros) / 1e6;
}

export function rounded(number: number): number {
  return Math.round(number * 1000) / 1000;
}
