import type { Micros } from '../../../../kernel/clock.ts';
import type { AtlasManifest } from '../../atlases/schema.ts';
import { readPolicyRule } from '../../policies/rules/parameters.ts';

/** How far back a limit of these Atlases counts; infinite where something is never counted out, 0 where nothing is counted. */
export function longestWindow(manifests: readonly AtlasManifest[]): Micros {
  const seconds = manifests.flatMap(({ actions = [], policies = [] }) => [
    ...actions.map(({ rate_limit: rate }) => rate?.window_seconds ?? 0),
    ...policies.map((policy) => {
      const { rate, budget } = readPolicyRule(policy).rule;
      if (budget) return budget.windowSeconds ?? Number.POSITIVE_INFINITY;
      return rate?.windowSeconds ?? 0;
    }),
  ]);
  return Math.max(0, ...seconds) * 1_000_000;
}
