import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asRecord, isString } from '../../../kernel/json/loose.ts';
import type { HistoryRow } from '../records.ts';
import { type GitPlace, git, gitRun, IGNORE_DIRTY } from '../repository/git.ts';
import type { RunRepository } from '../repository/repository.ts';

/** From where on changes are shown: the beginning of the gate's phase, or of the run. */
export type Since = 'phase' | 'run';

/** What turns changed, as git shows it. */
export interface Changes {
  /** The commit before them; null where git knows none. */
  readonly from: string | null;
  /** Their last commit; null where their files are not committed, and are shown as they are. */
  readonly to: string | null;
  readonly files: readonly ChangedFile[];
  readonly patch: string;
  /** The patch is longer. */
  readonly truncated: boolean;
}

export interface ChangedFile {
  readonly path: string;
  /** Lines; null for a binary file, and without git. */
  readonly added: number | null;
  readonly deleted: number | null;
}

/** Characters of a patch. */
const MOST = 400_000;

/** Nothing that a repository's configuration or attributes name is started, and the form is always the same. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--relative', IGNORE_DIRTY];
const PREFIXES = ['--src-prefix=a/', '--dst-prefix=b/'];
const PRODUCT = ['--', '.', ':(exclude).agentxchain', ':(exclude)TALK.md'];

export async function changesOf(
  { root }: Pick<RunRepository, 'root'>,
  rows: readonly HistoryRow[],
): Promise<Changes> {
  const changed = rows.filter((row) => row.files_changed.length > 0);
  const first = changed.map(beforeTurn).find((each) => each !== undefined);
  const from = first === undefined ? undefined : await git(root, ['rev-parse', '--verify', first]);
  if (from === undefined)
    return { from: null, to: null, files: declared(changed), patch: '', truncated: false };
  const last = changed.at(-1);
  const to = last === undefined ? null : (commitOf(last) ?? null);
  // A turn without a commit worked in the repository itself: its files are as they are there.
  return changed.every((row) => commitOf(row) !== undefined)
    ? compared(root, [from.trim(), ...(to === null ? [] : [to])], {})
    : withUntracked(root, (index) => compared(root, [from.trim()], { index }));
}

const commitOf = (row: HistoryRow): string | undefined => {
  const { commit } = asRecord(row.observed_artifact);
  return isString(commit) ? commit : undefined;
};

function beforeTurn(row: HistoryRow): string | undefined {
  const commit = commitOf(row);
  if (commit !== undefined) return `${commit}^`;
  const { baseline_ref: base } = asRecord(row.observed_artifact);
  return isString(base) ? base.replace(/^git:/, '') : undefined;
}

function declared(rows: readonly HistoryRow[]): readonly ChangedFile[] {
  const paths = new Set(rows.flatMap((row) => row.files_changed));
  return [...paths].sort().map((path) => ({ path, added: null, deleted: null }));
}

async function compared(root: string, range: readonly string[], at: GitPlace): Promise<Changes> {
  const diff = (form: readonly string[]) =>
    gitRun(root, ['diff', ...form, ...PLAIN, ...range, ...PRODUCT], undefined, at);
  const [counted, shown] = await Promise.all([
    diff(['--numstat', '-z']),
    diff(['--patch', '--unified=3', ...PREFIXES]),
  ]);
  const patch = shown.stdout.slice(0, MOST);
  const [from = null, to = null] = range;
  return { from, to, files: readCounts(counted.stdout), patch, truncated: shown.stdout.length > MOST };
}

function readCounts(output: string): readonly ChangedFile[] {
  return output
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [added = '', deleted = '', ...path] = line.split('\t');
      const lines = (text: string) => (text === '-' ? null : Number(text));
      return { path: path.join('\t'), added: lines(added), deleted: lines(deleted) };
    });
}

/** With an index of our own in which new files are announced, so that they show, and nothing is written to git. */
async function withUntracked<T>(root: string, use: (index: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'baton-gate-'));
  const at = { index: join(folder, 'index') };
  try {
    await git(root, ['read-tree', 'HEAD'], undefined, at);
    await git(root, ['add', '--intent-to-add', ...PRODUCT], undefined, at);
    return await use(at.index);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
