import { canSeeProject, isOwner, speaksFor } from '../../spine/identity/access.ts';
import type { Actor, Principal } from '../../spine/identity/principal.ts';
import { grantsScope } from '../../spine/identity/scopes.ts';
import { voiceFault } from '../../spine/identity/voice.ts';
import type { Reader } from '../../spine/storage/database.ts';
import { agentGrant } from './consent/grants.ts';
import { localDid } from './did.ts';
import { memoryErrors } from './errors.ts';
import type { MemoryDeps } from './ports.ts';
import { type Profile, selectProfile, selectProfiles } from './profiles/store.ts';

/** Who makes a request about a profile: its person (or someone who acts for them), or an agent. */
export interface Caller {
  readonly role: 'owner' | 'agent';
  readonly did: string;
  readonly actor: Actor;
}

export interface AccessedProfile {
  readonly profile: Profile;
  readonly caller: Caller;
}

/**
 * The profile a request is about: the one named, or that of the caller's project, which is no secret to those who
 * work there. A named DID that nobody has takes the same queries to the same error as one that shares nothing.
 */
export async function accessProfile(
  reader: Reader,
  deps: Pick<MemoryDeps, 'clock'>,
  principal: Principal,
  did?: string,
  named?: string,
): Promise<AccessedProfile> {
  const agentDid = speakerOf(principal, named);
  if (did === undefined) {
    const profile = await projectProfile(reader, principal);
    return { profile, caller: callerOf(principal, profile, agentDid) };
  }
  const profile = await visibleProfile(reader, principal, did);
  const caller = profile && callerOf(principal, profile, agentDid);
  if (profile && caller?.role === 'owner') return { profile, caller };
  const { grant } = await agentGrant(reader, did, agentDid, deps.clock.now());
  if (!profile || !caller || grant.permissions.size === 0) throw memoryErrors.A2P004();
  return { profile, caller };
}

/** The same, for what only the person may do. */
export async function ownProfile(
  reader: Reader,
  deps: Pick<MemoryDeps, 'clock'>,
  principal: Principal,
  did?: string,
): Promise<Profile> {
  const { profile, caller } = await accessProfile(reader, deps, principal, did);
  requireOwner(caller);
  return profile;
}

/** The profile of a DID, if this caller may know that it exists. */
export async function visibleProfile(
  reader: Reader,
  principal: Principal,
  did: string,
): Promise<Profile | undefined> {
  const profile = await selectProfile(reader, did);
  return profile && isReachable(principal, profile) ? profile : undefined;
}

export async function listOwnProfiles(reader: Reader, principal: Principal): Promise<Profile[]> {
  const profiles = await selectProfiles(reader, principal.defaultProject);
  return profiles.filter((profile) => ownsProfile(principal, profile));
}

/** The caller's own profile in the project; otherwise the project's first. */
async function projectProfile(reader: Reader, principal: Principal): Promise<Profile> {
  const profiles = await selectProfiles(reader, principal.defaultProject);
  const found = profiles.find(({ ownerActor }) => ownerActor === principal.actor.id) ?? profiles[0];
  if (!found || !isReachable(principal, found)) throw memoryErrors.memory_profile_missing();
  return found;
}

function callerOf(principal: Principal, profile: Profile, agentDid: string): Caller {
  const { actor } = principal;
  const speaksForItself = agentDid === agentDidOf(actor) || agentDid === profile.did;
  if (speaksForItself && ownsProfile(principal, profile)) return { role: 'owner', did: profile.did, actor };
  return { role: 'agent', did: agentDid, actor };
}

/**
 * The DID that a request is from: the credential's own, or one that it names and speaks for, by that DID or by the name
 * that it has on this server. The actor stays the credential's, so that both are on record.
 */
function speakerOf(principal: Principal, named: string | undefined, pointer = '/agentDid'): string {
  const own = agentDidOf(principal.actor);
  if (named === undefined || named === own) return own;
  const name = /^did:a2p:agent:local:(.+)$/.exec(named)?.[1];
  if (speaksFor(principal, named) || (name !== undefined && speaksFor(principal, name))) return named;
  throw memoryErrors.A2P002(voiceFault(principal, named, pointer));
}

/** People register agents and their keys; an agent only itself and those it speaks for, or it could sign as another. */
export function requireVouch(principal: Principal, did: string): void {
  if (principal.actor.type !== 'human') speakerOf(principal, did, '/did');
}

export function agentDidOf(actor: Actor): string {
  return localDid(actor.type === 'human' ? 'user' : 'agent', actor.id);
}

export function ownsProfile(principal: Principal, profile: Profile): boolean {
  const { actor } = principal;
  if (actor.type !== 'human' || !grantsScope(principal.scopes, 'memory:own')) return false;
  return (keepsProfile(actor, profile) || isOwner(principal)) && isReachable(principal, profile);
}

/** The person themselves, or one of their delegates. */
export function keepsProfile(actor: Actor, { ownerActor, settings }: Profile): boolean {
  return actor.id === ownerActor || settings.delegates?.includes(actor.id) === true;
}

/** A signed request is bound to no project: only consent decides what it reaches. */
function isReachable(principal: Principal, profile: Profile): boolean {
  return principal.credential.kind === 'signature' || canSeeProject(principal, profile.projectId);
}

/**
 * On this server a local DID belongs to the actor of that name; its owner may claim any. The refusal is the same
 * whether or not the DID is taken, so that nobody can probe for it. DIDs of other places are accepted as given.
 */
export function requireClaim(principal: Principal, did: string, pointer: string): void {
  const own = localDid('user', principal.actor.id);
  const local = /^did:a2p:\w+:local:/.test(did);
  if (!local || isOwner(principal) || did === own) return;
  throw memoryErrors.A2P002({
    message: 'On this server, that DID can only be claimed by someone else.',
    next: `Use your own DID, ${own}, or ask the owner of the server to create the profile.`,
    pointer,
  });
}

export function requireOwner(caller: Caller): void {
  if (caller.role !== 'owner') throw memoryErrors.A2P002();
}
