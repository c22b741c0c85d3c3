import { runProcess } from '../run-process.ts';

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT = 64 * 1024 * 1024;

/** The output of a git command, or undefined if it failed: no repository, no git, no such commit. */
export async function git(
  root: string,
  args: readonly string[],
  input?: string,
): Promise<string | undefined> {
  const outcome = await runProcess({
    argv: ['git', '-c', 'core.quotepath=off', ...args],
    cwd: root,
    timeoutMs: TIMEOUT_MS,
    maxOutput: MAX_OUTPUT,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
    input,
  });
  return outcome.exitCode === 0 ? outcome.stdout : undefined;
}

export async function headOf(root: string): Promise<string | null> {
  return (await git(root, ['rev-parse', '--verify', 'HEAD']))?.trim() ?? null;
}

export async function isWorkTree(root: string): Promise<boolean> {
  return (await git(root, ['rev-parse', '--is-inside-work-tree']))?.trim() === 'true';
}

/** Paths that differ from HEAD, untracked ones too, relative to `root`. */
export async function changedPaths(root: string): Promise<readonly string[]> {
  const prefix = ((await git(root, ['rev-parse', '--show-prefix'])) ?? '').trim();
  const output =
    (await git(root, ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--', '.'])) ?? '';
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
