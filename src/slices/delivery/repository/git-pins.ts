import { readdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { git } from './git.ts';
import { type GitPins, type Keep, readRecord, regularFile, replaceFile, writeRecord } from './keep.ts';

/** The places of a repository's git, as its work tree and its linked work trees see them. */
export interface GitHome {
  readonly gitDir: string;
  /** Shared by linked work trees. */
  readonly commonDir: string;
  readonly top: string;
  readonly prefix: string;
  readonly head: string;
}

/** What decides what git does or shows, below the git directory. Branches are told apart by their commits. */
const FILES = [
  'config',
  'config.worktree',
  'info/attributes',
  'info/exclude',
  'info/grafts',
  'info/sparse-checkout',
  'objects/info/alternates',
  'shallow',
];
const FOLDERS = ['hooks', 'refs/replace'];

async function readPinned(home: GitHome): Promise<GitPins['files']> {
  const paths = [...FILES];
  for (const folder of FOLDERS) {
    const found = await readdir(join(home.commonDir, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    for (const entry of found) {
      if (entry.isDirectory() || entry.name.endsWith('.sample')) continue;
      paths.push(relative(home.commonDir, join(entry.parentPath, entry.name)).split(sep).join('/'));
    }
  }
  const entries = await Promise.all(
    paths.map(async (path) => {
      const bytes = await regularFile(join(home.commonDir, path));
      if (bytes === 'absent') return [];
      return [[path, bytes === 'irregular' ? IRREGULAR : bytes.toString('base64')] as const];
    }),
  );
  return Object.fromEntries(entries.flat());
}

const IRREGULAR = '!';

/** Takes git as it is now for what it should be when the turns that begin come to an end. */
export async function pinGit(keep: Keep, home: GitHome): Promise<readonly string[]> {
  const files = await readPinned(home);
  const before = (await readRecord(keep)).git;
  await writeRecord(keep, { git: { head: home.head, files } });
  return before === null ? [] : different(before.files, files);
}

/** Puts back what somebody changed in git since it was pinned, and names it. */
export async function restoreGit(keep: Keep, home: GitHome): Promise<readonly string[]> {
  const pins = (await readRecord(keep)).git;
  if (pins === null) return [];
  const paths = different(pins.files, await readPinned(home));
  for (const path of paths) {
    const was = pins.files[path];
    const file = join(home.commonDir, path);
    if (was === undefined || was === IRREGULAR) await rm(file, { recursive: true, force: true });
    else await replaceFile(file, Buffer.from(was, 'base64'));
  }
  return paths.map((path) => `.git/${path}`);
}

function different(a: GitPins['files'], b: GitPins['files']): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((path) => a[path] !== b[path]).sort();
}

/** Commits that came onto the branch since it was pinned, and that no turn made; `null` for a branch that was set back. */
export async function commitsOutside(
  root: string,
  keep: Keep,
  head: string | null,
): Promise<readonly string[]> {
  const { git: pins, commits } = await readRecord(keep);
  if (pins === null || pins.head === null || head === null || head === pins.head) return [];
  const listed = await git(root, ['rev-list', head, '--not', pins.head]);
  const found = (listed ?? '').split('\n').filter((line) => line !== '');
  const foreign = found.filter((commit) => !commits.includes(commit));
  const onTop = (await git(root, ['merge-base', '--is-ancestor', pins.head, head])) !== undefined;
  return onTop ? foreign : [...foreign, `the branch no longer holds ${pins.head}`];
}
