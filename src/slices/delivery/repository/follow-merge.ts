import { git, headOf } from './git.ts';
import { type Keep, vouchFor } from './keep.ts';
import type { Merge } from './transaction.ts';

/**
 * Moves the branch to the commit of an accepted turn, and brings the files that differ between the two into the
 * repository. Doing it again changes nothing. A branch that somebody else has moved meanwhile is left where it is; the
 * check of the run names it.
 */
export async function followMerge(root: string, keep: Keep, { from, to }: Merge): Promise<void> {
  await vouchFor(keep, [to]);
  const head = await headOf(root);
  if (head === from) await git(root, ['update-ref', '-m', 'baton: accept a turn', 'HEAD', to, from]);
  else if (head !== to) return;
  await git(root, ['read-tree', '-m', '-u', from, to]);
}
