import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { decodeUtf8 } from '../../../../kernel/json/utf8.ts';
import { governanceErrors } from '../../errors.ts';
import { LARGEST_FILE, pathProblem } from '../rules/paths.ts';

/** Reads a text file of an Atlas. Undefined where it is missing; refuses what lies outside or is too large. */
export async function readInside(root: string, path: string): Promise<string | undefined> {
  const problem = pathProblem(path);
  if (problem) throw governanceErrors.atlas_load_error({ message: `${path} ${problem}.`, details: { path } });
  const base = await realpath(root);
  const found = await realpath(join(base, path)).catch(() => undefined);
  if (found === undefined) return undefined;
  const inside = relative(base, found);
  if (inside.startsWith('..') || inside === '' || inside.startsWith(sep)) {
    throw governanceErrors.atlas_load_error({
      message: `${path} leads out of the Atlas.`,
      details: { path },
    });
  }
  const facts = await stat(found);
  if (!facts.isFile()) return undefined;
  if (facts.size > LARGEST_FILE) {
    throw governanceErrors.atlas_load_error({ message: `${path} is larger than 1 MiB.`, details: { path } });
  }
  return decodeUtf8(await readFile(found));
}

/** Paths below a folder of the Atlas, sorted; empty where there is none. */
export async function filesBelow(root: string, folder: string, suffix = ''): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await filesBelow(root, path, suffix)));
    else if (path.endsWith(suffix)) found.push(path);
  }
  return found.sort();
}
