import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { Atlas, AtlasMode } from './rules/atlas.ts';

export interface AtlasLoad {
  readonly loadId: number;
  readonly atlasId: string;
  readonly version: string;
  readonly digest: string;
  readonly mode: AtlasMode;
  /** Its rules apply to every request of the project, whichever Atlases that names. */
  readonly guardrail: boolean;
  readonly loadedAt: string;
  /** Only for whoever names it: the Atlas of a gateway, whose tools nobody else can run. */
  readonly byNameOnly: boolean;
}

interface LoadRow {
  readonly guardrail: number | null;
  readonly load_id: number;
  readonly atlas_id: string;
  readonly version: string;
  readonly digest: string;
  readonly mode: AtlasMode;
  readonly loaded_at: string;
  readonly by_name_only: number | null;
}

function loadOf(row: LoadRow): AtlasLoad {
  return {
    loadId: row.load_id,
    atlasId: row.atlas_id,
    version: row.version,
    digest: row.digest,
    mode: row.mode,
    guardrail: row.guardrail === 1,
    loadedAt: row.loaded_at,
    byNameOnly: row.by_name_only === 1,
  };
}

/** In the order in which they were loaded: it breaks ties between rules of equal priority. */
export async function selectActiveLoads(reader: Reader, projectId: string): Promise<AtlasLoad[]> {
  const rows = await reader.all<LoadRow>(
    `select load_id, atlas_id, version, digest, mode, guardrail, loaded_at, by_name_only from governance_atlas_loads
     where project_id = ? and unloaded_us is null order by load_id`,
    [projectId],
  );
  return rows.map(loadOf);
}

/** Content is kept by digest and never deleted, so that old decisions can be replayed. */
export async function keepContent(uow: UnitOfWork, atlas: Atlas): Promise<void> {
  await uow.run(
    `insert into governance_atlas_contents (digest, manifest, blocks, files) values (?, ?, ?, ?)
     on conflict do nothing`,
    [
      atlas.digest,
      JSON.stringify(atlas.manifest),
      JSON.stringify(atlas.blocks),
      JSON.stringify([...atlas.files]),
    ],
  );
}

export async function selectContent(reader: Reader, digest: string): Promise<Atlas | undefined> {
  const row = await reader.get<{ manifest: string; blocks: string; files: string }>(
    'select manifest, blocks, files from governance_atlas_contents where digest = ?',
    [digest],
  );
  return (
    row && {
      manifest: JSON.parse(row.manifest),
      blocks: JSON.parse(row.blocks),
      files: new Map(JSON.parse(row.files) as [string, string][]),
      digest,
    }
  );
}

export interface NewLoad {
  readonly projectId: string;
  readonly atlas: Atlas;
  readonly mode: AtlasMode;
  readonly guardrail: boolean;
  readonly at: string;
  readonly micros: Micros;
  readonly by: string;
  readonly byNameOnly: boolean;
}

export async function insertLoad(uow: UnitOfWork, load: NewLoad): Promise<void> {
  const { atlas_id: atlasId, version } = load.atlas.manifest;
  await uow.run(
    `insert into governance_atlas_loads (project_id, atlas_id, version, digest, mode, loaded_at, loaded_us, loaded_by,
       guardrail, by_name_only) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      load.projectId,
      atlasId,
      version,
      load.atlas.digest,
      load.mode,
      load.at,
      load.micros,
      load.by,
      load.guardrail ? 1 : null,
      load.byNameOnly ? 1 : null,
    ],
  );
}

/** Returns false if none of this id was loaded. */
export async function markUnloaded(
  uow: UnitOfWork,
  projectId: string,
  atlasId: string,
  now: Micros,
): Promise<boolean> {
  const changed = await uow.run(
    'update governance_atlas_loads set unloaded_us = ? where project_id = ? and atlas_id = ? and unloaded_us is null',
    [now, projectId, atlasId],
  );
  return changed === 1;
}

/** The load of a digest that was in force at an instant. */
export async function selectLoadBefore(
  reader: Reader,
  projectId: string,
  digest: string,
  at: Micros,
): Promise<Pick<AtlasLoad, 'atlasId' | 'version'> | undefined> {
  const row = await reader.get<LoadRow>(
    `select atlas_id, version from governance_atlas_loads where project_id = ? and digest = ?
     and loaded_us <= ? order by load_id desc limit 1`,
    [projectId, digest, at],
  );
  return row && { atlasId: row.atlas_id, version: row.version };
}

const LOADS_OF_A_VERSION = 20;

/** The loads of one version of an Atlas, newest first. */
export async function selectLoadsNamed(
  reader: Reader,
  projectId: string,
  { atlasId, version }: Pick<AtlasLoad, 'atlasId' | 'version'>,
): Promise<{ readonly loadId: number; readonly digest: string }[]> {
  const rows = await reader.all<{ load_id: number; digest: string }>(
    `select load_id, digest from governance_atlas_loads where project_id = ? and atlas_id = ? and version = ?
     order by load_id desc limit ${LOADS_OF_A_VERSION}`,
    [projectId, atlasId, version],
  );
  return rows.map(({ load_id, digest }) => ({ loadId: load_id, digest }));
}
