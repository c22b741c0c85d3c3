import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeHasher } from '../../../../platform/node-hasher.ts';
import { governanceErrors } from '../../errors.ts';
import {
  LOCK_FILE,
  type LockDrift,
  type Locked,
  lockDrift,
  readLock,
  resolveDependencies,
  writeLock,
} from '../rules/dependencies.ts';
import { requireAtlas } from './read.ts';

async function chosenFor(path: string, available: readonly string[]): Promise<readonly Locked[]> {
  const root = await requireAtlas(path, { hasher: nodeHasher });
  const candidates = [];
  for (const each of available) {
    const { manifest, digest } = await requireAtlas(each, { hasher: nodeHasher });
    candidates.push({
      atlasId: manifest.atlas_id,
      version: manifest.version,
      digest,
      dependencies: manifest.dependencies ?? {},
    });
  }
  const { locked, problems } = resolveDependencies(root.manifest, candidates);
  const [first] = problems;
  if (!first) return locked;
  throw governanceErrors.atlas_dependency_missing({
    message: `${first.wantedBy} needs ${first.atlasId} ${first.range}; found: ${first.found.join(', ') || 'none'}.`,
    details: { problems },
  });
}

/** `baton atlas lock DIR --from DIR…`: writes `cra.atlases.lock` beside the manifest. */
export async function lockAtlas(directory: string, available: readonly string[]): Promise<readonly Locked[]> {
  const locked = await chosenFor(directory, available);
  await writeFile(join(directory, LOCK_FILE), writeLock(locked));
  return locked;
}

/** What would change if the lock were written now; empty if nothing would. */
export async function checkLock(
  directory: string,
  available: readonly string[],
): Promise<readonly LockDrift[]> {
  const text = await readFile(join(directory, LOCK_FILE), 'utf8').catch(() => undefined);
  const lock = text === undefined ? undefined : readLock(JSON.parse(text));
  if (!lock)
    throw governanceErrors.atlas_load_error({ message: `There is no ${LOCK_FILE} in ${directory}.` });
  return lockDrift(lock, await chosenFor(directory, available));
}
