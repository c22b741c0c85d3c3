import { canSeeProject, isOwner } from '../../spine/identity/access.ts';
import type { Actor, Principal } from '../../spine/identity/principal.ts';
import { grantsScope } from '../../spine/identity/scopes.ts';
import { localDid } from './did.ts';
import { memoryErrors } from './errors.ts';
import type { Profile } from './profiles/store.ts';

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

/**
 * The names of this server belong to those who are known by them; its owner may give any. Refused alike whether or not
 * the DID is taken, so that nobody learns it by asking. A DID of elsewhere is taken at its word.
 */
export function requireClaim(principal: Principal, did: string, pointer: string): void {
  const own = localDid('user', principal.actor.id);
  const local = /^did:a2p:\w+:local:/.test(did);
  if (!local || isOwner(principal) || did === own) return;
  throw memoryErrors.A2P002({
    message: 'On this server that DID is for somebody else to claim.',
    next: `Use ${own}, which is yours, or let the owner of the server make it.`,
    pointer,
  });
}

export function requireOwner(caller: Caller): void {
  if (caller.role !== 'owner') throw memoryErrors.A2P002();
}
