import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { BatonError } from '../../../../kernel/error.ts';
import type { Hasher } from '../../../../kernel/hasher.ts';
import { readPlain } from '../../../../kernel/json/reader.ts';
import { decodeUtf8 } from '../../../../kernel/json/utf8.ts';
import { governanceErrors } from '../../errors.ts';
import { type CheckedAtlas, checkManifest } from '../check.ts';
import type { Atlas } from '../rules/atlas.ts';
import { filePaths, LARGEST_FILE, pathProblem } from '../rules/context-files.ts';
import type { AdapterSettings } from '../rules/emit-tools.ts';
import { type ManifestMode, mergeParts, type PartFile, parseManifest } from '../rules/parse.ts';
import type { AtlasManifest } from '../schema.ts';

export interface ReadAtlas extends CheckedAtlas {
  readonly warnings: readonly string[];
  readonly adapters: Readonly<Record<string, AdapterSettings>>;
}

export interface ReadOptions {
  readonly hasher: Hasher;
  readonly mode?: ManifestMode;
}

/** Reads an Atlas from a directory with `atlas.json`, or from a single manifest. */
export async function readAtlas(path: string, options: ReadOptions): Promise<ReadAtlas> {
  const facts = await stat(path).catch(() => undefined);
  if (!facts) {
    throw governanceErrors.atlas_load_error({
      message: `There is nothing at ${path}.`,
      next: 'Give a directory with atlas.json, or a manifest.',
    });
  }
  const directory = facts.isDirectory() ? path : undefined;
  const text = directory ? await readInside(directory, 'atlas.json') : decodeUtf8(await readFile(path));
  if (text === undefined) {
    throw governanceErrors.atlas_load_error({ message: `${path} has no atlas.json.`, details: { path } });
  }
  const manifest = parseText(text, 'atlas.json');
  const merged = directory
    ? mergeParts(manifest, {
        policies: await partsIn(directory, 'policies'),
        actions: await partsIn(directory, 'actions'),
      })
    : manifest;
  const parsed = parseManifest(merged, options.mode ?? 'strict');
  const adapters = directory ? await adaptersIn(directory) : {};
  const files = parsed.ok && directory ? await packFiles(directory, parsed.manifest) : undefined;
  const { atlas, findings } = checkManifest(parsed, options.hasher, files);
  return { atlas, findings, warnings: parsed.ok ? parsed.warnings : [], adapters };
}

async function packFiles(directory: string, manifest: AtlasManifest): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const file of (manifest.context_packs ?? []).flatMap((pack) => pack.files)) {
    if (pathProblem(file)) continue;
    for (const candidate of filePaths(file)) {
      const content = await readInside(directory, candidate);
      if (content === undefined) continue;
      found.set(candidate, content);
      break;
    }
  }
  return found;
}

/** As `readAtlas`, but an Atlas that cannot be used is an error. */
export async function requireAtlas(path: string, options: ReadOptions): Promise<Atlas> {
  const { atlas, findings } = await readAtlas(path, options);
  if (atlas) return atlas;
  const first = findings.find(({ severity }) => severity === 'error');
  throw governanceErrors.invalid_atlas_manifest({
    message: `${path}: ${first?.message ?? 'not valid'} (${first?.pointer || 'top'}).`,
    pointer: first?.pointer ?? '',
    details: { findings },
  });
}

function parseText(text: string, path: string): unknown {
  try {
    return readPlain(text);
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    throw governanceErrors.atlas_load_error({
      message: `${path}: ${error.message}`,
      details: { path, ...error.details },
      cause: error,
    });
  }
}

async function partsIn(root: string, folder: string): Promise<PartFile[]> {
  const parts: PartFile[] = [];
  for (const path of await filesBelow(root, folder, '.json')) {
    parts.push({ path, value: parseText((await readInside(root, path)) ?? '', path) });
  }
  return parts;
}

async function adaptersIn(root: string): Promise<Record<string, AdapterSettings>> {
  const adapters: Record<string, AdapterSettings> = {};
  for (const path of await filesBelow(root, 'adapters', '.json')) {
    const name = path.slice('adapters/'.length, -'.json'.length);
    adapters[name] = parseText((await readInside(root, path)) ?? '', path) as AdapterSettings;
  }
  return adapters;
}

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
      message: `${path} leads outside the Atlas.`,
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
