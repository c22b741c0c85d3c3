import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BatonError } from '../../../kernel/error.ts';
import { nodeHasher } from '../../../platform/node-hasher.ts';
import type { Atlas } from '../../../slices/governance/atlases/rules/atlas.ts';
import type { PinnedRules, Touched } from '../connect/connection-record.ts';
import { makeFile } from '../connect/made-files.ts';
import type { Repository } from '../connect/repository.ts';
import { cliErrors } from '../errors.ts';
import type { Connection, Host } from '../host.ts';
import { ask } from '../operation.ts';
import { starterAtlas } from '../starter-atlas/starter-atlas.ts';

const FOLDER = join('.baton', 'atlas');

export type GuardMode = PinnedRules['mode'];

/** The rules of a repository: what its files say, and what is loaded, which is what counts. */
export interface Rules {
  readonly file: Atlas;
  readonly loaded: PinnedRules | undefined;
}

function rulesFolder({ root }: Repository): string {
  return join(root, FOLDER);
}

/** Writes the starter rules where the repository has none. */
export async function makeRules(repository: Repository, project: string): Promise<Touched[]> {
  if (existsSync(join(rulesFolder(repository), 'atlas.json'))) return [];
  const made: (Touched | undefined)[] = [];
  for (const [path, text] of starterAtlas(project)) {
    made.push(await makeFile(repository, join(FOLDER, path), text));
  }
  return made.filter((each) => each !== undefined);
}

export async function readRules(
  to: Connection,
  host: Host,
  repository: Repository,
  project: string,
): Promise<Rules> {
  const { requireAtlas } = await import('../../../slices/governance/atlases/files/read.ts');
  const file = await requireAtlas(rulesFolder(repository), { hasher: nodeHasher });
  const { items } = await ask(to, host, 'atlas.list', { project, envelope: true });
  const listed = items as { atlas_id: string; version: string; digest: string; mode: GuardMode }[];
  const found = listed.find(({ atlas_id }) => atlas_id === file.manifest.atlas_id);
  return {
    file,
    loaded: found && { id: found.atlas_id, version: found.version, digest: found.digest, mode: found.mode },
  };
}

/** Loads what the files say, in a mode. The store refuses other content under a version that it has. */
export async function loadRules(
  to: Connection,
  host: Host,
  request: { readonly repository: Repository; readonly project: string; readonly mode: GuardMode },
): Promise<PinnedRules> {
  const { atlasToLoad } = await import('../../../slices/governance/atlases/files/inspect.ts');
  const manifest = await atlasToLoad(rulesFolder(request.repository));
  try {
    const { project, mode } = request;
    const loaded = await ask(to, host, 'atlas.load', { manifest, project, mode });
    return { id: loaded.atlas_id, version: loaded.version, digest: loaded.digest, mode };
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== 'atlas_already_loaded') throw error;
    throw cliErrors.bad_arguments({
      message: `The rules in .baton/atlas changed, but are still called version ${manifest.version}.`,
      next: 'Raise `version` in .baton/atlas/atlas.json, then run this again.',
      cause: error,
    });
  }
}
