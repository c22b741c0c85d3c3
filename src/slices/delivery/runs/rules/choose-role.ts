import type { GovernedConfig } from '../../config/config.ts';
import { routeOf } from '../../config/rules/phases.ts';
import { member } from '../../document.ts';
import type { RunState } from '../../run-state.ts';

export interface RoleChoice {
  readonly role: string | undefined;
  readonly because:
    | 'override'
    | 'delegation_review'
    | 'delegation'
    | 'recommended'
    | 'entry_role'
    | 'first_role'
    | 'none';
  readonly warning?: string;
}

export function chooseRole(state: RunState, config: GovernedConfig, override?: string): RoleChoice {
  const review = state.pending_delegation_review?.parent_role;
  const delegated = state.delegation_queue.find((entry) => entry.status === 'pending')?.to_role;
  if (override !== undefined) {
    const due = review ?? delegated;
    return {
      role: override,
      because: 'override',
      ...(due !== undefined && due !== override
        ? { warning: `"${due}" is due by delegation and was passed over.` }
        : {}),
    };
  }
  if (review !== undefined) return { role: review, because: 'delegation_review' };
  if (delegated !== undefined) return { role: delegated, because: 'delegation' };
  const recommended = state.next_recommended_role;
  if (recommended !== null && mayFollow(config, state.phase, recommended)) {
    return { role: recommended, because: 'recommended' };
  }
  const entry = routeOf(config, state.phase)?.entry_role;
  if (entry !== undefined) return { role: entry, because: 'entry_role' };
  const [first] = Object.keys(config.roles);
  return first === undefined ? { role: undefined, because: 'none' } : { role: first, because: 'first_role' };
}

export function mayFollow(config: GovernedConfig, phase: string, role: string): boolean {
  if (member(config.roles, role) === undefined) return false;
  const allowed = routeOf(config, phase)?.allowed_next_roles;
  return allowed === undefined || allowed.includes(role) || routeOf(config, phase)?.entry_role === role;
}
