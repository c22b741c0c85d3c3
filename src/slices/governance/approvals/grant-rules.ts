import type { Micros } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { exactAppendixB } from '../../../kernel/json/canonical/appendix-b.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json/value.ts';
import type { ApprovalRule } from '../policies/rules/parameters.ts';
import { tierRank } from '../policies/rules/tiers.ts';
import { pathSteps } from '../policies/rules/when/parameter-path.ts';
import type { RiskTier } from '../schema.ts';

/**
 * How much a yes allows. `call`: the call that asked, once. `action`: one call, whatever its parameters, because none were
 * known when it was given. `session`: every call of the session. `rule`: every call of the agent, until revoked.
 */
export const GRANT_COVERS = ['call', 'action', 'session', 'rule'] as const;
export type GrantCovers = (typeof GRANT_COVERS)[number];

/** The policy that a grant satisfies: of one Atlas in one version, so that a changed rule asks again. */
export interface PolicyOfVersion {
  readonly atlasId: string;
  readonly atlasVersion: string;
  readonly atlasDigest: string;
  readonly policyId: string;
}

export interface Grant extends PolicyOfVersion {
  readonly approvalId: string;
  readonly projectId: string;
  readonly agentId: string;
  /** Who answers for the agent: another than itself where it is a subagent. */
  readonly boundAgent: string;
  /** Null for a rule. */
  readonly sessionId: string | null;
  readonly actionIds: readonly string[];
  readonly covers: GrantCovers;
  /** Hash of the parameters that must be the same; null where any will do. */
  readonly boundHash: string | null;
  /** Paths of parameters that the hash leaves out. */
  readonly mayDiffer: readonly string[];
  readonly riskTier: RiskTier;
  readonly grantedBy: string;
  /** Who agreed before, where one person was not enough. */
  readonly agreedBy: readonly string[];
  readonly grantedAt: string;
  readonly granted: Micros;
  /** Null for a rule. */
  readonly expires: Micros | null;
}

/** What one policy wants a person to have agreed to before a call. */
export interface Need extends PolicyOfVersion {
  readonly actionIds: readonly string[];
  readonly riskTier: RiskTier;
}

export function isSingle(covers: GrantCovers): boolean {
  return covers === 'call' || covers === 'action';
}

/** What a person may choose between, the least first. A high risk is never made a rule. */
export function permittedCovers(
  rule: Pick<ApprovalRule, 'covers' | 'mayDiffer'>,
  riskTier: RiskTier,
  parametersKnown: boolean,
): GrantCovers[] {
  const permitted: GrantCovers[] = [parametersKnown ? 'call' : 'action'];
  // Parameters that nobody has seen yet cannot be compared with later ones.
  if (rule.covers === 'call' || (!parametersKnown && rule.mayDiffer.length > 0)) return permitted;
  permitted.push('session');
  if (rule.covers === 'rule' && !isHigh(riskTier)) permitted.push('rule');
  return permitted;
}

export function isHigh(tier: RiskTier): boolean {
  return tierRank(tier) >= tierRank('high');
}

/** Whether a policy may be agreed to before the parameters of a call are known. */
export function mayAskAhead(rule: { readonly when?: unknown }, riskTier: RiskTier): boolean {
  return rule.when === undefined && !isHigh(riskTier);
}

/** The hash that a grant with these covers binds; undefined parameters bind nothing. */
export function boundBy(
  covers: GrantCovers,
  mayDiffer: readonly string[],
  boundHash: string | null,
): string | null {
  if (covers === 'action') return null;
  return covers === 'call' || mayDiffer.length > 0 ? boundHash : null;
}

/** Hash of the parameters without those that may differ. */
export function hashWithout(hasher: Hasher, parameters: JsonObject, mayDiffer: readonly string[]): string {
  const rest = mayDiffer.reduce<Json>((value, path) => without(value, pathSteps(path)), parameters);
  return hasher.hex(exactAppendixB(rest));
}

function without(value: Json, [step, ...deeper]: readonly string[]): Json {
  if (step === undefined) return value;
  if (Array.isArray(value)) {
    // An element leaves a hole, so that the others keep their places.
    return value.map((item: Json, at) =>
      String(at) !== step ? item : deeper.length > 0 ? without(item, deeper) : null,
    );
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, step)) return value;
  const copy = Object.create(null) as Record<string, Json>;
  for (const [name, member] of Object.entries(value)) {
    if (name !== step) copy[name] = member;
    else if (deeper.length > 0) copy[name] = without(member, deeper);
  }
  return copy;
}

/** The call as a grant compares it: hashed without the parameters that this grant lets differ. */
export type HashOfCall = (mayDiffer: readonly string[]) => string;

/**
 * The live grant that lets a call pass a policy. One that is used up by it is taken only where no other covers the call.
 * Without a hash the question is whether any call would pass.
 */
export function coveringGrant(
  grants: readonly Grant[],
  need: Need,
  hashOf: HashOfCall | undefined,
): Grant | undefined {
  const fitting = grants.filter(
    (grant) =>
      satisfies(grant, need) && (grant.boundHash === null || hashOf?.(grant.mayDiffer) === grant.boundHash),
  );
  return ORDER_OF_USE.map((covers) => fitting.find((grant) => grant.covers === covers)).find(Boolean);
}

const ORDER_OF_USE: readonly GrantCovers[] = ['rule', 'session', 'call', 'action'];

/** The same policy in the same version, all of the actions, and no higher risk than the person was told of. */
function satisfies(grant: Grant, need: Need): boolean {
  return (
    isSamePolicy(grant, need) &&
    need.actionIds.every((id) => grant.actionIds.includes(id)) &&
    tierRank(need.riskTier) <= tierRank(grant.riskTier)
  );
}

export function isSamePolicy(one: PolicyOfVersion, other: PolicyOfVersion): boolean {
  return (
    one.policyId === other.policyId &&
    one.atlasId === other.atlasId &&
    one.atlasVersion === other.atlasVersion &&
    one.atlasDigest === other.atlasDigest
  );
}
