import { join } from 'node:path';
import { deliveryErrors } from '../errors.ts';
import { commitTree, git, gitRun } from '../repository/git.ts';
import type { GitHome } from '../repository/git-home.ts';
import type { Keep } from '../repository/keep.ts';
import { turnFolder } from '../repository/leases.ts';
import type { TreePlace, Work } from './read-work.ts';

/** What the branch would hold with a turn's work in it. */
export type Merged =
  | { readonly kind: 'clean'; readonly tree: string }
  | { readonly kind: 'conflict'; readonly files: readonly string[] };

/**
 * Merges a turn's work with what the branch holds now. `mine` takes the turn's own bytes for each path that it changed,
 * whatever else has changed there: a person has merged them, or the same role goes on revising its document.
 */
export async function mergeWork(
  root: string,
  keep: Keep,
  turnId: string,
  place: TreePlace,
  home: GitHome,
  work: Work,
  mine: boolean,
): Promise<Merged> {
  if (home.head === place.base) return { kind: 'clean', tree: work.tree };
  if (mine) return { kind: 'clean', tree: await overlaid(root, keep, turnId, place, home, work) };
  const commit = async (tree: string, note: string) => (await commitTree(root, tree, place.base, note)) ?? '';
  const ours = await commit(`${home.head}^{tree}`, 'The branch');
  const theirs = await commit(work.tree, 'The turn');
  const merged = await gitRun(root, [
    'merge-tree',
    '--write-tree',
    '-z',
    '--name-only',
    '--no-messages',
    ours,
    theirs,
  ]);
  const [tree = '', ...files] = merged.stdout.split('\0').filter((field) => field !== '');
  if (merged.ok) return { kind: 'clean', tree };
  if (files.length === 0) throw deliveryErrors.merge_blocked({ message: merged.stderr.trim().slice(0, 500) });
  const { prefix } = home;
  const unique = [...new Set(files)];
  return {
    kind: 'conflict',
    files: unique.map((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : path)),
  };
}

async function overlaid(
  root: string,
  keep: Keep,
  turnId: string,
  place: TreePlace,
  home: GitHome,
  work: Work,
): Promise<string> {
  const at = { index: join(turnFolder(keep, turnId), 'merge-index') };
  const lines = Object.entries(work.changed).map(([path, { mode, oid }]) =>
    oid === null
      ? `0 ${'0'.repeat(home.head.length)}\t${place.prefix}${path}`
      : `${mode} ${oid}\t${place.prefix}${path}`,
  );
  await git(root, ['read-tree', home.head], undefined, at);
  await git(root, ['update-index', '-z', '--index-info'], lines.map((line) => `${line}\0`).join(''), at);
  return (await git(root, ['write-tree'], undefined, at))?.trim() ?? '';
}

/** Makes the commit of a turn on top of the branch, which does not move yet. */
export async function commitWork(root: string, head: string, tree: string, message: string): Promise<string> {
  const made = await commitTree(root, tree, head, message);
  if (made === undefined) throw deliveryErrors.checkpoint_failed();
  return made;
}

/** Refuses while what the merge would write is changed, and not committed, in the repository itself. */
export async function requireRoom(root: string, from: string, to: string): Promise<void> {
  const tried = await gitRun(root, ['read-tree', '-m', '-u', '-n', from, to]);
  if (tried.ok) return;
  throw deliveryErrors.merge_blocked({
    message: `The repository has changes where the turn’s work belongs: ${tried.stderr.trim().slice(0, 500)}`,
  });
}

/** Keeps what a turn that was sent back had done where anybody can read it and nothing builds on it. */
export async function keepRejected(
  root: string,
  name: string,
  base: string,
  tree: string,
  message: string,
): Promise<void> {
  const commit = await commitWork(root, base, tree, message);
  await git(root, ['update-ref', `refs/baton/rejected/${name}`, commit]);
}
