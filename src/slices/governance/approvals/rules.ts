import type { Approval } from './store.ts';

/** Whether a live approval lets this call through. */
export function isGranted(approvals: readonly Approval[], actionId: string, parametersHash: string): boolean {
  return approvals.some(
    (approval) =>
      approval.status === 'approved' &&
      approval.actionIds.includes(actionId) &&
      (approval.covers === 'session' || approval.parametersHash === parametersHash),
  );
}

/** A question is told again by the rule that asks, the actions it is about and how much a yes would let through. */
export interface Asked {
  readonly policyId: string;
  readonly actionIds: readonly string[];
  readonly covers: Approval['covers'];
  readonly parametersHash: string | null;
}

/** What waits for a person already and answers this too, or else what would ask exactly this. */
export function sameQuestion(live: readonly Approval[], wanted: Asked): Approval | undefined {
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

/** What a person need not be asked any more once this was approved: less of the same. */
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
