import { RISK_TIERS, type RiskTier } from '../../schema.ts';

const RANK: Readonly<Record<RiskTier, number>> = { low: 0, medium: 1, high: 2, critical: 3 };

export function tierRank(tier: RiskTier | undefined): number {
  return tier === undefined ? 0 : RANK[tier];
}

/** The tier that rules use: declaring less does not lower the action's own risk. */
export function effectiveTier(task: RiskTier | undefined, action: RiskTier | undefined): RiskTier {
  return RISK_TIERS[Math.max(tierRank(task), tierRank(action))] as RiskTier;
}

/** Bit n stands for the tier of rank n. */
export function tierMask(tiers: readonly RiskTier[]): number {
  return tiers.reduce((mask, tier) => mask | (1 << RANK[tier]), 0);
}
