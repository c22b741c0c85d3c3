import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestRepository, testRepository } from '../testing.ts';
import { followMerge } from './follow-merge.ts';

describe('bringing a turn’s commit into the repository', () => {
  let repo: TestRepository;
  let from: string;
  let to: string;

  beforeEach(() => {
    repo = testRepository();
    for (const name of ['changed', 'gone', 'later']) repo.forge(`${name}.txt`, 'as it was\n');
    repo.git('init', '-q');
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'start');
    from = repo.git('rev-parse', 'HEAD').trim();
    for (const name of ['changed', 'later', 'new']) repo.forge(`${name}.txt`, 'as the turn left it\n');
    rmSync(join(repo.root, 'gone.txt'));
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'turn');
    to = repo.git('rev-parse', 'HEAD').trim();
    repo.git('reset', '-q', '--hard', from);
  });
  afterEach(() => repo.remove());

  const bring = () => followMerge(repo.root, repo.open().keep, { from, to });
  const expectBrought = () => {
    expect(repo.git('rev-parse', 'HEAD').trim()).toBe(to);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.read('later.txt')).toBe('as the turn left it\n');
    expect(existsSync(join(repo.root, 'gone.txt'))).toBe(false);
  };

  it('goes on where git was killed between writing files and writing its index', async () => {
    repo.git('update-ref', 'HEAD', to);
    for (const name of ['changed', 'new']) repo.forge(`${name}.txt`, 'as the turn left it\n');
    rmSync(join(repo.root, 'gone.txt'));
    await bring();
    expectBrought();
  });

  it('waits for a git that an orchestrator had started before it was killed', async () => {
    const lock = join(repo.root, '.git', 'index.lock');
    writeFileSync(lock, '');
    const brought = bring();
    await pause(100);
    rmSync(lock);
    await brought;
    expectBrought();
  });

  it('overwrites nothing that somebody else has written there', async () => {
    repo.forge('later.txt', 'a remark by a person\n');
    await expect(bring()).rejects.toMatchObject({ code: 'merge_blocked' });
    expect(repo.read('later.txt')).toBe('a remark by a person\n');
  });
});
