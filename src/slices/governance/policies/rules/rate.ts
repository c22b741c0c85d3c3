import type { Micros } from '../../../../kernel/clock.ts';

export interface RateRule {
  readonly maxCalls: number;
  readonly windowSeconds: number;
}

export type RateVerdict =
  | { readonly ok: true; readonly remaining: number }
  | { readonly ok: false; readonly remaining: 0; readonly retryAfterSeconds: number };

/**
 * The verdict on a call at `now`, after those `accepted`, oldest first; `remaining` does not count it yet. A sliding log:
 * a call counts until exactly one window after it was accepted.
 */
export function checkRate(accepted: readonly Micros[], rule: RateRule, now: Micros): RateVerdict {
  const since = now - rule.windowSeconds * 1_000_000;
  const live = accepted.filter((at) => at > since);
  const remaining = rule.maxCalls - live.length;
  if (remaining > 0) return { ok: true, remaining };
  const freed = live[live.length - rule.maxCalls] as Micros;
  const wait = freed + rule.windowSeconds * 1_000_000 - now;
  return { ok: false, remaining: 0, retryAfterSeconds: Math.max(1, Math.ceil(wait / 1_000_000)) };
}

/** The limit that lets the fewest calls through over time. */
export function tightest(rules: readonly RateRule[]): RateRule | undefined {
  return rules.reduce<RateRule | undefined>(
    (best, rule) =>
      best && best.maxCalls * rule.windowSeconds <= rule.maxCalls * best.windowSeconds ? best : rule,
    undefined,
  );
}
