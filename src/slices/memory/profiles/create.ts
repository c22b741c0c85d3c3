import { toHex } from '../../../kernel/hex.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import type { Actor, Principal } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { isReachable, ownsProfile, requireClaim } from '../caller.ts';
import type { Consent } from '../consent/access.ts';
import type { PolicyTemplate } from '../consent/rules/policy-templates.ts';
import { localDid, requireDid } from '../did.ts';
import { memoryErrors } from '../errors.ts';
import type { Tell } from '../event-recorder.ts';
import type { MemoryDeps } from '../ports.ts';
import { PROFILE_REF, putText, selectText } from '../text-store.ts';
import { insertProfile, type Profile, selectProfile, selectProfiles } from './store.ts';

export interface NewProfile {
  readonly did?: string | undefined;
  readonly displayName?: string | undefined;
  readonly profileType?: string | undefined;
  readonly template?: PolicyTemplate | 'none' | undefined;
}

export type Profiles = ReturnType<typeof createProfiles>;

export function createProfiles(deps: MemoryDeps, parts: { tell: Tell; consent: Consent }) {
  const { clock, random, settings = {} } = deps;
  const { tell, consent } = parts;

  async function insert(
    uow: UnitOfWork,
    projectId: string,
    actor: Actor,
    did: string,
    document: JsonObject,
  ): Promise<Profile> {
    const now = clock.now();
    const profile: Profile = {
      did,
      projectId,
      profileType: typeof document.profileType === 'string' ? document.profileType : 'human',
      ownerActor: actor.id,
      declinedKey: random.bytes(32),
      settings: {},
      createdAt: formatMillis(now),
    };
    if (!(await insertProfile(uow, profile, now))) throw memoryErrors.memory_profile_exists();
    await putText(uow, did, { ref: PROFILE_REF, salt: toHex(random.bytes(16)), body: writeJson(document) });
    await tell(uow, profile, {
      type: 'memory.profile_created',
      actor,
      payload: { profile_type: profile.profileType },
    });
    return profile;
  }

  return {
    insert,

    async create(uow: UnitOfWork, principal: Principal, made: NewProfile): Promise<Profile> {
      const { actor } = principal;
      const did = made.did ?? localDid('user', actor.id);
      requireDid(did, '/did', settings.lenient ? { lenient: true } : {});
      requireClaim(principal, did, '/did');
      const at = formatMillis(clock.now());
      const profile = await insert(uow, principal.defaultProject, actor, did, {
        id: did,
        version: '0.1.0',
        profileType: made.profileType ?? 'human',
        created: at,
        updated: at,
        identity: { did, ...(made.displayName !== undefined && { displayName: made.displayName }) },
      });
      const { template = 'propose_only' } = made;
      if (template !== 'none') await consent.applyTemplate(uow, profile, actor, template);
      return profile;
    },

    /** The profile of a DID, if this caller may know that it exists. */
    async visible(reader: Reader, principal: Principal, did: string): Promise<Profile | undefined> {
      const profile = await selectProfile(reader, did);
      return profile && isReachable(principal, profile) ? profile : undefined;
    },

    /** The project's own: the caller's where there is one. */
    async ofProject(reader: Reader, principal: Principal): Promise<Profile> {
      const profiles = await selectProfiles(reader, principal.defaultProject);
      const found = profiles.find(({ ownerActor }) => ownerActor === principal.actor.id) ?? profiles[0];
      if (!found || !isReachable(principal, found)) throw memoryErrors.memory_profile_missing();
      return found;
    },

    async list(reader: Reader, principal: Principal): Promise<Profile[]> {
      const profiles = await selectProfiles(reader, principal.defaultProject);
      return profiles.filter((profile) => ownsProfile(principal, profile));
    },

    async replaceDocument(uow: UnitOfWork, profile: Profile, document: JsonObject): Promise<void> {
      const salt = (await selectText(uow, profile.did, PROFILE_REF))?.salt ?? toHex(random.bytes(16));
      await putText(uow, profile.did, { ref: PROFILE_REF, salt, body: writeJson(document) });
    },

    async document(reader: Reader, profile: Profile): Promise<JsonObject> {
      const text = await selectText(reader, profile.did, PROFILE_REF);
      return text
        ? (readJson(text.body) as JsonObject)
        : { id: profile.did, version: '0.1.0', profileType: profile.profileType };
    },
  };
}
