import { writeLargeJson } from '../../../kernel/json/write.ts';
import { requireProject } from '../../../spine/identity/access.ts';
import { type Handlers, JsonText } from '../../../spine/operations/handler.ts';
import { requireObject } from '../documents.ts';
import type { MemoryDeps } from '../ports.ts';
import { ownProfile } from '../profile-access.ts';
import { exportProfile } from './export.ts';
import { importForeign } from './import-foreign.ts';
import { importProfile } from './import-profile.ts';
import type { transferOperations } from './operations.ts';

export function createTransferHandlers(deps: MemoryDeps): Handlers<typeof transferOperations> {
  return {
    'memory.profile.export': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, deps, principal, query.profile);
      const document = await exportProfile(reader, deps, profile, query);
      return { body: new JsonText(await writeLargeJson(document, () => reader.giveTurn())) };
    },
    'memory.profile.import': async (uow, { document, principal }) => {
      requireProject(principal, principal.defaultProject);
      return { body: await importProfile(uow, deps, principal, requireObject(document?.value)) };
    },
    'memory.import': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, deps, principal, body.profile);
      const source =
        body.format === 'mem0'
          ? ({ format: 'mem0', value: body.export } as const)
          : ({ format: 'markdown', files: body.files ?? [] } as const);
      return { body: await importForeign(uow, deps, profile, principal.actor, source) };
    },
  };
}
