import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

export interface GitState {
  readonly head?: string;
  readonly branch?: string;
  readonly changed: readonly {
    readonly path: string;
    readonly added: number | null;
    readonly removed: number | null;
    /** When it was last written, in milliseconds; null for one that is gone. */
    readonly at: number | null;
  }[];
  readonly commits: readonly { readonly id: string; readonly at: number; readonly title: string }[];
}

const TIMEOUT = 3_000;
const MOST_FILES = 200;
const MOST_COMMITS = 30;
/** A repository's own settings may name programs; none of these commands runs one. */
const SAFE = [
  '--no-optional-locks',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'log.showSignature=false',
];

/** What has changed, and what was committed lately; undefined without git or a repository. */
export async function gitState(root: string): Promise<GitState | undefined> {
  const [head, branch, numstat, status, log] = await Promise.all([
    git(root, 'rev-parse', 'HEAD'),
    git(root, 'rev-parse', '--abbrev-ref', 'HEAD'),
    git(root, 'diff', '--no-ext-diff', '--no-textconv', '--no-renames', '--numstat', '-z', 'HEAD', '--', '.'),
    git(root, 'ls-files', '--others', '--exclude-standard', '-z'),
    git(root, 'log', `-n${MOST_COMMITS}`, '--format=%H%x09%ct%x09%s', '-z'),
  ]);
  if (head === undefined && status === undefined) return undefined;
  const changed = fields(numstat).flatMap((line) => {
    const [added = '', removed = '', path = ''] = line.split('\t');
    return path === '' ? [] : [{ path, added: numberOf(added), removed: numberOf(removed) }];
  });
  const untracked = fields(status).map((path) => ({ path, added: null, removed: null }));
  const commits = fields(log).flatMap((line) => {
    const [id = '', at = '', ...title] = line.split('\t');
    return /^[0-9a-f]{40,64}$/.test(id)
      ? [{ id, at: Number(at), title: title.join('\t').slice(0, 300) }]
      : [];
  });
  return {
    ...(head !== undefined && { head: head.trim() }),
    ...(branch !== undefined && { branch: branch.trim().slice(0, 250) }),
    changed: [...changed, ...untracked]
      .slice(0, MOST_FILES)
      .map((file) => ({ ...file, at: writtenAt(join(root, file.path)) })),
    commits,
  };
}

function writtenAt(path: string): number | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : Math.floor(found.mtimeMs);
}

function fields(text: string | undefined): string[] {
  return (text ?? '')
    .split('\0')
    .map((line) => line.replace(/^\n/, ''))
    .filter((line) => line !== '');
}

function numberOf(text: string): number | null {
  return /^\d+$/.test(text) ? Number(text) : null;
}

function git(root: string, ...args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      'git',
      [...SAFE, ...args],
      { cwd: root, timeout: TIMEOUT, maxBuffer: 4 * 1024 * 1024, windowsHide: true },
      (error, stdout) => resolve(error ? undefined : stdout),
    );
  });
}
