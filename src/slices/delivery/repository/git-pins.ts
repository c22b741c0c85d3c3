import { readdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Hasher } from '../../../kernel/hasher.ts';
import { readText } from './files.ts';
import { git } from './git.ts';
import type { GitHome } from './git-home.ts';
import { differing, gitSurroundings } from './git-surroundings.ts';
import { type GitPins, type Keep, readRecord, regularFile, replaceFile, writeRecord } from './keep.ts';

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
const REPLACED = 'refs/replace';
const FOLDERS = ['hooks', REPLACED];
/** Where a linked work tree has its own. */
const OF_WORK_TREE = ['config.worktree', 'info/sparse-checkout'];

async function readPinned(home: GitHome): Promise<GitPins['files']> {
  const paths = [...FILES];
  if (home.gitDir !== home.commonDir)
    paths.push(...OF_WORK_TREE.map((name) => relative(home.commonDir, join(home.gitDir, name))));
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
  return { ...(await packedReplacements(home)), ...Object.fromEntries(entries.flat()) };
}

const PACKED_REPLACEMENT = /^([0-9a-f]+) (refs\/replace\/\S+)\n(?:\^.*\n)?/gm;

/** Replacements that `git pack-refs` has moved, in the form that they have as files. */
async function packedReplacements({ commonDir }: GitHome): Promise<GitPins['files']> {
  const packed = await readText(join(commonDir, 'packed-refs'));
  return Object.fromEntries(
    [...packed.matchAll(PACKED_REPLACEMENT)].map(([, oid = '', name = '']) => [
      name,
      Buffer.from(`${oid}\n`).toString('base64'),
    ]),
  );
}

async function dropPackedReplacements({ commonDir }: GitHome): Promise<void> {
  const file = join(commonDir, 'packed-refs');
  const packed = await readText(file);
  const without = packed.replaceAll(PACKED_REPLACEMENT, '');
  if (without !== packed) await replaceFile(file, Buffer.from(without));
}

const IRREGULAR = '!';

/** Takes git as it is now for what it should be when the turns that begin come to an end. */
export async function pinGit(keep: Keep, home: GitHome, hasher: Hasher): Promise<readonly string[]> {
  const { head, branch, commonDir } = home;
  const [files, around] = await Promise.all([readPinned(home), gitSurroundings(commonDir, hasher)]);
  const before = (await readRecord(keep)).git;
  await writeRecord(keep, { git: { head, branch, files, around } });
  if (before === null) return [];
  const inGit = differing(before.files, files).map((path) => `.git/${path}`);
  return [...inGit, ...differing(before.around ?? around, around)];
}

/** What changed outside the repository since git was pinned. It is somebody's own, so it is not put back. */
export async function changedAround(keep: Keep, home: GitHome, hasher: Hasher): Promise<readonly string[]> {
  const pins = (await readRecord(keep)).git;
  if (pins?.around === undefined) return [];
  return differing(pins.around, await gitSurroundings(home.commonDir, hasher));
}

/** A person has looked: git is to be as it is now. */
export async function adoptGit(keep: Keep, home: GitHome, hasher: Hasher): Promise<readonly string[]> {
  const pins = (await readRecord(keep)).git;
  if (pins === null) return [];
  const around = await gitSurroundings(home.commonDir, hasher);
  await writeRecord(keep, { git: { ...pins, branch: home.branch, around } });
  return differing(pins.around ?? around, around);
}

/** Puts back what somebody changed in git since it was pinned, and names it. */
export async function restoreGit(keep: Keep, home: GitHome): Promise<readonly string[]> {
  const pins = (await readRecord(keep)).git;
  if (pins === null) return [];
  const paths = differing(pins.files, await readPinned(home));
  if (paths.some((path) => path.startsWith(REPLACED))) await dropPackedReplacements(home);
  for (const path of paths) {
    const was = pins.files[path];
    const file = join(home.commonDir, path);
    if (was === undefined || was === IRREGULAR) await rm(file, { recursive: true, force: true });
    else await replaceFile(file, Buffer.from(was, 'base64'));
  }
  return paths.map((path) => `.git/${path}`);
}

/** Commits that came onto the branch since it was pinned, and that no turn made; `null` for a branch that was set back. */
export async function commitsOutside(
  root: string,
  keep: Keep,
  { head, branch }: GitHome,
): Promise<readonly string[]> {
  const { git: pins, commits } = await readRecord(keep);
  if (pins === null) return [];
  if ((pins.branch ?? branch) !== branch) return [`${branch} is checked out instead of ${pins.branch}`];
  if (pins.head === null || head === pins.head) return [];
  const listed = await git(root, ['rev-list', head, '--not', pins.head]);
  const found = (listed ?? '').split('\n').filter((line) => line !== '');
  const foreign = found.filter((commit) => !commits.includes(commit));
  const onTop = (await git(root, ['merge-base', '--is-ancestor', pins.head, head])) !== undefined;
  return onTop ? foreign : [...foreign, `the branch no longer holds ${pins.head}`];
}
