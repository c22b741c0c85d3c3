/** `baton atlas fmt`: writes the JSON of an Atlas in one way, and changes nothing that it says. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readPlain } from '../../../../kernel/json/reader.ts';
import { decodeUtf8 } from '../../../../kernel/json/utf8.ts';
import { formatManifest } from '../rules/format-manifest.ts';
import { filesBelow } from './read.ts';

export interface Formatted {
  readonly files: number;
  /** Those that were, or with `check` would be, written anew. */
  readonly changed: readonly string[];
}

export async function fmtAtlas(path: string, { check }: { readonly check: boolean }): Promise<Formatted> {
  const folder = (await stat(path)).isDirectory();
  const found = folder ? ['atlas.json', ...(await partFiles(path))] : [''];
  const changed: string[] = [];
  for (const name of found) {
    const at = name === '' ? path : join(path, name);
    const text = decodeUtf8(await readFile(at));
    const next = formatManifest(readPlain(text));
    // A number that would be written otherwise is somebody's exact amount.
    if (next === text || !sameValue(text, next)) continue;
    changed.push(name === '' ? path : name);
    if (!check) await writeFile(at, next);
  }
  return { files: found.length, changed };
}

async function partFiles(directory: string): Promise<string[]> {
  const lists = await Promise.all([
    filesBelow(directory, 'policies', '.json'),
    filesBelow(directory, 'actions', '.json'),
    filesBelow(directory, 'tests', '.cases.json'),
  ]);
  return lists.flat();
}

/** Compares the exact text of numbers: two lexemes may be one number to JavaScript and two to a budget. */
function sameValue(before: string, after: string): boolean {
  return tokens(before) === tokens(after);
}

function tokens(text: string): string {
  return (text.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/g) ?? [])
    .map((token) => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token))
    .sort()
    .join(' ');
}
