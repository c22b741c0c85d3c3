import { copyFile, cp, lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WorktreeNeeds } from '../config/config.ts';
import { deliveryErrors } from '../errors.ts';
import { containedPath, isOrchestratorPath } from '../path-rules.ts';
import { commitTree, git, gitRun, readStatus, statusShown, type TreeStatus } from '../repository/git.ts';
import { type GitHome, gitHome } from '../repository/git-home.ts';
import type { Keep } from '../repository/keep.ts';
import { emptyTurnFolder, turnFolder, type WorkPlace } from '../repository/leases.ts';
import { within } from '../repository/paths.ts';

/** A repository as it is when a turn begins, and what in it has not been committed. */
export interface Survey {
  readonly home: GitHome;
  status(): Promise<TreeStatus>;
}

/** Undefined as `gitHome` is. Git is asked both questions at once. */
export async function surveyOf(root: string): Promise<Survey | undefined> {
  const [home, shown] = await Promise.all([gitHome(root), statusShown(root)]);
  return home && { home, status: async () => readStatus(shown, home.prefix) };
}

/**
 * Makes a turn's own work tree, in the keep. It is a repository of its own that borrows the objects, so that whatever an
 * agent does to branches, configuration, hooks or the index in it stays in it.
 */
export async function makeTree(
  root: string,
  keep: Keep,
  turnId: string,
  survey: Survey,
  needs: WorktreeNeeds,
): Promise<Extract<WorkPlace, { kind: 'tree' }>> {
  const { home } = survey;
  const folder = turnFolder(keep, turnId);
  const path = join(folder, 'tree');
  await emptyTurnFolder(keep, turnId);
  const base = await baseCommit(root, survey, folder);
  await checkOut(root, path, home, base, needs);
  // What an agent does to its own index says nothing about what it did to files.
  await copyFile(join(path, '.git', 'index'), join(folder, 'index'));
  return { kind: 'tree', path, base, head: home.head, prefix: home.prefix };
}

/** Makes a work tree of a commit, with what it needs besides. */
export async function checkOut(
  root: string,
  path: string,
  home: GitHome,
  commit: string,
  needs: WorktreeNeeds,
): Promise<void> {
  await layOutGit(path, home, commit, needs);
  const made = await gitRun(path, ['read-tree', '--reset', '-u', commit], undefined, {
    gitDir: join(path, '.git'),
    workTree: path,
  });
  if (!made.ok) throw deliveryErrors.tree_failed({ message: made.stderr.trim().slice(0, 500) });
  await bring(root, join(path, home.prefix), needs);
}

/** HEAD, or a commit on top of it with what is in the repository and has not been committed. */
async function baseCommit(root: string, { home, status }: Survey, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const dirty = (await status()).changed.filter((path) => !isOrchestratorPath(path));
  if (dirty.length === 0) return home.head;
  const index = join(folder, 'base-index');
  const at = { index };
  await git(root, ['read-tree', 'HEAD'], undefined, at);
  await git(root, ['add', '-A', '--', '.', ':(exclude).agentxchain', ':(exclude)TALK.md'], undefined, at);
  const tree = (await git(root, ['write-tree'], undefined, at))?.trim() ?? '';
  const commit = await commitTree(root, tree, home.head, 'Not committed when the turn began');
  if (commit === undefined)
    throw deliveryErrors.tree_failed({ message: 'The repository cannot be read by git.' });
  return commit;
}

async function layOutGit(path: string, home: GitHome, base: string, needs: WorktreeNeeds): Promise<void> {
  const own = join(path, '.git');
  await mkdir(join(own, 'objects', 'info'), { recursive: true });
  await mkdir(join(own, 'refs', 'heads'), { recursive: true });
  await mkdir(join(own, 'info'));
  const config = await readFile(join(home.commonDir, 'config'), 'utf8').catch(() => '');
  const ours = `\n[core]\n\tbare = false\n\tworktree = ${JSON.stringify(path)}\n\thooksPath = ${JSON.stringify(join(own, 'hooks'))}\n\tfsmonitor = false\n`;
  const exclude = await readFile(join(home.commonDir, 'info', 'exclude'), 'utf8').catch(() => '');
  const left = [...LEFT_OUT, ...needs.link, ...needs.copy].map((each) => `/${home.prefix}${each}`);
  await Promise.all([
    writeFile(join(own, 'HEAD'), 'ref: refs/heads/turn\n'),
    writeFile(join(own, 'refs', 'heads', 'turn'), `${base}\n`),
    writeFile(join(own, 'config'), `${config}${ours}`),
    writeFile(join(own, 'objects', 'info', 'alternates'), `${join(home.commonDir, 'objects')}\n`),
    writeFile(join(own, 'info', 'exclude'), `${exclude}\n${left.join('\n')}\n`),
    copyFile(join(home.commonDir, 'shallow'), join(own, 'shallow')).catch(() => {}),
  ]);
}

/** What is in a turn's tree and not its work. */
export const LEFT_OUT: readonly string[] = ['.agentxchain/dispatch', '.agentxchain/staging'];

/** Links and copies what is not in git but needed: dependencies, `.env`. What is not there is left out. */
async function bring(root: string, tree: string, { link, copy }: WorktreeNeeds): Promise<void> {
  const bringEach = async (named: readonly string[], how: (from: string, to: string) => Promise<unknown>) => {
    for (const each of named) {
      const path = containedPath(each);
      if (path === undefined) continue;
      const [from, to] = [within(root, path), within(tree, path)];
      if ((await isThere(to)) || !(await isThere(from))) continue;
      await mkdir(dirname(to), { recursive: true });
      await how(from, to);
    }
  };
  await bringEach(link, (from, to) => symlink(from, to));
  await bringEach(copy, (from, to) => cp(from, to, { recursive: true }));
}

function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
