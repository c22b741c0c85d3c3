import { isActorId } from '../../kernel/actor-id.ts';
import { canSeeProject, speaksFor } from '../../spine/identity/access.ts';
import { identityErrors } from '../../spine/identity/errors.ts';
import type { Actor, Principal } from '../../spine/identity/principal.ts';
import { requireStoredProject } from '../../spine/identity/projects/project-store.ts';
import { grantsScope } from '../../spine/identity/scopes.ts';
import { voiceFault } from '../../spine/identity/voice.ts';
import type { Reader } from '../../spine/storage/database.ts';
import { contextErrors } from './errors.ts';

/** Importers may bring in what others made; everybody else acts under their own name, or one that they speak for. */
export function requireActor(principal: Principal, named: Actor, pointer: string): void {
  if (sameActor(principal.actor, named)) return;
  if (speaksFor(principal, named.id) || grantsScope(principal.scopes, 'import')) {
    if (!isActorId(named.id)) throw identityErrors.invalid_actor_id({ pointer: `${pointer}/id` });
    return;
  }
  throw contextErrors.actor_mismatch(voiceFault(principal, named.id, pointer));
}

export function sameActor(a: Actor, b: Actor): boolean {
  return a.id === b.id && a.type === b.type;
}

export async function requireReadableProject(reader: Reader, principal: Principal, projectId: string) {
  if (!canSeeProject(principal, projectId)) throw identityErrors.project_not_found();
  return requireStoredProject(reader, projectId);
}
