import type { Micros } from '../../../../kernel/clock.ts';

export interface RateRule {
  readonly maxCalls: number;
  readonly windowSeconds: number;
}

/** Accepted calls, oldest first. */
export type CallLog = readonly Micros[];

export type RateVerdict =
  | { readonly ok: true; readonly remaining: number }
  | { readonly ok: false; readonly remaining: 0; readonly retryAfterSeconds: number };

/** A sliding log: a call counts until exactly one window after it was accepted. */
function liveCalls(log: CallLog, rule: RateRule, now: Micros): CallLog {
  const since = now - rule.windowSeconds * 1_000_000;
  return log.filter((at) => at > since);
}

/** The verdict on a call at `now`; `remaining` does not count it yet. */
export function checkRate(log: CallLog, rule: RateRule, now: Micros): RateVerdict {
  const live = liveCalls(log, rule, now);
  const remaining = rule.maxCalls - live.length;
  if (remaining > 0) return { ok: true, remaining };
  const freed = live[live.length - rule.maxCalls] as Micros;
  const wait = freed + rule.windowSeconds * 1_000_000 - now;
  return { ok: false, remaining: 0, retryAfterSeconds: Math.max(1, Math.ceil(wait / 1_000_000)) };
}

export function takeRate(log: CallLog, rule: RateRule, now: Micros): { log: CallLog; verdict: RateVerdict } {
  const verdict = checkRate(log, rule, now);
  const live = liveCalls(log, rule, now);
  return { verdict, log: verdict.ok ? [...live, now] : live };
}

/** The limit that lets the fewest calls through over time. */
export function tightest(rules: readonly RateRule[]): RateRule | undefined {
  return rules.reduce<RateRule | undefined>(
    (best, rule) =>
      best && best.maxCalls * rule.windowSeconds <= rule.maxCalls * best.windowSeconds ? best : rule,
    undefined,
  );
}
