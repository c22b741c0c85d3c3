import type { Micros } from '../../../kernel/clock.ts';
import { globMatcher } from '../../../kernel/glob.ts';
import type { TokenUsage } from '../spans/conventions.ts';

/** US dollars per million tokens, from an instant on. `model` may contain `*` and `?`. */
export interface Price {
  readonly model: string;
  readonly fromMicros: Micros;
  readonly input: number;
  readonly output: number;
  /** As for input, where absent. */
  readonly cacheRead: number | undefined;
  readonly cacheWrite: number | undefined;
}

/** Millionths of a US dollar; undefined for a model without a price. */
export type PriceOf = (model: string, usage: TokenUsage, at: Micros) => number | undefined;

/** An exact name counts before a pattern, a longer pattern before a shorter, and the newest price that had begun. */
export function priceList(prices: readonly Price[]): PriceOf {
  const ordered = prices
    .map((price) => ({ price, matches: globMatcher(price.model), exact: !/[*?]/.test(price.model) }))
    .sort(
      (a, b) =>
        Number(b.exact) - Number(a.exact) ||
        b.price.model.length - a.price.model.length ||
        b.price.fromMicros - a.price.fromMicros,
    );
  const known = new Map<string, Price[]>();
  const pricesFor = (model: string) => {
    const found =
      known.get(model) ?? ordered.filter(({ matches }) => matches(model)).map(({ price }) => price);
    known.set(model, found);
    return found;
  };
  return (model, usage, at) => {
    const price = pricesFor(model).find(({ fromMicros }) => fromMicros <= at);
    return price && costOf(price, usage);
  };
}

/** Dollars per million tokens are millionths of a dollar per token. */
function costOf(price: Price, { input, output, cacheRead, cacheWrite }: TokenUsage): number {
  const plain = Math.max(0, input - cacheRead - cacheWrite);
  return (
    plain * price.input +
    cacheRead * (price.cacheRead ?? price.input) +
    cacheWrite * (price.cacheWrite ?? price.input) +
    output * price.output
  );
}
