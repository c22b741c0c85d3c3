import { canSeeProject, isOwner } from '../access.ts';
import type { Grant } from '../credentials/grant.ts';
import { identityErrors } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { grantsPattern, isScopePattern } from '../scopes.ts';

/** Faults of the grant itself, whoever requests it. */
export function requireSoundGrant(grant: Grant): void {
  const unknown = grant.scopes.find((scope) => !isScopePattern(scope));
  if (unknown !== undefined) {
    throw identityErrors.invalid_grant({ message: `There is no scope ${unknown}.`, pointer: '/scopes' });
  }
  if (grant.scopes.length === 0) {
    throw identityErrors.invalid_grant({
      message: 'A key needs at least one scope.',
      pointer: '/scopes',
    });
  }
  if (grant.projects !== 'all' && !grant.projects.includes(grant.defaultProject)) {
    throw identityErrors.invalid_grant({
      message: 'The default project must be one of the projects.',
      pointer: '/default_project',
    });
  }
}

/**
 * A credential never makes a wider one: not in scopes, not in projects, and only a person makes a person's key.
 * Without the last rule an agent that manages keys could approve its own requests.
 */
export function requireNarrower(by: Principal, grant: Grant): void {
  const scope = grant.scopes.find((wanted) => !grantsPattern(by.scopes, wanted));
  if (scope !== undefined) throw identityErrors.grant_too_wide({ pointer: '/scopes', details: { scope } });
  if (grant.projects === 'all') {
    if (by.projects !== 'all') throw identityErrors.grant_too_wide({ pointer: '/projects' });
  } else if (!grant.projects.every((projectId) => canSeeProject(by, projectId))) {
    throw identityErrors.project_not_found({ pointer: '/projects' });
  }
  if (grant.actor.type === 'human' && !isOwner(by) && grant.actor.id !== by.actor.id) {
    throw identityErrors.grant_too_wide({
      message: 'Only the owner can create keys for other people.',
      pointer: '/actor_id',
    });
  }
}
