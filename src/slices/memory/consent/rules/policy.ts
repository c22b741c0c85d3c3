import type { Micros } from '../../../../kernel/clock.ts';
import { globMatcher } from '../../../../kernel/glob.ts';
import { parseInstant } from '../../../../kernel/instant.ts';
import { policyRateLimit, type RateLimit } from '../../rate-limits.ts';
import { parseScope, type ScopePattern } from '../../scope-pattern.ts';
import { durationSeconds } from './duration.ts';
import { purposeType } from './purpose.ts';

export const PERMISSIONS = ['none', 'read_public', 'read_scoped', 'read_full', 'propose', 'write'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** A policy as the rules see it: every way of writing one is brought to this. */
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
  /** How often each agent may use it; undefined for no limit of its own. */
  readonly rateLimit: RateLimit | undefined;
  /** Sharing contexts that it is for; undefined for all. */
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

type Loose = Readonly<Record<string, unknown>>;

const record = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};
const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : undefined;
const filled = (value: unknown): string[] | undefined => {
  const list = texts(value);
  return list && list.length > 0 ? list : undefined;
};
const instant = (value: unknown, absent: Micros, unreadable: Micros): Micros => {
  if (value === undefined || value === null) return absent;
  return (typeof value === 'string' ? parseInstant(value)?.micros : undefined) ?? unreadable;
};

/**
 * What cannot be read narrows: an unreadable allow opens nothing, an unreadable deny closes everything, an unreadable
 * end is past, a pattern that is missing fits nobody.
 */
export function normalizePolicy(document: Loose): Policy {
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
    allow: (texts(document.allow) ?? []).flatMap((text) => parseScope(text) ?? []),
    deny: denied(document.deny),
    permissions: new Set(
      (texts(document.permissions) ?? []).filter((text): text is Permission =>
        PERMISSIONS.includes(text as Permission),
      ),
    ),
    conditions: conditionsOf(record(document.conditions)),
    purpose: purposeRulesOf(document),
    rateLimit: policyRateLimit(record(document.conditions).rateLimit),
    contexts: filled(document.contexts) ?? (subProfile === undefined ? undefined : [contextName(subProfile)]),
    from: instant(document.validFrom, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
    until: Math.min(
      instant(document.expiry, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      instant(document.validUntil, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    ),
  };
}

/** A sub-profile is named by its DID or by the last part of it. */
function contextName(subProfile: string): string {
  return subProfile.split(':').at(-1) as string;
}

function denied(value: unknown): ScopePattern[] {
  if (value === undefined) return [];
  const everything = parseScope('*') as ScopePattern;
  if (!Array.isArray(value)) return [everything];
  return value.map((each) => (typeof each === 'string' ? parseScope(each) : undefined) ?? everything);
}

function conditionsOf(given: Loose): Conditions {
  const { minTrustScore, timeOfDay } = given;
  const hours = record(timeOfDay);
  return {
    verifiedOperator: given.requireVerifiedOperator === true,
    audit: given.requireAudit === true,
    https: given.requireHttps === true,
    // Scores out of five stars are brought to 0..1.
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

function purposeRulesOf(document: Loose): PurposeRules {
  const conditions = record(document.conditions);
  const given = record(document.purposeRequirements);
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
    denied: (texts(given.deniedPurposes) ?? []).map(purposeType),
    legalBases: texts(given.allowedLegalBases),
    maxRetentionSeconds: limits.length === 0 ? undefined : Math.min(...limits),
    thirdParties: given.allowThirdPartySharing === true,
    automatedDecisions: given.allowAutomatedDecisions !== false,
    profiling: given.allowProfiling !== false,
  };
}
