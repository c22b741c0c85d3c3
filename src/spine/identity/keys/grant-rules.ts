import type { Micros } from '../../../kernel/clock.ts';
import { globCovers } from '../../../kernel/glob.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { canSeeProject, isOwner, mayActAs } from '../access.ts';
import type { Grant } from '../credentials/grant.ts';
import type { Source } from '../credentials/standing.ts';
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

/** A credential never makes a wider one: not in scopes, not in projects, not in whom it speaks for. */
export function requireNarrower(by: Principal, grant: Grant): void {
  const scope = grant.scopes.find((wanted) => !grantsPattern(by.scopes, wanted));
  if (scope !== undefined) throw identityErrors.grant_too_wide({ pointer: '/scopes', details: { scope } });
  if (grant.projects === 'all') {
    if (by.projects !== 'all') throw identityErrors.grant_too_wide({ pointer: '/projects' });
  } else if (!grant.projects.every((projectId) => canSeeProject(by, projectId))) {
    throw identityErrors.project_not_found({ pointer: '/projects' });
  }
  const voice = grant.speaksFor.find((wanted) => !mayLend(by, wanted));
  if (voice !== undefined) {
    throw identityErrors.grant_too_wide({
      message: `This credential does not speak for ${voice}, so it cannot grant that.`,
      pointer: '/speaks_for',
      details: { speaks_for: voice },
    });
  }
}

/** Nor one that outlasts it: an expiry that its own key can be rid of is none. */
export function requireNoLonger(
  { expires }: { readonly expires?: { readonly micros: Micros } | undefined },
  { expiresMicros }: Source,
): void {
  if (expiresMicros === null || (expires && expires.micros <= expiresMicros)) return;
  const ends = formatMicros(expiresMicros);
  throw identityErrors.grant_too_wide({
    message: `This credential ends at ${ends}, and what it makes cannot outlast it.`,
    next: 'Give an expiry that is no later, or use a key that lasts longer.',
    pointer: '/expires_at',
    details: { expires_at: ends },
  });
}

/** An id may hold a star of its own; as a pattern it would then mean more than that one actor. */
function mayLend(by: Principal, wanted: string): boolean {
  if (by.speaksFor.some((held) => globCovers(held, wanted))) return true;
  return wanted === by.actor.id && !/[*?]/.test(wanted);
}

/**
 * What only a person may give away. An agent that manages keys must not make a person, who could then approve its own
 * requests; and to let a key speak for others is to say whose work it is, which takes someone at the keyboard.
 */
export function requirePersonFor(by: Principal, grant: Grant): void {
  if (grant.actor.type === 'human' && !mayMakePerson(by, grant.actor.id)) {
    throw identityErrors.grant_too_wide({
      message: 'Only the owner can create keys for other people.',
      pointer: '/actor_id',
    });
  }
  // A name of one's own choosing would have limits of its own, and one that is taken is somebody else's.
  if (by.actor.type !== 'human' && !mayActAs(by, grant.actor.id)) {
    throw identityErrors.grant_too_wide({
      message: 'An agent can create keys only for itself and for those it speaks for.',
      pointer: '/actor_id',
    });
  }
  if (grant.speaksFor.length > 0 && !(by.actor.type === 'human' && by.present)) {
    throw identityErrors.presence_required({
      message: 'Only a person who is present can let a key speak for others.',
      pointer: '/speaks_for',
    });
  }
}

function mayMakePerson(by: Principal, actorId: string): boolean {
  return isOwner(by) || (by.actor.type === 'human' && by.actor.id === actorId);
}
