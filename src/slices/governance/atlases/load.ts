import { formatMicros } from '../../../kernel/instant.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import type { Json } from '../../../kernel/json/value.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { governanceErrors } from '../errors.ts';
import { schemaProblem } from '../execution/parameter-check.ts';
import type { GovernanceDeps } from '../ports.ts';
import { type Atlas, type AtlasMode, atlasOf } from './rules/atlas.ts';
import { fits } from './rules/dependencies.ts';
import { takeInlineFiles } from './rules/inline-files.ts';
import { type Finding, finding, lintManifest } from './rules/lint.ts';
import { parseManifest } from './rules/parse.ts';
import type { AtlasSummary } from './schema.ts';
import type { AtlasSets } from './sets.ts';
import { type AtlasLoad, insertLoad, keepContent, markUnloaded, selectActiveLoads } from './store.ts';

export interface CheckedAtlas {
  /** Missing where an error stands against it. */
  readonly atlas: Atlas | undefined;
  readonly findings: readonly Finding[];
}

/** Everything that can be said of a manifest by itself. */
export function checkManifest(deps: Pick<GovernanceDeps, 'hasher' | 'settings'>, value: Json): CheckedAtlas {
  const parsed = parseManifest(toPlain(value), deps.settings?.lenientAtlases ? 'lenient' : 'strict');
  if (!parsed.ok) {
    return {
      atlas: undefined,
      findings: parsed.issues.map((issue) => ({
        ...finding('schema', [], issue.message),
        pointer: issue.pointer,
      })),
    };
  }
  const { manifest, files, problem } = takeInlineFiles(parsed.manifest);
  const leaving = problem
    ? [{ ...finding('path_escape', [], problem.message), pointer: problem.pointer }]
    : [];
  const findings = [...leaving, ...lintManifest(manifest, { files: new Set(files.keys()), schemaProblem })];
  const wrong = findings.some(({ severity }) => severity === 'error');
  return {
    atlas: wrong ? undefined : atlasOf(deps.hasher, { manifest, files, blocks: parsed.blocks }),
    findings,
  };
}

export interface Atlases {
  load(uow: UnitOfWork, principal: Principal, value: Json, mode: AtlasMode): Promise<AtlasSummary>;
  unload(uow: UnitOfWork, principal: Principal, atlasId: string): Promise<void>;
  list(reader: Reader, projectId: string): Promise<AtlasSummary[]>;
  get(
    reader: Reader,
    projectId: string,
    atlasId: string,
  ): Promise<{ readonly load: AtlasLoad; readonly atlas: Atlas }>;
}

export function createAtlases(deps: GovernanceDeps, sets: AtlasSets): Atlases {
  async function contentOf(reader: Reader, load: AtlasLoad): Promise<Atlas> {
    const atlas = await sets.content(reader, load.digest);
    if (!atlas) throw new Error(`the content of Atlas ${load.digest} is missing`);
    return atlas;
  }

  return {
    async load(uow, principal, value, mode) {
      const { atlas, findings } = checkManifest(deps, value);
      const first = findings.find(({ severity }) => severity === 'error');
      if (!atlas) {
        throw governanceErrors.invalid_atlas_manifest({
          message: `${first?.message ?? 'Invalid'} at ${first?.pointer || 'the top'} of the manifest.`,
          pointer: first?.pointer ?? '',
          details: { issues: findings.filter(({ severity }) => severity === 'error').slice(0, 20) },
        });
      }
      const { atlas_id: atlasId, version } = atlas.manifest;
      const projectId = principal.defaultProject;
      await uow.lock(`atlases:${projectId}`);
      const active = await selectActiveLoads(uow, projectId);
      if (active.some((each) => each.atlasId === atlasId && each.version === version)) {
        throw governanceErrors.atlas_already_loaded({
          pointer: '/version',
          details: { atlas_id: atlasId, version },
        });
      }
      const others = active.filter((each) => each.atlasId !== atlasId);
      requireDependencies(atlas, others);
      for (const other of others) requireNoConflict(atlas, await contentOf(uow, other));
      const now = deps.clock.now();
      const replaced = await markUnloaded(uow, projectId, atlasId, now);
      await keepContent(uow, atlas);
      const at = formatMicros(now);
      await insertLoad(uow, { projectId, atlas, mode, at, micros: now, by: principal.actor.id });
      await deps.record(uow, {
        projectId,
        actor: principal.actor,
        type: 'atlas.loaded',
        payload: { atlas_id: atlasId, version, digest: atlas.digest, mode, replaced },
      });
      const warnings = findings
        .filter(({ severity }) => severity === 'warning')
        .map(({ message }) => message);
      const summary = summaryOf(atlas, { mode, loadedAt: at });
      return warnings.length > 0 ? { ...summary, warnings } : summary;
    },

    async unload(uow, principal, atlasId) {
      const projectId = principal.defaultProject;
      await uow.lock(`atlases:${projectId}`);
      if (!(await markUnloaded(uow, projectId, atlasId, deps.clock.now()))) {
        throw governanceErrors.atlas_not_found({ details: { atlas_id: atlasId } });
      }
      await deps.record(uow, {
        projectId,
        actor: principal.actor,
        type: 'atlas.unloaded',
        payload: { atlas_id: atlasId },
      });
    },

    async list(reader, projectId) {
      const loads = await selectActiveLoads(reader, projectId);
      const summaries: AtlasSummary[] = [];
      for (const load of loads) summaries.push(summaryOf(await contentOf(reader, load), load));
      return summaries;
    },

    async get(reader, projectId, atlasId) {
      const load = (await selectActiveLoads(reader, projectId)).find((each) => each.atlasId === atlasId);
      if (!load) throw governanceErrors.atlas_not_found({ details: { atlas_id: atlasId } });
      return { load, atlas: await contentOf(reader, load) };
    },
  };
}

function requireDependencies(atlas: Atlas, loaded: readonly AtlasLoad[]): void {
  for (const [id, range] of Object.entries(atlas.manifest.dependencies ?? {})) {
    const found = loaded.find(({ atlasId }) => atlasId === id);
    if (found && fits(found.version, range)) continue;
    throw governanceErrors.atlas_dependency_missing({
      message: `The Atlas needs ${id} ${range}, ${found ? `and ${found.version} is loaded` : 'which is not loaded'}.`,
      pointer: `/dependencies/${id}`,
      details: { atlas_id: id, range, loaded: found?.version ?? null },
    });
  }
}

function requireNoConflict(atlas: Atlas, other: Atlas): void {
  const taken = new Set((other.manifest.actions ?? []).map((each) => each.action_id));
  for (const [at, { action_id: actionId }] of (atlas.manifest.actions ?? []).entries()) {
    if (!taken.has(actionId)) continue;
    throw governanceErrors.action_conflict({
      message: `${other.manifest.atlas_id} defines the action ${actionId} already.`,
      pointer: `/actions/${at}/action_id`,
      details: { action_id: actionId, atlas_id: other.manifest.atlas_id },
    });
  }
}

function summaryOf(
  atlas: Atlas,
  load: { readonly mode: AtlasMode; readonly loadedAt: string },
): AtlasSummary {
  const { manifest } = atlas;
  return {
    atlas_id: manifest.atlas_id,
    version: manifest.version,
    name: manifest.name,
    description: manifest.description,
    domains: manifest.domains ?? [],
    action_count: (manifest.actions ?? []).length,
    policy_count: (manifest.policies ?? []).length,
    digest: atlas.digest,
    mode: load.mode,
    loaded_at: load.loadedAt,
  };
}
