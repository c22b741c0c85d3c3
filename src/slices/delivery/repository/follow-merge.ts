import { deliveryErrors } from '../errors.ts';
import { gitRun, headOf } from './git.ts';
import { type Keep, vouchFor } from './keep.ts';
import type { Merge } from './transaction.ts';

/**
 * Moves the branch to the commit of an accepted turn, and brings the files that differ between the two into the
 * repository. Doing it again changes nothing, and what git refuses, because somebody holds one of its locks, is done
 * again by the next command. A branch that somebody else has moved meanwhile is left where it is; the check of the run
 * names it.
 */
export async function followMerge(root: string, keep: Keep, { from, to }: Merge): Promise<void> {
  await vouchFor(keep, [to]);
  const moved = await gitRun(root, ['update-ref', '-m', 'baton: accept a turn', 'HEAD', to, from]);
  const head = moved.ok ? to : await headOf(root);
  if (head === from) throw refused(moved.stderr);
  if (head !== to) return;
  const brought = await gitRun(root, ['read-tree', '-m', '-u', from, to]);
  if (!brought.ok) throw refused(brought.stderr);
}

function refused(reason: string) {
  return deliveryErrors.merge_blocked({
    message: `Git cannot bring the turn’s work into the repository: ${reason.trim().slice(0, 500)}`,
  });
}
