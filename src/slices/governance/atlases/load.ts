import { formatMicros } from '../../../kernel/instant.ts';
import type { Json } from '../../../kernel/json/value.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { governanceErrors } from '../errors.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { CheckedAtlas } from './check.ts';
import type { Atlas, AtlasMode } from './rules/atlas.ts';
import { fits, isNewer } from './rules/dependencies.ts';
import { lintManifest } from './rules/lint.ts';
import { narrowed } from './rules/narrowed.ts';
import type { AtlasSummary } from './schema.ts';
import { type AtlasLoad, insertLoad, keepContent, markUnloaded, selectActiveLoads } from './store.ts';

export interface LoadRequest {
  readonly projectId: string;
  readonly manifest: Json;
  readonly mode: AtlasMode;
  /** Undefined leaves it as it is. */
  readonly guardrail?: boolean | undefined;
  /** Kept out of what is loaded for whoever names no Atlas; as the version that it replaces, unless given. */
  readonly byNameOnly?: boolean;
}

/** Replaces another version of the same id, or the same in another mode; the same version twice is refused. */
export async function loadAtlas(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Pick<Principal, 'actor'>,
  load: LoadRequest,
): Promise<AtlasSummary> {
  const { projectId, mode } = load;
  const checked = deps.checkAtlas(load.manifest);
  const atlas = requireSound(checked);
  const { findings } = checked;
  const { atlas_id: atlasId, version } = atlas.manifest;
  await uow.lock(`atlases:${projectId}`);
  const active = await selectActiveLoads(uow, projectId);
  const present = active.find((each) => each.atlasId === atlasId);
  const guardrail = load.guardrail ?? present?.guardrail ?? false;
  if (guardrail || (await isProtected(uow, deps, active, atlasId))) requirePerson(principal, atlasId);
  const changes = present && (present.mode !== mode || present.guardrail !== guardrail);
  if (present?.version === version && (present.digest !== atlas.digest || !changes)) {
    throw governanceErrors.atlas_already_loaded({
      pointer: '/version',
      details: { atlas_id: atlasId, version },
    });
  }
  const step = present && deps.versionStep(await deps.sets.content(uow, present.digest), atlas);
  if (step !== undefined && deps.settings.strictVersions) {
    throw governanceErrors.version_too_small({
      message: `${step}.`,
      pointer: '/version',
      details: { atlas_id: atlasId, version, loaded: present?.version ?? null },
    });
  }
  const others = active.filter((each) => each.atlasId !== atlasId);
  requireDependencies(atlas, others);
  const byNameOnly = load.byNameOnly ?? present?.byNameOnly ?? false;
  for (const other of others) {
    const content = await deps.sets.content(uow, other.digest);
    // Whoever names no Atlas must find one action for each id.
    if (!byNameOnly && !other.byNameOnly) requireNoConflict(atlas, content);
    requireFit(content, { atlasId, version });
  }
  const now = deps.clock.now();
  const replaced = await markUnloaded(uow, projectId, atlasId, now);
  await keepContent(uow, atlas);
  const at = formatMicros(now);
  const by = principal.actor.id;
  await insertLoad(uow, { projectId, atlas, mode, guardrail, at, micros: now, by, byNameOnly });
  await deps.record(uow, {
    projectId,
    actor: principal.actor,
    type: 'atlas.loaded',
    payload: {
      atlas_id: atlasId,
      version,
      digest: atlas.digest,
      mode,
      replaced,
      ...((guardrail || present?.guardrail) && { guardrail }),
    },
  });
  const warnings = findings.filter(({ severity }) => severity === 'warning').map(({ message }) => message);
  if (present && !isNewer(version, present.version))
    warnings.unshift(`${version} replaces ${present.version}, which is not an older version`);
  else if (step !== undefined) warnings.unshift(step);
  const summary = summaryOf(atlas, { mode, guardrail, loadedAt: at });
  return warnings.length > 0 ? { ...summary, warnings } : summary;
}

/** Throws `invalid_atlas_manifest` with everything that is wrong. */
export function requireSound({ atlas, findings }: CheckedAtlas): Atlas {
  if (atlas) return atlas;
  const errors = findings.filter(({ severity }) => severity === 'error');
  throw governanceErrors.invalid_atlas_manifest({
    message: `${errors[0]?.message ?? 'Invalid'} at ${errors[0]?.pointer || 'the top'} of the manifest.`,
    pointer: errors[0]?.pointer ?? '',
    details: { issues: errors.slice(0, 20) },
  });
}

export async function unloadAtlas(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  principal: Principal,
  projectId: string,
  atlasId: string,
): Promise<void> {
  await uow.lock(`atlases:${projectId}`);
  const active = await selectActiveLoads(uow, projectId);
  if (await isProtected(uow, deps, active, atlasId)) requirePerson(principal, atlasId);
  for (const other of active) {
    if (other.atlasId === atlasId) continue;
    requireFit(await deps.sets.content(uow, other.digest), { atlasId, version: undefined });
  }
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

/** A guardrail, or what one depends on: its rules come along with the guardrail's. */
async function isProtected(
  reader: Reader,
  { sets }: GovernanceDeps,
  active: readonly AtlasLoad[],
  atlasId: string,
): Promise<boolean> {
  const loaded = [];
  for (const load of active) {
    const { manifest } = await sets.content(reader, load.digest);
    loaded.push({ ...load, dependencies: Object.keys(manifest.dependencies ?? {}) });
  }
  return narrowed(loaded, new Set()).some((each) => each.atlasId === atlasId);
}

/** Whoever could take a guardrail away could leave it. */
function requirePerson({ actor }: Pick<Principal, 'actor'>, atlasId: string): void {
  if (actor.type !== 'human') throw governanceErrors.guardrail_protected({ details: { atlas_id: atlasId } });
}

/** What depends on an Atlas keeps the range that it asked for, also when that is replaced or unloaded. */
function requireFit(
  { manifest }: Atlas,
  next: { readonly atlasId: string; readonly version: string | undefined },
): void {
  const { atlasId, version } = next;
  const { dependencies = {}, atlas_id: by } = manifest;
  const range = Object.hasOwn(dependencies, atlasId) ? dependencies[atlasId] : undefined;
  if (range === undefined || (version !== undefined && fits(version, range))) return;
  throw governanceErrors.atlas_in_use({
    message: `${by} needs ${atlasId} ${range}${version === undefined ? '' : `, and this is ${version}`}.`,
    details: { atlas_id: by, range },
  });
}

/** With what would keep each from being loaded today: rules that were accepted before still hold, and are reported. */
export async function listAtlases(
  reader: Reader,
  { sets, settings }: GovernanceDeps,
  projectId: string,
): Promise<AtlasSummary[]> {
  const summaries: AtlasSummary[] = [];
  for (const load of await selectActiveLoads(reader, projectId)) {
    const atlas = await sets.content(reader, load.digest);
    const refused = lintManifest(atlas.manifest, { lenient: settings.lenientAtlases })
      .filter(({ severity }) => severity === 'error')
      .map(({ message, pointer }) => `would be refused today: ${message} (${pointer})`);
    summaries.push({ ...summaryOf(atlas, load), ...(refused.length > 0 && { warnings: refused }) });
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

function summaryOf(atlas: Atlas, load: Pick<AtlasLoad, 'mode' | 'guardrail' | 'loadedAt'>): AtlasSummary {
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
    guardrail: load.guardrail,
    loaded_at: load.loadedAt,
  };
}
