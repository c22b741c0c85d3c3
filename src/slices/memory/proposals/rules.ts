import type { Micros } from '../../../kernel/clock.ts';
import { memoryErrors } from '../errors.ts';

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

/** Expiry is a matter of time, not of a sweep: a pending proposal past its end is expired for everyone who looks. */
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

/** Only what is pending, and not past its end, can move; every other state is final. */
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

/** Asked for `approved`, a list also shows what was approved with edits. */
export function statusesAsked(status: string | undefined): readonly ProposalStatus[] | undefined {
  if (status === undefined || status === 'all') return undefined;
  if (status === 'approved') return ['approved', 'edited'];
  if (PROPOSAL_STATUSES.includes(status as ProposalStatus)) return [status as ProposalStatus];
  throw memoryErrors.A2P006({ message: `${status} is no status of a proposal.`, pointer: '/status' });
}
