import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blobIdOf } from './blob-id.ts';

describe('the id of a blob', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'baton-blob-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is the one that git gives the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), async (bytes) => {
        const path = join(folder, 'any');
        await writeFile(path, bytes);
        const git = execFileSync('git', ['hash-object', '--no-filters', path], { encoding: 'utf8' });
        expect(await blobIdOf(path)).toBe(git.trim());
      }),
      { numRuns: 20 },
    );
  });

  it('is that of nothing for an empty file, in both formats of git', async () => {
    const path = join(folder, 'empty');
    await writeFile(path, '');
    expect(await blobIdOf(path)).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
    expect(await blobIdOf(path, 'sha256')).toBe(
      '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
    );
  });

  it('is that of the target for a link, and none for a folder or for nothing', async () => {
    await symlink('any', join(folder, 'link'));
    const git = execFileSync('git', ['hash-object', '--stdin'], { input: 'any', encoding: 'utf8' });
    expect(await blobIdOf(join(folder, 'link'))).toBe(git.trim());
    expect(await blobIdOf(folder)).toBeUndefined();
    expect(await blobIdOf(join(folder, 'missing'))).toBeUndefined();
  });
});
