import { readFile, stat } from 'node:fs/promises';
import { BatonError } from '../../../../kernel/error.ts';
import type { Hasher } from '../../../../kernel/hasher.ts';
import { readPlain } from '../../../../kernel/json/reader.ts';
import { decodeUtf8 } from '../../../../kernel/json/utf8.ts';
import { governanceErrors } from '../../errors.ts';
import { schemaProblem } from '../../execution/parameter-check.ts';
import { type Atlas, atlasOf } from '../rules/atlas.ts';
import type { AdapterSettings } from '../rules/emit-tools.ts';
import { takeInlineFiles } from '../rules/inline-files.ts';
import { type Finding, finding, lintManifest } from '../rules/lint.ts';
import { mergeParts, type PartFile } from '../rules/merge.ts';
import { type ManifestMode, parseManifest } from '../rules/parse.ts';
import { filePaths, pathProblem } from '../rules/paths.ts';
import { filesBelow, readInside } from './inside.ts';

export interface ReadAtlas {
  /** Undefined where an error stands against it. */
  readonly atlas: Atlas | undefined;
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
  readonly adapters: Readonly<Record<string, AdapterSettings>>;
}

export interface ReadOptions {
  readonly hasher: Hasher;
  readonly mode?: ManifestMode;
}

/** An Atlas from a directory with `atlas.json`, or from a manifest that stands alone. */
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
  if (!parsed.ok) {
    const findings = parsed.issues.map((issue) => ({
      ...finding('schema', [], issue.message),
      pointer: issue.pointer,
    }));
    return { atlas: undefined, findings, warnings: [], adapters };
  }
  const carried = takeInlineFiles(parsed.manifest);
  const files = new Map(carried.files);
  for (const pack of directory ? (parsed.manifest.context_packs ?? []) : []) {
    for (const file of pack.files) {
      if (pathProblem(file)) continue;
      for (const candidate of filePaths(file)) {
        const content = await readInside(directory as string, candidate);
        if (content !== undefined) files.set(candidate, content);
        if (content !== undefined) break;
      }
    }
  }
  const escaped = carried.problem
    ? [{ ...finding('path_escape', [], carried.problem.message), pointer: carried.problem.pointer }]
    : [];
  const findings = [
    ...escaped,
    ...lintManifest(carried.manifest, { files: new Set(files.keys()), schemaProblem }),
  ];
  const wrong = findings.some(({ severity }) => severity === 'error');
  const content = { manifest: carried.manifest, files, blocks: parsed.blocks };
  return {
    atlas: wrong ? undefined : atlasOf(options.hasher, content),
    findings,
    warnings: parsed.warnings,
    adapters,
  };
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
