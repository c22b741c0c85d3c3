import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lintAtlas } from '../../../slices/governance/atlases/files/inspect.ts';
import { testAtlas } from '../../../slices/governance/atlases/files/test-atlas.ts';
import { starterAtlas } from './starter-atlas.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baton-starter-'));
  for (const [path, text] of starterAtlas('Mein Läden 2')) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the starter Atlas', () => {
  it('is in order, with nothing to warn about', async () => {
    const { loadable, findings } = await lintAtlas(folder);
    expect(loadable).toBe(true);
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it('passes its own tests, which reach every policy', async () => {
    const { results, covered } = await testAtlas(folder, 1);
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
    expect(covered).toBe(1);
    expect(results.length).toBeGreaterThan(35);
  });

  it.each([
    ['shop', 'repo.shop'],
    ['7up', 'repo.p-7up'],
    ['日本', 'repo.p'],
  ])('is named after the project %s', (project, id) => {
    expect(JSON.parse(starterAtlas(project).get('atlas.json')!).atlas_id).toBe(id);
  });
});
