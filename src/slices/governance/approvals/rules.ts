import type { Micros } from '../../../kernel/clock.ts';
import { tierRank } from '../policies/rules/tiers.ts';
import type { RiskTier } from '../schema.ts';
import { type Grant, isSamePolicy, type PolicyOfVersion } from './grant-rules.ts';
import type { ApprovalView } from './schema.ts';
import type { Approval } from './store.ts';

/** Two questions are the same where policy, actions, risk and what may not differ are the same. */
export interface ApprovalQuestion extends PolicyOfVersion {
  readonly actionIds: readonly string[];
  readonly riskTier: RiskTier;
  /** Null where the parameters are not known yet. */
  readonly boundHash: string | null;
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
  if (wanted.boundHash === null) return alike.find(exact) ?? alike.find(({ asked }) => asked !== null);
  const asked = alike.filter((each) => each.asked !== null);
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
      each.requestedBy?.id !== grant.grantedBy &&
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
