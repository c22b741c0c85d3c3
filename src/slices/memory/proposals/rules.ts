import type { Micros } from '../../../kernel/clock.ts';
import type { Sensitivity } from '../categories.ts';
import { memoryErrors } from '../errors.ts';
import { covers, type Place, parseScope } from '../scope-pattern.ts';

export const PROPOSAL_STATUSES = [
  'pending',
  'approved',
  'rejected',
  'expired',
  'edited',
  'withdrawn',
] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

export const PROPOSAL_KINDS = ['memory', 'reclassification', 'consolidation'] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

const PROPOSAL_DAYS = 7;
const DAY_MICROS = 86_400_000_000;

export const PROPOSAL_CONFIDENCE = 0.7;

/** Expiry does not wait for a sweep: a pending proposal past its end is expired for every reader. */
export function statusAt(status: ProposalStatus, expires: Micros, now: Micros): ProposalStatus {
  return status === 'pending' && expires <= now ? 'expired' : status;
}

export function expiryOf(proposed: Micros, given: Micros | undefined): Micros {
  if (given === undefined) return proposed + PROPOSAL_DAYS * DAY_MICROS;
  if (given <= proposed) {
    throw memoryErrors.A2P006({
      message: 'A proposal cannot expire before it is made.',
      pointer: '/expiresAt',
    });
  }
  return given;
}

export type ProposalMove = 'approve' | 'edit' | 'reject' | 'withdraw';

const AFTER: Readonly<Record<ProposalMove, ProposalStatus>> = {
  approve: 'approved',
  edit: 'edited',
  reject: 'rejected',
  withdraw: 'withdrawn',
};

/** Only a pending proposal that has not expired can move; every other state is final. */
export function moveProposal(
  status: ProposalStatus,
  expires: Micros,
  move: ProposalMove,
  now: Micros,
): ProposalStatus {
  const current = statusAt(status, expires, now);
  if (current === 'expired') throw memoryErrors.proposal_expired();
  if (current !== 'pending') throw memoryErrors.proposal_closed({ details: { status: current } });
  return AFTER[move];
}

/** `approved` includes what was approved with edits. */
export function statusesOf(status: string | undefined): readonly ProposalStatus[] | undefined {
  if (status === undefined || status === 'all') return undefined;
  if (status === 'approved') return ['approved', 'edited'];
  if (PROPOSAL_STATUSES.includes(status as ProposalStatus)) return [status as ProposalStatus];
  throw memoryErrors.A2P006({ message: `${status} is not a status of proposals.`, pointer: '/status' });
}

export interface AutoApproval {
  readonly enabled?: boolean;
  readonly minConfidence?: number;
  readonly trustedAgentsOnly?: boolean;
  readonly trustedAgents?: readonly string[];
  readonly allowedCategories?: readonly string[];
  readonly deniedCategories?: readonly string[];
  readonly maxProposalsPerDay?: number;
}

export interface AutoApprovalCandidate extends Place {
  readonly agentDid: string;
  readonly confidence: number;
  readonly sensitivity: Sensitivity;
  /** The number approved without a person in the last day. */
  readonly approvedToday: number;
}

/** Off by default; never for sensitive or restricted memories, whatever the settings say. */
export function mayAutoApprove(settings: AutoApproval, candidate: AutoApprovalCandidate): boolean {
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
