import { type ApprovalConditions, type GovernedConfig, phasesOf } from '../../config/config.ts';
import type { HistoryRow } from '../../records.ts';
import type { GateDecision } from './evaluate.ts';

/** Whether the config lets a gate that passes open without a person. A credentialed gate never does. */
export function isAutoApproved(
  config: GovernedConfig,
  decision: GateDecision,
  history: readonly HistoryRow[],
): boolean {
  if (decision.action !== 'awaiting_human_approval' || decision.credentialed) return false;
  const { gates, transitions, otherTransitions, completion } = config.approvals;
  const named = gates.find((rule) => rule.gate === undefined || rule.gate === decision.gate);
  const rule =
    named ??
    (decision.to === null
      ? completion
      : transitions.find(
          ({ from, to }) =>
            (from === undefined || from === decision.from) && (to === undefined || to === decision.to),
        ));
  if (rule === undefined) return otherTransitions === 'auto_approve';
  return rule.action === 'auto_approve' && holds(rule.when, config, decision.from, history);
}

/** A condition that is not understood does not hold. */
function holds(
  when: ApprovalConditions,
  config: GovernedConfig,
  phase: string,
  history: readonly HistoryRow[],
): boolean {
  const heard = new Set(history.filter((row) => row.phase === phase).map((row) => row.role));
  const visited = new Set(history.map((row) => row.phase));
  return (
    !when.unknown &&
    when.roles.every((role) => heard.has(role)) &&
    (!when.allPhases || phasesOf(config).every((each) => visited.has(each)))
  );
}
