import { toHex } from '../../../kernel/hex.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Actor, Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { applyTemplate } from '../consent/policies.ts';
import type { PolicyTemplate } from '../consent/rules/policy-templates.ts';
import { localDid, requireDid } from '../did.ts';
import { memoryErrors } from '../errors.ts';
import { recordEvent } from '../events.ts';
import type { MemoryDeps } from '../ports.ts';
import { requireClaim } from '../profile-access.ts';
import { insertProfile, type Profile, putProfileDocument, updateSettings } from './store.ts';

export interface NewProfile {
  /** Made from the actor's name unless given. */
  readonly did?: string | undefined;
  readonly displayName?: string | undefined;
  /** The policies to begin with; agents may only propose unless given. */
  readonly template?: PolicyTemplate | 'none' | undefined;
  /** The caller's own unless given. */
  readonly projectId?: string | undefined;
}

export async function createProfile(
  uow: UnitOfWork,
  deps: MemoryDeps,
  principal: Principal,
  given: NewProfile,
): Promise<Profile> {
  const { actor, defaultProject } = principal;
  const { did = localDid('user', actor.id), displayName, template = 'propose_only' } = given;
  const home = { actor, defaultProject: given.projectId ?? defaultProject };
  requireDid(did, '/did', deps.settings?.lenient ? { lenient: true } : {});
  requireClaim(principal, did, '/did');
  const at = formatMillis(deps.clock.now());
  const profile = await insertNewProfile(uow, deps, home, did, {
    id: did,
    version: '0.1.0',
    profileType: 'human',
    created: at,
    updated: at,
    identity: { did, ...(displayName !== undefined && { displayName }) },
  });
  if (template !== 'none') await applyTemplate(uow, deps, profile, actor, template);
  return profile;
}

/** A profile without policies, in the caller's project; whether they may claim the DID has been checked before. */
export async function insertNewProfile(
  uow: UnitOfWork,
  deps: MemoryDeps,
  { actor, defaultProject }: Pick<Principal, 'actor' | 'defaultProject'>,
  did: string,
  document: JsonObject,
): Promise<Profile> {
  const { clock, random } = deps;
  const now = clock.now();
  const profile: Profile = {
    did,
    projectId: defaultProject,
    profileType: typeof document.profileType === 'string' ? document.profileType : 'human',
    ownerActor: actor.id,
    declinedKey: random.bytes(32),
    settings: {},
    createdAt: formatMillis(now),
  };
  if (!(await insertProfile(uow, profile, now))) throw memoryErrors.memory_profile_exists();
  await putProfileDocument(uow, did, document, toHex(random.bytes(16)));
  await recordEvent(uow, deps, profile, {
    type: 'memory.profile_created',
    actor,
    payload: { profile_type: profile.profileType },
  });
  return profile;
}

/** Settings that are not given stay as they are. */
export async function changeSettings(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  changes: Profile['settings'],
): Promise<void> {
  await updateSettings(uow, profile.did, { ...profile.settings, ...changes });
  await recordEvent(uow, deps, profile, {
    type: 'memory.settings_changed',
    actor,
    payload: { settings: Object.keys(changes) },
    webhook: 'profile.updated',
    subject: { type: 'profile', id: profile.did },
  });
}
