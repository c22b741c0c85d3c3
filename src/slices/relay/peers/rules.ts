/** Roles that an agent may be registered with. */
export const AGENT_ROLES = ['relay', 'orchestrator', 'planner', 'validator', 'worker', 'deployer'] as const;

/** In a star every exchange has the orchestrator at one end; agents without a role are not constrained among themselves. */
export function violatesStar(sender: string | undefined, target: string | undefined): boolean {
  if (sender === 'orchestrator' || target === 'orchestrator') return false;
  return Boolean(sender) || Boolean(target);
}

/** Policy must allow each message, and a person each change of the card. */
export function isGoverned(peer: {
  readonly governed?: boolean | undefined;
  readonly governed_action?: string | undefined;
}): boolean {
  return peer.governed === true || peer.governed_action !== undefined;
}
