import { environmentOfOthers } from '../environment.ts';
import { deliveryErrors } from '../errors.ts';
import { runProcess } from '../run-process.ts';
import { findOnPath } from '../runtimes/on-path.ts';

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
    argv: [await gitProgram(), ...QUIET, ...args],
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

let found: Promise<string | undefined> | undefined;

/** Looked for once: an agent that puts a program of that name on the PATH has it started by nobody who runs already. */
export async function gitProgram(): Promise<string> {
  const { PATH = '' } = environmentOfOthers();
  found ??= findOnPath('git', PATH, '/');
  return (await found) ?? 'git';
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

/** What git shows of a work tree. */
export interface TreeStatus {
  /** Null before the first commit. */
  readonly head: string | null;
  /** Paths that differ from HEAD, untracked ones too, relative to the folder that was asked about. */
  readonly changed: readonly string[];
}

/** Undefined where `root` is in no work tree. A single look, because every question to git starts a program. */
export async function statusOf(root: string): Promise<TreeStatus | undefined> {
  const shown = await statusShown(root);
  if (!shown.ok && !(await isWorkTree(root))) return undefined;
  const status = readStatus(shown, '');
  if (status.changed.length === 0) return status;
  const prefix = (await git(root, ['rev-parse', '--show-prefix'])) ?? '\n';
  return readStatus(shown, prefix.slice(0, -1));
}

/** What git says of it, for `readStatus`. */
export function statusShown(root: string): Promise<GitRun> {
  return gitRun(root, STATUS);
}

const STATUS = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--', '.'];
const HEAD_LINE = '# branch.oid ';
/** How many words stand before the path, by what an entry begins with. */
const WORDS_BEFORE: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 };

/** `prefix` is where in the work tree the folder is that was asked about. */
export function readStatus({ ok, stdout, stderr }: GitRun, prefix: string): TreeStatus {
  // An index that cannot be read must not pass for a tree in which nothing has changed.
  if (!ok) throw deliveryErrors.tree_failed({ message: stderr.trim().slice(0, 500) });
  let head: string | null = null;
  const paths: string[] = [];
  const fields = stdout.split('\0');
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] ?? '';
    if (field.startsWith(HEAD_LINE)) {
      const oid = field.slice(HEAD_LINE.length);
      head = oid === '(initial)' ? null : oid;
    }
    const words = WORDS_BEFORE[field[0] ?? ''];
    if (words === undefined) continue;
    paths.push(field.split(' ').slice(words).join(' '));
    // A rename is followed by the old name.
    if (field.startsWith('2')) {
      index += 1;
      paths.push(fields[index] ?? '');
    }
  }
  return {
    head,
    changed: paths.map((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : path)),
  };
}

/** Of a repository inside another, its commit: what else is in it git need not tell, but that, whatever .gitmodules says. */
export const IGNORE_DIRTY = '--ignore-submodules=dirty';

/** Paths changed by commits since `base`. */
export async function committedPaths(root: string, base: string): Promise<readonly string[]> {
  const output = await git(root, ['diff', '--name-only', '--relative', '-z', IGNORE_DIRTY, base, 'HEAD']);
  return (output ?? '').split('\0').filter((path) => path !== '');
}

/** Makes a commit by whoever git says works here, or by Baton. Undefined if it cannot be made. */
export async function commitTree(
  root: string,
  tree: string,
  parent: string,
  message: string,
): Promise<string | undefined> {
  const words = ['commit-tree', tree, '-p', parent];
  const made =
    (await git(root, ['-c', 'user.useConfigOnly=true', ...words], message)) ??
    (await git(root, [...(await nobody(root)), ...words], message));
  return made?.trim();
}

/** A name for Baton's own commits where git knows none. */
async function nobody(root: string): Promise<readonly string[]> {
  const known = await git(root, ['config', '--get-regexp', '^user\\.(name|email)$']);
  const has = (name: string) => known?.includes(`user.${name} `) === true;
  return [
    ...(has('name') ? [] : ['-c', 'user.name=Baton']),
    ...(has('email') ? [] : ['-c', 'user.email=baton@localhost']),
  ];
}
