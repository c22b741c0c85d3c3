import { durationSeconds } from './consent/rules/duration.ts';

export interface RateLimit {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** What one agent may ask of a2p: all requests together, and each kind by itself. */
export type RequestKind = 'read' | 'write' | 'consent';

/** Sixty a minute and half as much again in a burst; a thousand an hour. */
const ALL_REQUESTS: readonly RateLimit[] = [
  { limit: 90, windowSeconds: 60 },
  { limit: 1000, windowSeconds: 3600 },
];

const BY_KIND: Readonly<Record<RequestKind, RateLimit>> = {
  read: { limit: 100, windowSeconds: 3600 },
  write: { limit: 50, windowSeconds: 3600 },
  consent: { limit: 30, windowSeconds: 3600 },
};

export interface RateSettings {
  readonly readsPerHour?: number | undefined;
}

export function limitOf(kind: RequestKind, { readsPerHour }: RateSettings = {}): RateLimit {
  const limit = BY_KIND[kind];
  return kind === 'read' && readsPerHour !== undefined ? { ...limit, limit: readsPerHour } : limit;
}

/** Raised with the reads, where these are set higher than the protocol has them. */
export function limitsOfAll({ readsPerHour = 0 }: RateSettings = {}): readonly RateLimit[] {
  return ALL_REQUESTS.map(({ limit, windowSeconds }) => ({
    limit: Math.max(limit, readsPerHour),
    windowSeconds,
  }));
}

/** `{requests, window}` of a policy, or `maxRequests`; one that cannot be read lets nothing through. */
export function policyRateLimit(given: unknown): RateLimit | undefined {
  if (given === undefined || given === null) return undefined;
  const { requests, maxRequests, window = '1h' } = given as Readonly<Record<string, unknown>>;
  const limit = requests ?? maxRequests;
  const seconds = typeof window === 'number' ? window : durationSeconds(String(window));
  if (!Number.isInteger(limit) || (limit as number) < 1 || !isWindow(seconds)) return NOTHING;
  return { limit: limit as number, windowSeconds: seconds };
}

const NOTHING: RateLimit = { limit: 0, windowSeconds: 3600 };

function isWindow(seconds: number | undefined): seconds is number {
  return seconds !== undefined && Number.isInteger(seconds) && seconds >= 1 && seconds <= 31_536_000;
}

/** Where a limit stands after a request. */
export interface Rate extends RateLimit {
  readonly remaining: number;
  /** Seconds since 1970. */
  readonly resetsAt: number;
}

/** The one that will refuse first. */
export function tightest(rates: readonly Rate[]): Rate | undefined {
  return [...rates].sort((a, b) => a.remaining - b.remaining)[0];
}

/** The names that a2p has for it. */
export function rateHeaders(rate: Rate | undefined): Readonly<Record<string, string>> {
  if (!rate) return {};
  return {
    'x-ratelimit-limit': String(rate.limit),
    'x-ratelimit-remaining': String(rate.remaining),
    'x-ratelimit-reset': String(rate.resetsAt),
  };
}
