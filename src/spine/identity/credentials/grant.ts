import type { Actor, CredentialRef, Principal } from '../principal.ts';
import { roles } from '../roles.ts';

/** What a credential grants. */
export interface Grant {
  readonly actor: Actor;
  readonly scopes: readonly string[];
  readonly projects: 'all' | readonly string[];
  readonly defaultProject: string;
  /** Glob patterns of the actor ids that it may name instead of its own. */
  readonly speaksFor: readonly string[];
}

/** A grant is read once and checked at every request. */
const scopeSets = new WeakMap<readonly string[], ReadonlySet<string>>();

function scopeSetOf(scopes: readonly string[], owner: boolean): ReadonlySet<string> {
  let known = scopeSets.get(scopes);
  if (known === undefined) {
    // An owner key made before `import` had to be named does not name it.
    known = new Set([...scopes, 'self', ...(owner ? roles.owner : [])]);
    scopeSets.set(scopes, known);
  }
  return known;
}

export function principalFrom(
  grant: Grant,
  credential: CredentialRef,
  { owner = false, present = false }: { readonly owner?: boolean; readonly present?: boolean } = {},
): Principal {
  return {
    actor: grant.actor,
    scopes: scopeSetOf(grant.scopes, owner),
    projects: grant.projects,
    defaultProject: grant.defaultProject,
    credential,
    owner,
    speaksFor: grant.speaksFor,
    present,
  };
}

export interface GrantColumns {
  readonly actor_id: string;
  readonly actor_type: Actor['type'];
  readonly scopes: string;
  readonly projects: string;
  readonly default_project: string;
  readonly speaks_for: string;
}

export function grantOf(row: GrantColumns): Grant {
  return {
    actor: { id: row.actor_id, type: row.actor_type },
    scopes: JSON.parse(row.scopes) as string[],
    projects: JSON.parse(row.projects) as 'all' | string[],
    defaultProject: row.default_project,
    speaksFor: JSON.parse(row.speaks_for) as string[],
  };
}

export function grantColumns(grant: Grant): GrantColumns {
  return {
    actor_id: grant.actor.id,
    actor_type: grant.actor.type,
    scopes: JSON.stringify(grant.scopes),
    projects: JSON.stringify(grant.projects),
    default_project: grant.defaultProject,
    speaks_for: JSON.stringify(grant.speaksFor),
  };
}
