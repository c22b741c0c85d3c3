import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Files that others may read, or that are made with their mode; everything else is written by `platform/private-files.ts`. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/slices/governance/atlases/files/': "the author's own Atlas, where they said",
  'src/platform/private-files.ts': 'the helper itself',
  'src/slices/delivery/': 'files of a repository keep its modes',
  'src/faces/cli/connect/made-files.ts': 'files of a repository keep its modes',
  'src/faces/cli/connect/text-file.ts': 'the editor’s own files keep their modes; ours are given 600',
  'src/spine/identity/keys/owner-key-file.ts': 'made with mode 600, whole or not at all',
  'src/app/server-file.ts': 'made with mode 600, whole or not at all',
  'src/app/hook/hook-log.ts': 'made with mode 600, appended to without loading more',
  'src/slices/relay/crash-log.ts': 'made with mode 600, written synchronously',
};
const WRITES =
  /\b(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|mkdir|mkdirSync)\s*\(/;

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => join('src', file).replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\btesting\b/.test(file));

describe('what is written to disk', () => {
  it('is written by the one helper for private files, but for files that are others’ to read', () => {
    expect(files.length).toBeGreaterThan(500);
    const raw = files.filter((file) => {
      const text = readFileSync(join(root, file), 'utf8').replace(/\.writeFile\(/g, '');
      return WRITES.test(text) && !Object.keys(ALLOWED).some((allowed) => file.startsWith(allowed));
    });
    expect(raw).toEqual([]);
  });
});
