import { covers, type Place, parseScope } from '../scope-pattern.ts';
import type { Sensitivity } from '../sensitivity.ts';

export interface AutoApproval {
  readonly enabled?: boolean;
  readonly minConfidence?: number;
  readonly trustedAgentsOnly?: boolean;
  readonly trustedAgents?: readonly string[];
  readonly allowedCategories?: readonly string[];
  readonly deniedCategories?: readonly string[];
  readonly maxProposalsPerDay?: number;
}

export interface AutoCandidate extends Place {
  readonly agentDid: string;
  readonly confidence: number;
  readonly sensitivity: Sensitivity;
  /** Approved without a person in the last day. */
  readonly approvedToday: number;
}

/** Off unless set; never for what is sensitive or restricted, whatever the settings say. */
export function mayAutoApprove(settings: AutoApproval, candidate: AutoCandidate): boolean {
  if (settings.enabled !== true) return false;
  if (candidate.sensitivity === 'sensitive' || candidate.sensitivity === 'restricted') return false;
  if (candidate.confidence < (settings.minConfidence ?? 0.9)) return false;
  if (settings.trustedAgentsOnly !== false && !settings.trustedAgents?.includes(candidate.agentDid))
    return false;
  if (candidate.approvedToday >= (settings.maxProposalsPerDay ?? 10)) return false;
  const fits = (text: string) => {
    const pattern = parseScope(text);
    return pattern !== undefined && covers(pattern, candidate);
  };
  if (settings.deniedCategories?.some(fits)) return false;
  return settings.allowedCategories === undefined || settings.allowedCategories.some(fits);
}
