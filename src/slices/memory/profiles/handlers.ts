import { chosenProject } from '../../../spine/identity/access.ts';
import { requireActiveProject } from '../../../spine/identity/projects/project-store.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { MemoryDeps } from '../ports.ts';
import { listOwnProfiles, ownProfile } from '../profile-access.ts';
import { DONE } from '../schema.ts';
import { changeSettings, createProfile } from './create.ts';
import type { profileOperations } from './operations.ts';
import type { Profile } from './store.ts';

export function createProfileHandlers(deps: MemoryDeps): Handlers<typeof profileOperations> {
  return {
    'memory.profile.create': async (uow, { input: { body }, principal }) => {
      const { did, display_name: displayName, template, project_id: named } = body;
      const projectId = chosenProject(principal, named);
      if (named !== undefined) await requireActiveProject(uow, projectId);
      const profile = await createProfile(uow, deps, principal, { did, displayName, template, projectId });
      return { body: profileBody(profile) };
    },
    'memory.profile.list': async (reader, { principal }) => ({
      body: { profiles: (await listOwnProfiles(reader, principal)).map(profileBody) },
    }),
    'memory.profile.settings': async (uow, { input: { query, body }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, query.profile);
      await changeSettings(uow, deps, profile, principal.actor, body as Profile['settings']);
      return DONE;
    },
  };
}

const profileBody = (profile: Profile) => ({
  did: profile.did,
  project_id: profile.projectId,
  profile_type: profile.profileType,
  owner: profile.ownerActor,
  created_at: profile.createdAt,
});
