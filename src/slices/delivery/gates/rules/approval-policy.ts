import type { GovernedConfig } from '../../config/config.ts';
import type { GateDecision } from './evaluate.ts';

/** Whether the config lets a gate pass without a person. A credentialed gate never does. */
export function isAutoApproved(config: GovernedConfig, decision: GateDecision): boolean {
  if (decision.action !== 'awaiting_human_approval' || decision.credentialed) return false;
  const rule = config.approvals.find(
    (candidate) => candidate.gate === undefined || candidate.gate === decision.gate,
  );
  return rule?.action === 'auto_approve';
}
