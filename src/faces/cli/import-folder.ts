import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { cliErrors } from './errors.ts';

export interface ExportedItem {
  readonly line: string;
  readonly hashes?: unknown;
  readonly reviews?: string[];
  readonly attestations?: string[];
}

/** A folder as `baton export` writes it. Sidecars may be missing: other tools write packages and facts only. */
export interface ExportedFolder {
  readonly projects: string[];
  readonly sessions: string[];
  readonly packages: ExportedItem[];
  readonly tombstones: ExportedItem[];
  readonly facts: string[];
  readonly blobs: string[];
  /** All of one package together: a part of its vectors is of no use. */
  readonly embeddings: string[][];
}

export async function readExportedFolder(folder: string): Promise<ExportedFolder> {
  await checkManifest(folder);
  const lines = (name: string) => linesOf(join(folder, `${name}.ndjson`));
  const hashes = groupBy(await lines('hashes'), (line) => [JSON.parse(line).package_id, JSON.parse(line)]);
  const reviews = groupBy(await lines('reviews'), (line) => [JSON.parse(line).package_id, line]);
  const attestations = groupBy(await lines('attestations'), (line) => {
    const { package_id, envelope } = JSON.parse(line);
    return [package_id, JSON.stringify(envelope)];
  });
  const item = (line: string): ExportedItem => {
    const id = JSON.parse(line).package_id;
    return {
      line,
      ...(hashes.has(id) && { hashes: hashes.get(id)?.[0] }),
      ...(reviews.has(id) && { reviews: reviews.get(id) as string[] }),
      ...(attestations.has(id) && { attestations: attestations.get(id) as string[] }),
    };
  };
  return {
    projects: await lines('projects'),
    sessions: await lines('sessions'),
    packages: (await lines('packages')).map(item),
    tombstones: (await lines('tombstones')).map(item),
    facts: await lines('facts'),
    blobs: await lines('blobs'),
    embeddings: [
      ...groupBy(await lines('embeddings'), (line) => [JSON.parse(line).package_id, line]).values(),
    ],
  };
}

/** A file that is not the one that was written is refused before anything is sent. */
async function checkManifest(folder: string): Promise<void> {
  const path = join(folder, 'manifest.json');
  if (!existsSync(path)) return;
  const { files } = JSON.parse(await readFile(path, 'utf8')) as { files: Record<string, { sha256: string }> };
  for (const [name, { sha256 }] of Object.entries(files)) {
    const bytes = await readFile(join(folder, name)).catch((cause) => {
      throw cliErrors.file_unreadable({ message: `${name} is missing from the export.`, cause });
    });
    const found = createHash('sha256').update(bytes).digest('hex');
    if (found !== sha256)
      throw cliErrors.export_damaged({ message: `${name} is not the file that was exported.` });
  }
}

export async function linesOf(path: string): Promise<string[]> {
  if (!existsSync(path)) return [];
  return (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
}

/** Of a folder and those below it, or one file. */
export async function markdownIn(
  place: string,
): Promise<{ path: string; text: string; modified_at: string }[]> {
  const single = (await stat(place)).isFile();
  const folder = single ? dirname(place) : place;
  const names = single ? [basename(place)] : await readdir(folder, { recursive: true, encoding: 'utf8' });
  const notes = [];
  for (const name of names.filter((one) => /\.(md|markdown)$/i.test(one)).sort()) {
    const path = join(folder, name);
    const { mtime } = await stat(path);
    const text = await readFile(path, 'utf8');
    notes.push({ path: relative(folder, path), text, modified_at: mtime.toISOString() });
  }
  return notes;
}

function groupBy<T>(lines: readonly string[], entry: (line: string) => [string, T]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const line of lines) {
    const [key, value] = entry(line);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
