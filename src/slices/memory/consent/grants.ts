import type { Reader } from '../../../spine/storage/database.ts';
import { selectAgent } from '../registry/store.ts';
import { type Grant, grantFor, NO_GRANT } from './rules/grant.ts';
import { normalizePolicy } from './rules/policy.ts';
import type { Purpose } from './rules/purpose.ts';
import type { Requester } from './rules/requester.ts';
import { isBlocked, selectLiveReceipt, selectPolicies } from './store.ts';

export interface AgentGrant {
  readonly grant: Grant;
  readonly requester: Requester;
}

/**
 * What an agent may do with a profile right now: computed from the current policies, never from an earlier result. For a
 * DID that nobody has, the same queries run and grant nothing.
 */
export async function agentGrant(
  reader: Reader,
  profileDid: string,
  agentDid: string,
  now: number,
  stated?: Purpose,
): Promise<AgentGrant> {
  const policies = await selectPolicies(reader, profileDid);
  const agent = await selectAgent(reader, agentDid);
  const receipt = await selectLiveReceipt(reader, profileDid, agentDid, now);
  const blocked = await isBlocked(reader, profileDid, agentDid);
  const purpose = stated ?? receipt?.purpose;
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
