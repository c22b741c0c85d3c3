import type { Clock } from '../../kernel/clock.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import type { Reader } from '../../spine/storage/database.ts';
import { agentDidOf, type Caller, callerOf, requireOwner } from './caller.ts';
import { agentGrant } from './consent/grants.ts';
import { memoryErrors } from './errors.ts';
import type { Profiles } from './profiles/create.ts';
import type { Profile } from './profiles/store.ts';

export interface Entered {
  readonly profile: Profile;
  readonly caller: Caller;
}

/**
 * The way into a profile. A DID that nobody has goes the same way, by the same queries, to the same answer as one that
 * shares nothing; the profile of the project itself is no secret to those who work in it.
 */
export function createEntrance({
  profiles,
  deps: { clock },
}: {
  readonly profiles: Profiles;
  readonly deps: { readonly clock: Clock };
}) {
  async function enter(reader: Reader, principal: Principal, did?: string): Promise<Entered> {
    if (did !== undefined) return enterNamed(reader, principal, did);
    const profile = await profiles.ofProject(reader, principal);
    return { profile, caller: callerOf(principal, profile) };
  }

  async function enterNamed(reader: Reader, principal: Principal, did: string): Promise<Entered> {
    const profile = await profiles.visible(reader, principal, did);
    const caller = profile && callerOf(principal, profile);
    if (profile && caller?.role === 'owner') return { profile, caller };
    const { grant } = await agentGrant(reader, did, agentDidOf(principal.actor), clock.now());
    if (!profile || !caller || grant.permissions.size === 0) throw memoryErrors.A2P004();
    return { profile, caller };
  }

  async function ownProfile(reader: Reader, principal: Principal, did?: string): Promise<Profile> {
    const { profile, caller } = await enter(reader, principal, did);
    requireOwner(caller);
    return profile;
  }

  return { enter, enterNamed, ownProfile };
}
