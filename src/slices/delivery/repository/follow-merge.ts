import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { both } from '../both.ts';
import { deliveryErrors } from '../errors.ts';
import { type GitRun, git, gitRun, headOf, IGNORE_DIRTY } from './git.ts';
import { type Keep, vouchFor } from './keep.ts';
import type { Merge } from './transaction.ts';

/** Git itself waits for branches, but not for its index. */
const PATIENCE = ['-c', 'core.filesRefLockTimeout=1000'];
const LOCKED = /index\.lock'?: File exists/;
const LOOKS = 20;
const LOOK_MS = 50;

/**
 * Moves the branch to the commit of an accepted turn, and brings the files that differ between the two into the
 * repository. Doing it again changes nothing, and what git refuses, because somebody holds one of its locks, is done
 * again by the next command. A branch that somebody else has moved meanwhile is left where it is; the check of the run
 * names it.
 */
export async function followMerge(root: string, keep: Keep, { from, to }: Merge): Promise<void> {
  const move = [...PATIENCE, 'update-ref', '-m', 'baton: accept a turn', 'HEAD', to, from];
  const [moved] = await both(gitRun(root, move), vouchFor(keep, [to]));
  const head = moved.ok ? to : await headOf(root);
  if (head === from) throw refused(moved.stderr);
  if (head !== to) return;
  const bring = ['read-tree', '-m', '-u', from, to];
  const brought = await patiently(root, bring);
  if (brought.ok) return;
  await takeUp(root, keep, from, to);
  const again = await gitRun(root, bring);
  if (!again.ok) throw refused(again.stderr);
}

/** A git command that an orchestrator had started before it was killed goes on without it, and ends soon. */
async function patiently(root: string, args: readonly string[]): Promise<GitRun> {
  let outcome = await gitRun(root, args);
  for (let look = 0; look < LOOKS && !outcome.ok && LOCKED.test(outcome.stderr); look += 1) {
    await pause(LOOK_MS);
    outcome = await gitRun(root, args);
  }
  return outcome;
}

/** Git writes files first and its index last: where it was killed in between, files that are as they will be are so there too. */
async function takeUp(root: string, keep: Keep, from: string, to: string): Promise<void> {
  const at = { index: join(keep.dir, 'brought-index') };
  const read = await gitRun(root, ['read-tree', to], undefined, at);
  const listed = await git(root, ['diff-tree', '-r', '-z', '--no-renames', from, to]);
  const other = await git(root, ['diff', '--no-ext-diff', '--name-only', '-z', IGNORE_DIRTY], undefined, at);
  if (!read.ok || listed === undefined || other === undefined) return;
  const differing = new Set(other.split('\0'));
  const fields = listed.split('\0');
  const lines: string[] = [];
  for (let field = 0; field + 1 < fields.length; field += 2) {
    const [, mode = '', , oid = '', status] = (fields[field] ?? '').split(' ');
    const path = fields[field + 1] ?? '';
    if (status !== 'D' && !differing.has(path)) lines.push(`${mode} ${oid}\t${path}\0`);
  }
  if (lines.length > 0) await git(root, ['update-index', '-z', '--index-info'], lines.join(''));
}

function refused(reason: string) {
  return deliveryErrors.merge_blocked({
    message: `Git cannot bring the turn’s work into the repository: ${reason.trim().slice(0, 500)}`,
  });
}
