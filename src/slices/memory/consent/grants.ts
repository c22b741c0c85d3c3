import type { Reader } from '../../../spine/storage/database.ts';
import { type MemoryClass, selectClasses } from '../memories/store.ts';
import { selectAgent } from '../registry/store.ts';
import { covers, parseScope } from '../scope-pattern.ts';
import { type Grant, grantFor, mayRead, NO_GRANT } from './rules/grant.ts';
import { normalizePolicy } from './rules/policy.ts';
import type { Purpose } from './rules/purpose.ts';
import type { Requester } from './rules/requester.ts';
import { isBlocked, selectLiveReceipt, selectPolicies } from './store.ts';

export interface AgentGrant {
  readonly grant: Grant;
  readonly requester: Requester;
}

/**
 * What an agent may do with a profile right now: from the policies as they stand, never from an earlier answer. A DID
 * that nobody has takes the same steps and comes to nothing.
 */
export async function agentGrant(
  reader: Reader,
  profileDid: string,
  agentDid: string,
  now: number,
  asked?: Purpose,
): Promise<AgentGrant> {
  const policies = await selectPolicies(reader, profileDid);
  const agent = await selectAgent(reader, agentDid);
  const receipt = await selectLiveReceipt(reader, profileDid, agentDid, now);
  const blocked = await isBlocked(reader, profileDid, agentDid);
  const purpose = asked ?? receipt?.purpose;
  const requester: Requester = {
    agentDid,
    ...(agent?.tags && { tags: agent.tags }),
    ...(agent?.operatorDid !== undefined && { operatorDid: agent.operatorDid }),
    ...(agent?.operatorVerified !== undefined && { operatorVerified: agent.operatorVerified }),
    ...(agent?.audited !== undefined && { audited: agent.audited }),
    ...(agent?.trustScore !== undefined && { trustScore: agent.trustScore }),
    ...(agent?.jurisdiction !== undefined && { jurisdiction: agent.jurisdiction }),
    ...(purpose && { purpose }),
  };
  const normalized = policies.map(({ policy_id, document }) =>
    normalizePolicy({ ...(JSON.parse(document) as object), id: policy_id }),
  );
  const grant = grantFor(normalized, requester, now);
  return { grant: blocked ? NO_GRANT : grant, requester };
}

export interface ReadFilter {
  readonly types?: readonly string[] | undefined;
  /** Category scopes such as `a2p:preferences.*`; a bare category also takes in what stands below it. */
  readonly categories?: readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** A sharing context such as `work`. */
  readonly context?: string | undefined;
}

/** Which classes of memories may be read: the filter of a search or a list, so that nothing else is ever looked at. */
export async function readableClasses(
  reader: Reader,
  profileDid: string,
  grant: Grant | 'all',
  filter: ReadFilter,
): Promise<MemoryClass[]> {
  const classes = await selectClasses(reader, profileDid);
  return classes.filter(
    (each) => (grant === 'all' || mayRead(grant, { ...each, status: 'approved' })) && fits(each, filter),
  );
}

function fits(each: Omit<MemoryClass, 'classId'>, filter: ReadFilter): boolean {
  const { types, categories, scopes, context } = filter;
  if (types && !types.includes(each.type)) return false;
  if (
    context !== undefined &&
    each.scope.length > 0 &&
    !each.scope.some((name) => name === context || name === 'general')
  ) {
    return false;
  }
  if (
    categories &&
    !categories.some(
      (name) => each.category === name || each.category?.startsWith(`${name}.`) || reaches(name, each),
    )
  ) {
    return false;
  }
  return scopes === undefined || scopes.some((scope) => reaches(scope, each));
}

function reaches(scope: string, each: Omit<MemoryClass, 'classId'>): boolean {
  const pattern = parseScope(scope);
  return pattern !== undefined && covers(pattern, each);
}
