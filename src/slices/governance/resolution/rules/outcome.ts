import type { CarpResolution } from '../schema.ts';

export interface Tally {
  readonly allowed: number;
  readonly waiting: number;
  readonly denied: number;
  readonly missingCapabilities: readonly string[];
}

export interface Outcome {
  readonly type: CarpResolution['decision']['type'];
  readonly reason: string | null;
}

/** Section 3.3.1: everything, nothing, some of it, or only after a person has agreed. */
export function outcomeOf(tally: Tally): Outcome {
  const { allowed, waiting, denied, missingCapabilities } = tally;
  const missing = missingCapabilities.length > 0 ? [`Not available: ${missingCapabilities.join(', ')}`] : [];
  if (allowed + waiting === 0) {
    const nothing = denied === 0 ? 'No action is available' : 'All actions are denied by policy';
    return { type: 'deny', reason: [nothing, ...missing].join('; ') };
  }
  if (allowed === 0) {
    return { type: 'requires_approval', reason: ['A person must approve first', ...missing].join('; ') };
  }
  const reasons = [
    ...(denied > 0 ? ['Some actions are denied by policy'] : []),
    ...(waiting > 0 ? ['Some actions wait for approval'] : []),
    ...missing,
  ];
  return reasons.length === 0
    ? { type: 'allow', reason: null }
    : { type: 'partial', reason: reasons.join('; ') };
}
