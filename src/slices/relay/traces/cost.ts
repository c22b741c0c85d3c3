import type { PriceOf } from '../usage/prices.ts';
import type { CostView } from '../usage/schema.ts';
import { inDollars } from '../usage/stats.ts';
import type { ModelUsage } from './store.ts';

/** Tokens and what they cost: what the calls say themselves, or their model's price. */
export function costOfUsage(usages: readonly ModelUsage[], priceOf: PriceOf): CostView {
  let costMicros = 0;
  const view = {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    unpriced_tokens: 0,
  };
  for (const usage of usages) {
    view.input_tokens += usage.input_tokens;
    view.output_tokens += usage.output_tokens;
    view.cache_read_tokens += usage.cache_read_tokens;
    view.cache_write_tokens += usage.cache_write_tokens;
    const cost = usage.costed ? usage.cost_micros : priced(usage, priceOf);
    costMicros += cost ?? 0;
    if (cost === undefined) view.unpriced_tokens += usage.input_tokens + usage.output_tokens;
  }
  return { ...view, cost_usd: inDollars(costMicros) };
}

function priced(usage: ModelUsage, priceOf: PriceOf): number | undefined {
  if (usage.model === null) return undefined;
  const tokens = {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_tokens,
    cacheWrite: usage.cache_write_tokens,
  };
  return priceOf(usage.model, tokens, usage.start_us);
}
