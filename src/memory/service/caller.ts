import { canSeeProject, isOwner } from '../../identity/access.ts';
import type { Actor, Principal } from '../../identity/principal.ts';
import { grantsScope } from '../../identity/scopes.ts';
import { memoryErrors } from '../errors.ts';
import { localDid } from '../rules/did.ts';
import type { Profile } from '../store/profile-store.ts';

/** Who asks something of a profile: the person it is about (or who acts for them), or an agent. */
export interface Caller {
  readonly role: 'owner' | 'agent';
  readonly did: string;
  readonly actor: Actor;
}

export function callerOf(principal: Principal, profile: Profile): Caller {
  const { actor } = principal;
  if (ownsProfile(principal, profile)) return { role: 'owner', did: profile.did, actor };
  return { role: 'agent', did: agentDidOf(actor), actor };
}

export function agentDidOf(actor: Actor): string {
  return localDid(actor.type === 'human' ? 'user' : 'agent', actor.id);
}

export function ownsProfile(principal: Principal, profile: Profile): boolean {
  const { actor } = principal;
  if (actor.type !== 'human' || !grantsScope(principal.scopes, 'memory:own')) return false;
  const named = actor.id === profile.ownerActor || profile.settings.delegates?.includes(actor.id) === true;
  return (named || isOwner(principal)) && isReachable(principal, profile);
}

/** A signed request is not bound to a project: what it reaches is a matter of consent alone. */
export function isReachable(principal: Principal, profile: Profile): boolean {
  return principal.credential.kind === 'signature' || canSeeProject(principal, profile.projectId);
}

export function requireOwner(caller: Caller): void {
  if (caller.role !== 'owner') throw memoryErrors.A2P002();
}
