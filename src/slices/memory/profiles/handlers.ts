import { writeJson } from '../../../kernel/json/write.ts';
import { requireProject } from '../../../spine/identity/access.ts';
import { type Handlers, JsonText } from '../../../spine/operations/handler.ts';
import { requireObject } from '../consent/access.ts';
import { createEntrance } from '../profile-access.ts';
import type { MemoryService } from '../slice.ts';
import { DONE, profileBody } from '../views.ts';
import type { profileOperations } from './operations.ts';
import { type Profile, updateSettings } from './store.ts';

export function createProfileHandlers(service: MemoryService): Handlers<typeof profileOperations> {
  const { profiles, transfer } = service;
  const { ownProfile } = createEntrance(service);

  return {
    'memory.profile.create': async (uow, { input: { body }, principal }) => {
      requireProject(principal, principal.defaultProject);
      const made = { did: body.did, displayName: body.display_name, template: body.template };
      return { body: profileBody(await profiles.create(uow, principal, made)) };
    },
    'memory.profile.list': async (reader, { principal }) => ({
      body: { profiles: (await profiles.list(reader, principal)).map(profileBody) },
    }),
    'memory.profile.settings': async (uow, { input: { query, body }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      await updateSettings(uow, profile.did, { ...profile.settings, ...(body as Profile['settings']) });
      await service.tell(uow, profile, {
        type: 'memory.settings_changed',
        actor: principal.actor,
        payload: { settings: Object.keys(body) },
        webhook: 'profile.updated',
        subject: { type: 'profile', id: profile.did },
      });
      return DONE;
    },
    'memory.profile.export': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const document = await transfer.exportProfile(
        reader,
        profile,
        query.shape ?? 'written',
        query.sections,
      );
      return { body: new JsonText(writeJson(document)) };
    },
    'memory.profile.import': async (uow, { document, principal }) => {
      requireProject(principal, principal.defaultProject);
      const { profile, ...counts } = await transfer.importProfile(
        uow,
        principal,
        requireObject(document?.value),
      );
      return { body: { did: profile.did, ...counts } };
    },
    'memory.import': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      const given =
        body.format === 'mem0'
          ? ({ format: 'mem0', value: body.export } as const)
          : ({ format: 'markdown', files: body.files ?? [] } as const);
      return { body: await transfer.importForeign(uow, profile, principal.actor, given) };
    },
  };
}
