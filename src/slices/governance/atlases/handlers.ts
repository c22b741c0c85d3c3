import { withWorkDone } from '../../../platform/bounded-work/work-needed.ts';
import { chosenProject } from '../../../spine/identity/access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { GovernanceDeps } from '../ports.ts';
import { answerType, MEDIA_TYPES } from '../schema.ts';
import { analyzeAtlasTask } from './judged-atlas.ts';
import { getAtlas, listAtlases, loadAtlas, unloadAtlas } from './load.ts';
import type { atlasOperations } from './operations.ts';
import { withInlineFiles } from './rules/context-files.ts';

export function createAtlasHandlers(deps: GovernanceDeps): Handlers<typeof atlasOperations> {
  return {
    'atlas.list': async (reader, { input, principal }) => {
      const items = await listAtlases(reader, deps, chosenProject(principal, input.query.project));
      return { body: input.query.envelope ? { items, total: items.length } : items };
    },

    'atlas.load': async (uow, { input, principal, document }) => {
      const { project, mode = 'enforce', guardrail } = input.query;
      const projectId = chosenProject(principal, project);
      const load = { projectId, manifest: document?.value ?? null, mode, guardrail };
      return { body: await loadAtlas(uow, deps, principal, load) };
    },

    'atlas.get': async (reader, { input, principal }) => {
      const projectId = chosenProject(principal, input.query.project);
      const { manifest, files } = await getAtlas(reader, deps, projectId, input.path.atlas_id);
      return {
        body: withInlineFiles(manifest, files),
        headers: answerType(input.headers.accept, MEDIA_TYPES.atlas),
      };
    },

    'atlas.unload': async (uow, { input, principal }) => {
      const projectId = chosenProject(principal, input.query.project);
      await unloadAtlas(uow, deps, principal, projectId, input.path.atlas_id);
      return { body: null };
    },

    'atlas.check': async ({ document }) => {
      const { atlas, findings } = await withWorkDone(deps.work, async () =>
        deps.checkAtlas(document?.value ?? null),
      );
      return { body: { loadable: atlas !== undefined, findings: findings.map((each) => ({ ...each })) } };
    },

    'atlas.analysis': async ({ input, principal }) => {
      const projectId = chosenProject(principal, input.query.project);
      const atlas = await deps.db.read((reader) => getAtlas(reader, deps, projectId, input.path.atlas_id));
      const { findings, complete } = await deps.work.run(analyzeAtlasTask, atlas);
      return { body: { findings: findings.map((each) => ({ ...each })), complete } };
    },
  };
}
