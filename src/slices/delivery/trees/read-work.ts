import { lstat, readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Hasher } from '../../../kernel/hasher.ts';
import { both } from '../both.ts';
import type { WorktreeNeeds } from '../config/config.ts';
import { deliveryErrors } from '../errors.ts';
import { type GitPlace, git, gitRun, IGNORE_DIRTY } from '../repository/git.ts';
import type { GitHome } from '../repository/git-home.ts';
import type { Keep } from '../repository/keep.ts';
import { turnFolder, type WorkPlace } from '../repository/leases.ts';
import { within } from '../repository/paths.ts';
import { LEFT_OUT } from './make-tree.ts';
import { readBlobs } from './read-blobs.ts';

export type TreePlace = Extract<WorkPlace, { kind: 'tree' }>;

/** One path as a turn left it. */
export interface Entry {
  readonly mode: string;
  /** Null for one that it deleted. */
  readonly oid: string | null;
}

/** What is in a turn's tree, as git objects: whatever still happens in the tree, this stays what it is. */
export interface Work {
  readonly tree: string;
  /** By path below the governed folder. */
  readonly changed: Readonly<Record<string, Entry>>;
  /** Paths outside the governed folder, from the top of the repository. */
  readonly outside: readonly string[];
  /** Links that lead out of the repository, and repositories inside it. */
  readonly unfit: readonly string[];
  /** What was written where only Baton writes and git ignores it: it comes into no commit, and is named all the same. */
  readonly planted: readonly string[];
}

const OWN_FOLDER = '.agentxchain';
const LINK = '120000';
const SUBMODULE = '160000';

/** Reads a turn's tree with the repository's own git, never with the one that the agent had. */
export async function readWork(
  root: string,
  keep: Keep,
  turnId: string,
  place: TreePlace,
  home: GitHome,
  needs: WorktreeNeeds,
  /** Part of the work even where git ignores them. */
  expected: readonly string[],
): Promise<Work> {
  const at = {
    gitDir: home.gitDir,
    workTree: place.path,
    index: join(turnFolder(keep, turnId), 'index'),
  };
  const left = [...LEFT_OUT, ...needs.link, ...needs.copy];
  const without = left.map((path) => `:(exclude,top,literal)${place.prefix}${path}`);
  const added = await gitRun(place.path, ['add', '-A', '--', '.', ...without], undefined, at);
  // That some of what is left out is ignored anyway also counts as a failure.
  if (!added.ok && /^(error|fatal):/m.test(added.stderr)) throw unreadable(added.stderr);
  const planted = await plantedIn(at, place);
  const work = { ...(await taken(root, at, place)), planted };
  const unseen = expected.filter((path) => !Object.hasOwn(work.changed, path));
  if (!(await addIgnored(at, place, unseen))) return work;
  return { ...(await taken(root, at, place)), planted };
}

type TreeIndex = Required<GitPlace>;

async function treeOf(at: TreeIndex, place: TreePlace): Promise<string> {
  const written = await gitRun(place.path, ['write-tree'], undefined, at);
  if (!written.ok) throw unreadable(written.stderr);
  return written.stdout.trim();
}

/** Git is asked only where there is anything at all: in most repositories the folder holds nothing but what is left out. */
async function plantedIn(at: TreeIndex, { path, prefix }: TreePlace): Promise<readonly string[]> {
  const own = join(path, prefix, OWN_FOLDER);
  const names = await readdir(own).catch(() => []);
  if (names.every((name) => LEFT_OUT.includes(`${OWN_FOLDER}/${name}`))) return [];
  const without = LEFT_OUT.map((each) => `:(exclude,top,literal)${prefix}${each}`);
  const words = ['ls-files', '-z', '--full-name', '--others', '--', `:(top,literal)${prefix}${OWN_FOLDER}`];
  const listed = (await git(path, [...words, ...without], undefined, at)) ?? '';
  return listed
    .split('\0')
    .filter(Boolean)
    .map((full) => full.slice(prefix.length));
}

/** Takes up those of the files that git ignores. False where it ignores none of them. */
async function addIgnored(at: TreeIndex, place: TreePlace, paths: readonly string[]): Promise<boolean> {
  const there: string[] = [];
  for (const path of paths) {
    const info = await lstat(within(join(place.path, place.prefix), path)).catch(() => undefined);
    if (info?.isFile()) there.push(`:(top,literal)${place.prefix}${path}`);
  }
  if (there.length === 0) return false;
  const words = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--'];
  const ignored = await git(place.path, [...words, ...there], undefined, at);
  if (ignored === '') return false;
  await git(place.path, ['add', '-f', '--', ...there], undefined, at);
  return true;
}

function unreadable(reason: string) {
  return deliveryErrors.tree_failed({
    message: `Git cannot take up what is in the turn’s work tree: ${reason.trim().slice(0, 500)}`,
    next: 'Send the turn back: baton run reject',
  });
}

/** What the index holds: as a tree, and how it differs from the one that the turn began with. */
async function taken(root: string, at: TreeIndex, place: TreePlace): Promise<Omit<Work, 'planted'>> {
  const { base, prefix } = place;
  const words = ['diff-index', '--cached', '-r', '-z', '--no-renames', IGNORE_DIRTY, base];
  const [tree, output] = await both(treeOf(at, place), gitRun(place.path, words, undefined, at));
  // What cannot be compared must not pass for a turn that changed nothing.
  if (!output.ok) throw unreadable(output.stderr);
  const fields = output.stdout.split('\0');
  const changed: Record<string, Entry> = {};
  const outside: string[] = [];
  const unfit: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , oid = '', status] = (fields[at] ?? '').split(' ');
    const full = fields[at + 1] ?? '';
    const path = full.startsWith(prefix) ? full.slice(prefix.length) : full;
    if (!full.startsWith(prefix)) outside.push(full);
    changed[path] = { mode, oid: status === 'D' ? null : oid };
    if (mode === SUBMODULE) unfit.push(path);
    if (mode === LINK && !(await staysInside(root, full, oid))) unfit.push(path);
  }
  return { tree, changed, outside, unfit };
}

/** Up from a folder that was gone down into: where that is a link, it leads elsewhere than it reads. */
const UP_AGAIN = /(^|\/)(?!\.{1,2}\/)[^/]+\/+(\.\/+)*\.\.(\/|$)/;

async function staysInside(root: string, path: string, oid: string): Promise<boolean> {
  const target = await git(root, ['cat-file', 'blob', oid]);
  if (target === undefined || posix.isAbsolute(target) || UP_AGAIN.test(target)) return false;
  const leads = posix.normalize(posix.join(posix.dirname(path), target));
  return leads !== '..' && !leads.startsWith('../') && leads.split('/')[0] !== '.git';
}

/** The content hashes of what a turn changed; null for a deleted file. */
export async function hashesOf(
  root: string,
  home: GitHome,
  changed: Work['changed'],
  hasher: Hasher,
): Promise<Readonly<Record<string, string | null>>> {
  const oids = Object.values(changed).flatMap(({ oid, mode }) =>
    oid === null || mode === SUBMODULE ? [] : [oid],
  );
  const blobs = await readBlobs(root, oids, home);
  return Object.fromEntries(
    Object.entries(changed).map(([path, { oid }]) => {
      const bytes = oid === null ? undefined : blobs.get(oid);
      return [path, bytes === undefined ? null : hasher.hex(bytes)];
    }),
  );
}
