import { join, resolve } from 'node:path';
import { git } from './git.ts';
import { regularFile } from './keep.ts';

/** The places of a repository's git, as its work tree and its linked work trees see them. */
export interface GitHome {
  readonly gitDir: string;
  /** Shared by linked work trees. */
  readonly commonDir: string;
  readonly top: string;
  readonly prefix: string;
  readonly head: string;
  /** The full name of the branch that is checked out, or HEAD. */
  readonly branch: string;
}

interface Known {
  readonly home: GitHome;
  readonly decidedBy: string;
}

const known = new Map<string, Known>();

/** Undefined without git, and before the first commit. Git is asked only where what decides its answer has changed. */
export async function gitHome(root: string): Promise<GitHome | undefined> {
  const before = known.get(root);
  if (before !== undefined) {
    const [decidedBy, head] = await Promise.all([whatDecides(root, before.home), headFile(before.home)]);
    if (decidedBy === before.decidedBy && head !== undefined) return { ...before.home, head };
  }
  const home = await ask(root);
  const decidedBy = home && (await whatDecides(root, home));
  if (home === undefined || decidedBy === undefined) known.delete(root);
  else known.set(root, { home, decidedBy });
  return home;
}

async function ask(root: string): Promise<GitHome | undefined> {
  const places = ['--absolute-git-dir', '--git-common-dir', '--show-toplevel', '--show-prefix'];
  const lines = (await git(root, ['rev-parse', ...places, 'HEAD', '--symbolic-full-name', 'HEAD']))?.split(
    '\n',
  );
  if (lines === undefined) return undefined;
  const [gitDir = '', commonDir = '', top = '', prefix = '', head = '', branch = ''] = lines;
  return { gitDir, commonDir: resolve(root, commonDir), top, prefix, head, branch };
}

/** Undefined where git finds its places in a way that is not looked through here: it is asked each time. */
async function whatDecides(
  root: string,
  { gitDir, commonDir, prefix }: GitHome,
): Promise<string | undefined> {
  // Only the plain form: the repository's own folder, and nothing of git's in the folders below it.
  const own = join(
    root,
    ...prefix
      .split('/')
      .filter(Boolean)
      .map(() => '..'),
    '.git',
  );
  if (gitDir !== commonDir || resolve(own) !== gitDir) return undefined;
  const between = prefix.split('/').filter(Boolean);
  const nested = between.map((_name, index) =>
    join(root, ...between.slice(index + 1).map(() => '..'), '.git'),
  );
  const files = ['HEAD', 'config', 'commondir', 'config.worktree'].map((name) => join(gitDir, name));
  const found = await Promise.all([...files, ...nested].map(regularFile));
  if (found.slice(2).some((bytes) => bytes !== 'absent')) return undefined;
  if (found.some((bytes) => bytes === 'irregular')) return undefined;
  return found.map(String).join('\0');
}

/** The commit that is checked out, where a file of its own says it. */
async function headFile({ gitDir, branch }: GitHome): Promise<string | undefined> {
  const bytes = await regularFile(join(gitDir, ...branch.split('/')));
  const text = typeof bytes === 'string' ? '' : bytes.toString('latin1');
  return /^[0-9a-f]{40,64}\n$/.test(text) ? text.trim() : undefined;
}
