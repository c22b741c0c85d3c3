/** Who shares one counter. */
export const LIMIT_SCOPES = ['agent', 'session', 'action', 'global'] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

export interface LimitSubject {
  readonly agentId: string;
  readonly sessionId: string;
  readonly actionId: string;
}

/**
 * The name of a counter. It has no Atlas version, so that a new version does not hand out a fresh allowance. A rate
 * limit counts each action apart; a budget is one pot for all actions of its policy.
 */
export function limitKey(
  policy: { readonly atlasId: string; readonly policyId: string },
  kind: 'rate' | 'budget',
  scope: LimitScope,
  subject: LimitSubject,
): string {
  const parts = [kind, policy.atlasId, policy.policyId, scope];
  if (scope === 'agent') parts.push(subject.agentId);
  if (scope === 'session') parts.push(subject.sessionId);
  if (kind === 'rate' || scope === 'action') parts.push(subject.actionId);
  return JSON.stringify(parts);
}
