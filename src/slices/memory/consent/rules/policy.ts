import type { Micros } from '../../../../kernel/clock.ts';
import { globMatcher } from '../../../../kernel/glob.ts';
import { parseInstant } from '../../../../kernel/instant.ts';
import { asRecord, asStrings, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { invalid } from '../../errors.ts';
import type { RateLimit } from '../../rate-limits.ts';
import { parseScope, type ScopePattern } from '../../scope-pattern.ts';
import { durationSeconds, purposeType } from './purpose.ts';

export const PERMISSIONS = ['none', 'read_public', 'read_scoped', 'read_full', 'propose', 'write'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** A policy in the one form the rules work on, however it was written. */
export interface Policy {
  readonly id: string;
  readonly priority: number;
  readonly enabled: boolean;
  readonly matchesAgent: (did: string) => boolean;
  readonly agentDids: readonly string[] | undefined;
  readonly agentTags: readonly string[] | undefined;
  readonly operatorDids: readonly string[] | undefined;
  readonly allow: readonly ScopePattern[];
  readonly deny: readonly ScopePattern[];
  readonly permissions: ReadonlySet<Permission>;
  readonly conditions: Conditions;
  readonly purpose: PurposeRules;
  /** Per agent. */
  readonly rateLimit: RateLimit | undefined;
  /** The sharing contexts it applies to; undefined for all. */
  readonly contexts: readonly string[] | undefined;
  readonly from: Micros;
  readonly until: Micros;
}

export interface Conditions {
  readonly verifiedOperator: boolean;
  readonly audit: boolean;
  readonly https: boolean;
  readonly minTrust: number | undefined;
  readonly allowedJurisdictions: readonly string[] | undefined;
  readonly blockedJurisdictions: readonly string[] | undefined;
  readonly timeOfDay: { readonly start: string; readonly end: string; readonly timezone: string } | undefined;
}

export interface PurposeRules {
  readonly required: boolean;
  readonly describe: boolean;
  readonly allowed: readonly string[] | undefined;
  readonly denied: readonly string[];
  readonly legalBases: readonly string[] | undefined;
  readonly maxRetentionSeconds: number | undefined;
  readonly thirdParties: boolean;
  readonly automatedDecisions: boolean;
  readonly profiling: boolean;
}

/** Undefined where it is no list. */
const texts = (value: unknown) => (Array.isArray(value) ? asStrings(value) : undefined);
const filled = (value: unknown) => (asStrings(value).length > 0 ? asStrings(value) : undefined);
const instant = (value: unknown, absent: Micros, unreadable: Micros): Micros => {
  if (value === undefined || value === null) return absent;
  return (typeof value === 'string' ? parseInstant(value)?.micros : undefined) ?? unreadable;
};

/**
 * Anything unreadable makes the policy narrower: an unreadable allow opens nothing, an unreadable deny closes
 * everything, an unreadable end lies in the past, a missing pattern matches nobody.
 */
export function normalizePolicy(document: LooseRecord): Policy {
  const pattern = document.agentPattern ?? document.agent_pattern;
  const agentDids = filled(document.agentDids);
  const subProfile = typeof document.subProfile === 'string' ? document.subProfile : undefined;
  return {
    id: String(document.id ?? ''),
    priority: typeof document.priority === 'number' ? document.priority : 100,
    enabled: document.enabled === undefined || document.enabled === true,
    matchesAgent: typeof pattern === 'string' ? globMatcher(pattern) : () => agentDids !== undefined,
    agentDids,
    agentTags: filled(document.agentTags),
    operatorDids: filled(document.operatorDids),
    allow: asStrings(document.allow).flatMap((text) => parseScope(text) ?? []),
    deny: denied(document.deny),
    permissions: new Set(
      asStrings(document.permissions).filter((text): text is Permission =>
        PERMISSIONS.includes(text as Permission),
      ),
    ),
    conditions: conditionsOf(asRecord(document.conditions)),
    purpose: purposeRulesOf(document),
    rateLimit: policyRateLimit(asRecord(document.conditions).rateLimit),
    contexts: filled(document.contexts) ?? (subProfile === undefined ? undefined : [contextName(subProfile)]),
    from: instant(document.validFrom, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
    until: Math.min(
      instant(document.expiry, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      instant(document.validUntil, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    ),
  };
}

/** A sub-profile is named by its DID or the last part of it. */
function contextName(subProfile: string): string {
  return subProfile.split(':').at(-1) as string;
}

function denied(value: unknown): ScopePattern[] {
  if (value === undefined) return [];
  const everything = parseScope('*') as ScopePattern;
  if (!Array.isArray(value)) return [everything];
  return value.map((each) => (typeof each === 'string' ? parseScope(each) : undefined) ?? everything);
}

function conditionsOf(given: LooseRecord): Conditions {
  const { minTrustScore, timeOfDay } = given;
  const hours = asRecord(timeOfDay);
  return {
    verifiedOperator: given.requireVerifiedOperator === true,
    audit: given.requireAudit === true,
    https: given.requireHttps === true,
    // A score out of five stars is scaled to 0..1.
    minTrust:
      typeof minTrustScore === 'number' ? (minTrustScore > 1 ? minTrustScore / 5 : minTrustScore) : undefined,
    allowedJurisdictions: filled(given.allowedJurisdictions),
    blockedJurisdictions: filled(given.blockedJurisdictions),
    timeOfDay:
      timeOfDay === undefined
        ? undefined
        : {
            start: String(hours.start ?? ''),
            end: String(hours.end ?? ''),
            timezone: String(hours.timezone ?? 'UTC'),
          },
  };
}

function purposeRulesOf(document: LooseRecord): PurposeRules {
  const conditions = asRecord(document.conditions);
  const given = asRecord(document.purposeRequirements);
  const limits = [given.maxRetention, conditions.maxDataRetention, conditions.maxRetention]
    .filter((text) => text !== undefined)
    .map((text) => durationSeconds(String(text)) ?? 0);
  const allowed = texts(given.allowedPurposes)?.map(purposeType);
  const flags = [
    document.purposeRequired,
    document.requirePurpose,
    conditions.requirePurpose,
    conditions.purposeRequired,
  ];
  return {
    required: flags.includes(true) || allowed !== undefined || given.requirePurposeDescription === true,
    describe: given.requirePurposeDescription === true,
    allowed,
    denied: asStrings(given.deniedPurposes).map(purposeType),
    legalBases: texts(given.allowedLegalBases),
    maxRetentionSeconds: limits.length === 0 ? undefined : Math.min(...limits),
    thirdParties: given.allowThirdPartySharing === true,
    automatedDecisions: given.allowAutomatedDecisions !== false,
    profiling: given.allowProfiling !== false,
  };
}

/** Strict, since a person wrote it: a policy that would not do what it says is refused. */
export function checkPolicy(policy: LooseRecord): void {
  if (typeof policy.agentPattern !== 'string' || policy.agentPattern === '') {
    throw invalid('/agentPattern', 'A policy names the agents it applies to; `*` means all of them.');
  }
  for (const list of ['allow', 'deny'] as const) {
    const scopes = policy[list] ?? [];
    if (!Array.isArray(scopes)) throw invalid(`/${list}`, 'This must be a list of scopes.');
    for (const [at, scope] of scopes.entries()) {
      if (typeof scope !== 'string' || !parseScope(scope))
        throw invalid(`/${list}/${at}`, 'This is not a scope.');
    }
  }
  const permissions = policy.permissions;
  const known = Array.isArray(permissions) && permissions.every((each) => PERMISSIONS.includes(each));
  if (!known) throw invalid('/permissions', `Permissions must be among ${PERMISSIONS.join(', ')}.`);
  if (
    policy.priority !== undefined &&
    !(Number.isInteger(policy.priority) && (policy.priority as number) >= 0)
  ) {
    throw invalid('/priority', 'A priority is an integer of 0 or more; the lowest applies first.');
  }
  const { rateLimit } = asRecord(policy.conditions);
  if (policyRateLimit(rateLimit)?.limit === 0)
    throw invalid('/conditions/rateLimit', 'Write a rate limit as {"requests": 10, "window": "1h"}.');
}

/** `{requests, window}` of a policy, or `maxRequests`; one that cannot be read lets nothing through. */
function policyRateLimit(given: unknown): RateLimit | undefined {
  if (given === undefined || given === null) return undefined;
  const { requests, maxRequests, window = '1h' } = asRecord(given);
  const limit = requests ?? maxRequests;
  const seconds = typeof window === 'number' ? window : durationSeconds(String(window));
  if (!Number.isInteger(limit) || (limit as number) < 1 || !isWindow(seconds)) return NO_REQUESTS;
  return { limit: limit as number, windowSeconds: seconds };
}

const NO_REQUESTS: RateLimit = { limit: 0, windowSeconds: 3600 };

function isWindow(seconds: number | undefined): seconds is number {
  return seconds !== undefined && Number.isInteger(seconds) && seconds >= 1 && seconds <= 31_536_000;
}
