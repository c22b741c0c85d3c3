import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * The repository that a linked worktree (`git worktree add`) belongs to; undefined for any other folder. Both must name
 * each other: a `.git` file that came in an archive could name any repository.
 */
export function mainWorktree(root: string): string | undefined {
  try {
    const link = join(root, '.git');
    const gitFolder = /^gitdir: (.+?)\s*$/.exec(readFileSync(link, 'utf8'))?.[1];
    if (gitFolder === undefined) return undefined;
    const own = realpathSync(resolve(root, gitFolder));
    const back = resolve(own, readFileSync(join(own, 'gitdir'), 'utf8').trim());
    if (realpathSync(back) !== realpathSync(link)) return undefined;
    const shared = realpathSync(resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim()));
    return basename(shared) === '.git' ? dirname(shared) : undefined;
  } catch {
    return undefined;
  }
}
