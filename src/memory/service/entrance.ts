import type { Principal } from '../../identity/principal.ts';
import type { Reader } from '../../storage/database.ts';
import type { Profile } from '../store/profile-store.ts';
import { type Caller, callerOf, requireOwner } from './caller.ts';
import type { Profiles } from './profiles.ts';

/** The way into a profile: whoever is neither its owner nor an agent of its project does not get here. */
export function createEntrance({ profiles }: { readonly profiles: Profiles }) {
  async function enter(
    reader: Reader,
    principal: Principal,
    did?: string,
  ): Promise<{ profile: Profile; caller: Caller }> {
    const profile = await profiles.choose(reader, principal, did);
    return { profile, caller: callerOf(principal, profile) };
  }

  async function ownProfile(reader: Reader, principal: Principal, did?: string): Promise<Profile> {
    const { profile, caller } = await enter(reader, principal, did);
    requireOwner(caller);
    return profile;
  }

  return { enter, ownProfile };
}
