import type { Micros } from '../../../kernel/clock.ts';
import { tierRank } from '../policies/rules/tiers.ts';
import type { RiskTier } from '../schema.ts';
import { type Grant, isSamePolicy, type PolicyOfVersion } from './grant-rules.ts';
import type { ApprovalView } from './schema.ts';
import type { Approval } from './store.ts';

/**
 * Two questions are the same where policy, actions, risk, what may not differ, and whoever asks are the same. Another
 * credential asks on its own, or it could answer what it asked itself.
 */
export interface ApprovalQuestion extends PolicyOfVersion {
  readonly actionIds: readonly string[];
  readonly riskTier: RiskTier;
  /** Null where the parameters are not known yet. */
  readonly boundHash: string | null;
  /** The actor of the credential. */
  readonly askedBy: string;
}

/**
 * The open question whose answer settles this one. About a call: the same call asked before, a question about any call of
 * the action, or an offer for it alone that nobody was asked about, which then becomes this question. About what a
 * resolution names: whatever is open about these actions.
 */
export function sameQuestion(open: readonly Approval[], wanted: ApprovalQuestion): Approval | undefined {
  const alike = open.filter(
    (each) =>
      isOfPolicy(each, wanted) &&
      each.riskTier === wanted.riskTier &&
      wanted.actionIds.every((id) => each.actionIds.includes(id)),
  );
  const exact = ({ actionIds }: Approval) => actionIds.length === wanted.actionIds.length;
  const asked = alike.filter((each) => each.asked !== null && each.requestedBy?.id === wanted.askedBy);
  if (wanted.boundHash === null) {
    return asked.find(exact) ?? alike.find((each) => each.asked === null && exact(each)) ?? asked[0];
  }
  return (
    asked.find((each) => exact(each) && each.boundHash === wanted.boundHash) ??
    asked.find(({ boundHash }) => boundHash === null) ??
    alike.find((each) => each.asked === null && exact(each))
  );
}

/**
 * Open questions that a grant for many calls answers too: the same policy, no further actions, no higher risk, and not
 * asked by whoever granted it.
 */
export function answeredBy(grant: Grant, open: readonly Approval[]): Approval[] {
  return open.filter(
    (each) =>
      each.asked !== null &&
      each.approvalId !== grant.approvalId &&
      ![grant.grantedBy, ...grant.agreedBy].includes(each.requestedBy?.id ?? '') &&
      isOfPolicy(each, grant) &&
      each.actionIds.every((id) => grant.actionIds.includes(id)) &&
      tierRank(each.riskTier) <= tierRank(grant.riskTier) &&
      (grant.boundHash === null || grant.boundHash === each.boundHash),
  );
}

function isOfPolicy({ atlas, policyId }: Approval, wanted: PolicyOfVersion): boolean {
  if (!atlas) return false;
  const { atlasId, version: atlasVersion, digest: atlasDigest } = atlas;
  return isSamePolicy({ atlasId, atlasVersion, atlasDigest, policyId }, wanted);
}

export function statusAt({ status, asked, expires }: Approval, now: Micros): ApprovalView['status'] {
  if (status !== 'pending') return status;
  if (expires <= now) return 'expired';
  return asked === null ? 'offered' : 'pending';
}
