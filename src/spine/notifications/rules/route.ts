import type { Risk } from '../../inbox/item.ts';
import { type Notice, RISKS, type Rule } from '../kinds.ts';

/**
 * The rule that says when a notice is told, if any. Rules for the project replace those for all projects; of several that
 * fit, the one for the highest risk counts, so that "critical now, the rest daily" are two rules.
 */
export function ruleFor(rules: readonly Rule[], notice: Notice): Rule | undefined {
  const ofKind = rules.filter(({ kind }) => kind === notice.kind);
  const own = ofKind.filter(({ project }) => project === notice.projectId);
  const candidates = own.length > 0 ? own : ofKind.filter(({ project }) => project === '*');
  let best: Rule | undefined;
  for (const rule of candidates) {
    if (!fits(rule, notice.risk)) continue;
    if (best === undefined || rank(rule.leastRisk) > rank(best.leastRisk)) best = rule;
  }
  return best?.when === 'never' ? undefined : best;
}

const rank = (risk: Risk | null | undefined) => (risk ? RISKS.indexOf(risk) : -1);

function fits({ leastRisk }: Rule, risk: Risk | null): boolean {
  return risk === null || rank(risk) >= rank(leastRisk);
}
