import type { Micros } from '../../../kernel/clock.ts';
import type { ApprovalView } from './schema.ts';
import type { Approval } from './store.ts';

/** Whether a live approval allows this call. */
export function isGranted(approvals: readonly Approval[], actionId: string, parametersHash: string): boolean {
  return approvals.some(
    (approval) =>
      approval.status === 'approved' &&
      approval.actionIds.includes(actionId) &&
      (approval.covers === 'session' || approval.parametersHash === parametersHash),
  );
}

/** Two questions are the same where rule, actions and what a yes would allow are the same. */
export interface ApprovalQuestion {
  readonly policyId: string;
  readonly actionIds: readonly string[];
  readonly covers: Approval['covers'];
  readonly parametersHash: string | null;
}

/** An open question that covers this one, or else an offered one that is exactly this. */
export function sameQuestion(live: readonly Approval[], wanted: ApprovalQuestion): Approval | undefined {
  const alike = live.filter(
    (each) =>
      each.status === 'pending' &&
      each.policyId === wanted.policyId &&
      each.covers === wanted.covers &&
      (each.covers === 'session' || each.parametersHash === wanted.parametersHash) &&
      wanted.actionIds.every((id) => each.actionIds.includes(id)),
  );
  return (
    alike.find(({ asked }) => asked !== null) ??
    alike.find(({ actionIds }) => actionIds.length === wanted.actionIds.length)
  );
}

/** Open questions that this approval answers too: the same rule, no further actions. */
export function answeredBy(approved: Approval, live: readonly Approval[]): Approval[] {
  if (approved.covers !== 'session') return [];
  return live.filter(
    (each) =>
      each.status === 'pending' &&
      each.asked !== null &&
      each.policyId === approved.policyId &&
      each.actionIds.every((id) => approved.actionIds.includes(id)),
  );
}

export function statusAt({ status, asked, expires }: Approval, now: Micros): ApprovalView['status'] {
  if (status !== 'pending') return status;
  if (expires <= now) return 'expired';
  return asked === null ? 'offered' : 'pending';
}
