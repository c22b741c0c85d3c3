import { environmentOfOthers } from '../environment.ts';
import { runProcess } from '../run-process.ts';

const TIMEOUT_MS = 5 * 60_000;
const MAX_OUTPUT = 64 * 1024 * 1024;

/** Whatever the configuration says, our own calls start no program that it names. */
const QUIET = ['core.quotepath=off', 'core.fsmonitor=false', 'core.hooksPath=/dev/null', 'gc.auto=0'].flatMap(
  (setting) => ['-c', setting],
);

/** Where a git command works, if not in the repository that `root` is part of. */
export interface GitPlace {
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly index?: string;
}

export interface GitRun {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export async function gitRun(
  root: string,
  args: readonly string[],
  input?: string,
  place: GitPlace = {},
): Promise<GitRun> {
  const outcome = await runProcess({
    argv: ['git', ...QUIET, ...args],
    cwd: root,
    timeoutMs: TIMEOUT_MS,
    maxOutput: MAX_OUTPUT,
    env: {
      ...gitEnvironment(),
      ...(place.gitDir !== undefined && { GIT_DIR: place.gitDir }),
      ...(place.workTree !== undefined && { GIT_WORK_TREE: place.workTree }),
      ...(place.index !== undefined && { GIT_INDEX_FILE: place.index }),
    },
    input,
  });
  return { ok: outcome.exitCode === 0, stdout: outcome.stdout, stderr: outcome.stderr };
}

/** The output of a git command, or undefined if it failed: no repository, no git, no such commit. */
export async function git(
  root: string,
  args: readonly string[],
  input?: string,
  place?: GitPlace,
): Promise<string | undefined> {
  const { ok, stdout } = await gitRun(root, args, input, place);
  return ok ? stdout : undefined;
}

/** Replaced objects are not what a commit says. */
export function gitEnvironment(): Record<string, string | undefined> {
  return { ...environmentOfOthers(), GIT_OPTIONAL_LOCKS: '0', GIT_NO_REPLACE_OBJECTS: '1', LC_ALL: 'C' };
}

export async function headOf(root: string): Promise<string | null> {
  return (await git(root, ['rev-parse', '--verify', 'HEAD']))?.trim() ?? null;
}

export async function isWorkTree(root: string): Promise<boolean> {
  return (await git(root, ['rev-parse', '--is-inside-work-tree']))?.trim() === 'true';
}

/** Paths that differ from HEAD, untracked ones too, relative to `root`. */
export async function changedPaths(root: string, place?: GitPlace): Promise<readonly string[]> {
  const prefix = ((await git(root, ['rev-parse', '--show-prefix'], undefined, place)) ?? '').trim();
  const output =
    (await git(
      root,
      ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--', '.'],
      undefined,
      place,
    )) ?? '';
  const paths: string[] = [];
  const fields = output.split('\0');
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] ?? '';
    if (field === '') continue;
    paths.push(field.slice(3));
    // A rename is followed by the old name.
    if (/^[RC]|^.[RC]/.test(field)) {
      index += 1;
      paths.push(fields[index] ?? '');
    }
  }
  return paths.map((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : path));
}

/** Paths changed by commits since `base`. */
export async function committedPaths(root: string, base: string): Promise<readonly string[]> {
  const output = await git(root, ['diff', '--name-only', '--relative', '-z', base, 'HEAD']);
  return (output ?? '').split('\0').filter((path) => path !== '');
}

/** Who our own commits are by: whoever git says works here, or Baton. */
export async function identity(root: string): Promise<readonly string[]> {
  const known = await git(root, ['config', '--get-regexp', '^user\\.(name|email)$']);
  const has = (name: string) => known?.includes(`user.${name} `) === true;
  return [
    ...(has('name') ? [] : ['-c', 'user.name=Baton']),
    ...(has('email') ? [] : ['-c', 'user.email=baton@localhost']),
  ];
}
