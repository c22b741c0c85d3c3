import { formatMicros } from '../../../kernel/instant.ts';
import type { Json } from '../../../kernel/json/value.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { governanceErrors } from '../errors.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { Atlas, AtlasMode } from './rules/atlas.ts';
import { fits } from './rules/dependencies.ts';
import type { AtlasSummary } from './schema.ts';
import { type AtlasLoad, insertLoad, keepContent, markUnloaded, selectActiveLoads } from './store.ts';

/** Replaces another version of the same id; the same version twice is refused. */
export async function loadAtlas(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  load: { readonly projectId: string; readonly manifest: Json; readonly mode: AtlasMode },
): Promise<AtlasSummary> {
  const { projectId, mode } = load;
  const { atlas, findings } = deps.checkAtlas(load.manifest);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (!atlas) {
    throw governanceErrors.invalid_atlas_manifest({
      message: `${errors[0]?.message ?? 'Invalid'} at ${errors[0]?.pointer || 'the top'} of the manifest.`,
      pointer: errors[0]?.pointer ?? '',
      details: { issues: errors.slice(0, 20) },
    });
  }
  const { atlas_id: atlasId, version } = atlas.manifest;
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
  for (const other of others) requireNoConflict(atlas, await deps.sets.content(uow, other.digest));
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
  const warnings = findings.filter(({ severity }) => severity === 'warning').map(({ message }) => message);
  const summary = summaryOf(atlas, { mode, loadedAt: at });
  return warnings.length > 0 ? { ...summary, warnings } : summary;
}

export async function unloadAtlas(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  projectId: string,
  atlasId: string,
): Promise<void> {
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
}

export async function listAtlases(
  reader: Reader,
  { sets }: GovernanceDeps,
  projectId: string,
): Promise<AtlasSummary[]> {
  const summaries: AtlasSummary[] = [];
  for (const load of await selectActiveLoads(reader, projectId)) {
    summaries.push(summaryOf(await sets.content(reader, load.digest), load));
  }
  return summaries;
}

/** The version that is loaded now. */
export async function getAtlas(
  reader: Reader,
  { sets }: GovernanceDeps,
  projectId: string,
  atlasId: string,
): Promise<Atlas> {
  const load = (await selectActiveLoads(reader, projectId)).find((each) => each.atlasId === atlasId);
  if (!load) throw governanceErrors.atlas_not_found({ details: { atlas_id: atlasId } });
  return sets.content(reader, load.digest);
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
      message: `${other.manifest.atlas_id} already defines the action ${actionId}.`,
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
