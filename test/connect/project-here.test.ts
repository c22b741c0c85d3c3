import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from './workplace.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
});
afterAll(() => place.leave());

async function repository(name: string): Promise<string> {
  const root = join(place.home, '..', name);
  await mkdir(root, { recursive: true });
  execFileSync('git', ['-C', root, 'init', '-q']);
  return root;
}

async function ran(root: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await place.batonIn(root, args, env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const projectOf = async (root: string, title: string, env = {}): Promise<string> =>
  JSON.parse(await ran(root, ['deposit', '--title', title, '--json'], env)).project_id;

describe('a person’s commands in a repository', () => {
  it('concern its project once a person bound it, in a folder below too', async () => {
    const root = await repository('bound');
    await ran(root, ['init', '--yes']);
    await ran(root, ['connect', 'claude-code']);
    const below = join(root, 'src');
    await mkdir(below);
    expect(await projectOf(below, 'Moved the cache')).toBe('bound');
    await ran(root, ['facts', 'assert', 'cache', 'status', 'shipped']);
    expect(await ran(root, ['orient'])).toMatch(/^# Orientation: "bound"/);
    expect(JSON.parse(await ran(root, ['orient', '--json'])).recent_packages).toMatchObject([
      { project_id: 'bound' },
    ]);
    expect(await ran(root, ['facts', 'list'])).toContain('shipped');
    expect(await ran(root, ['facts', 'list', '--project', 'default'])).not.toContain('shipped');
  });

  it('concern it before any client is connected, in a linked worktree too, until the person undoes that', async () => {
    const root = await repository('clientless');
    expect(await ran(root, ['init', '--yes'])).toContain('No coding agent was found');
    expect(await projectOf(root, 'Set up')).toBe('clientless');
    const worktree = join(root, '..', 'clientless-worktree');
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    git('add', '.baton/project.json');
    git('commit', '-q', '-m', 'Set up');
    git('worktree', 'add', '-q', worktree);
    expect(await projectOf(worktree, 'In a worktree')).toBe('clientless');

    const undone = await ran(root, ['disconnect']);
    expect(undone).toContain('no longer belongs to project clientless');
    // What is in the repository's history is the repository's.
    expect(existsSync(join(root, '.baton', 'project.json'))).toBe(true);
    expect(existsSync(join(root, '.baton', 'atlas'))).toBe(false);
    expect(await projectOf(root, 'After')).toBe('default');
    expect((await place.batonIn(root, ['disconnect'])).code).toBe(2);
  });

  it('leave what setting up made to the first client that is connected', async () => {
    const root = await repository('later');
    await ran(root, ['init', '--yes']);
    await ran(root, ['connect', 'claude-code']);
    expect(await projectOf(root, 'Connected')).toBe('later');
    await ran(root, ['disconnect', 'claude-code']);
    expect(existsSync(join(root, '.baton'))).toBe(false);
    expect(await projectOf(root, 'After')).toBe('default');
  });

  it('keep to the default project where a repository only says of itself that it has another', async () => {
    const root = await repository('cloned');
    await place.write(join(root, '.baton', 'project.json'), '{"project":"bound"}\n');
    expect(await projectOf(root, 'Looked around')).toBe('default');
  });

  it('keep to the project of a credential that is given', async () => {
    const root = join(place.home, '..', 'bound');
    const key = [
      'keys',
      'create',
      'elsewhere-bot',
      '--actor-type',
      'agent',
      '--projects',
      'default',
      '--json',
    ];
    const { token } = JSON.parse(await ran(root, key));
    expect(await projectOf(root, 'By key', { BATON_TOKEN: token })).toBe('default');
  });

  it('show its status before any coding agent is connected', async () => {
    const root = await repository('alone');
    await ran(root, ['init', '--yes']);
    expect(await ran(root, ['status'])).toMatch(
      /^alone {2}rules not enforced\nHooks {4}no client is connected here: `baton connect CLIENT`\n/,
    );
  });
});
