import { lstat, readFile, readlink } from 'node:fs/promises';
import { formatMillis } from '../../../kernel/instant.ts';
import type { GovernedConfig } from '../config/config.ts';
import { allGateFiles } from '../gates/rules/predicates.ts';
import { isOrchestratorPath } from '../path-rules.ts';
import type { HistoryRow } from '../records.ts';
import { committedPaths, statusOf, type TreeStatus } from '../repository/git.ts';
import { within } from '../repository/paths.ts';
import type { LockedRepository } from '../repository/repository.ts';
import type { ActiveTurn, Baseline } from '../run-state.ts';
import { markerOf, observedMarkers, readBaseline } from './rules/baseline.ts';
import type { Observation } from './rules/observation.ts';

type WorkTree = Pick<LockedRepository, 'root' | 'hasher' | 'clock'>;

/** The state of the work tree when a turn is assigned. */
export async function takeBaseline(
  tree: WorkTree,
  config: GovernedConfig,
  seen?: TreeStatus,
): Promise<Baseline> {
  const documents = await hashes(tree, allGateFiles(config));
  const captured = { captured_at: formatMillis(tree.clock.now()), documents };
  const status = seen ?? (await statusOf(tree.root));
  if (status === undefined)
    return { kind: 'no_git', head_ref: null, clean: true, dirty_snapshot: {}, ...captured };
  const dirty = Object.entries(await hashes(tree, status.changed));
  return {
    kind: 'git_worktree',
    head_ref: status.head,
    clean: dirty.every(([path]) => isOrchestratorPath(path)),
    dirty_snapshot: Object.fromEntries(dirty.map(([path, hash]) => [path, markerOf(hash)])),
    ...captured,
  };
}

/**
 * The baseline of another attempt: the tree as it is, except that what the turn itself left there still counts as its
 * change and must be declared.
 */
export async function retryBaseline(locked: LockedRepository, turn: ActiveTurn): Promise<Baseline> {
  const { history, config } = locked.snapshot;
  const fresh = await takeBaseline(locked, config);
  const first = readBaseline(turn.baseline);
  if (first === undefined) return fresh;
  const accepted = acceptedMarkers(history);
  const others = history.some((row) => row.accepted_sequence > turn.assigned_sequence);
  const dirty = Object.entries(fresh.dirty_snapshot).filter(
    ([path, marker]) => first.dirty[path] === marker || accepted.get(path) === marker,
  );
  return {
    ...fresh,
    head_ref: others ? fresh.head_ref : first.head,
    dirty_snapshot: Object.fromEntries(dirty),
    documents: { ...fresh.documents, ...first.documents },
  };
}

/** What has changed since the baseline; null without git. */
export async function observeSince(tree: WorkTree, baseline: Baseline | null): Promise<Observation | null> {
  const from = readBaseline(baseline);
  if (from === undefined) return null;
  const { root } = tree;
  const committed = from.head === null ? [] : await committedPaths(root, from.head);
  const status = await statusOf(root);
  const paths = new Set([...committed, ...(status?.changed ?? []), ...Object.keys(from.dirty)]);
  const product = [...paths].filter((path) => !isOrchestratorPath(path));
  const now = await hashes(tree, product);
  const changed = Object.fromEntries(
    Object.entries(now).filter(
      ([path, hash]) => !(Object.hasOwn(from.dirty, path) && from.dirty[path] === markerOf(hash)),
    ),
  );
  return { head: status?.head ?? null, changed };
}

/** Changed paths that no accepted turn of this run left in exactly this state; undefined without git. */
export async function unexplainedChanges(
  tree: WorkTree,
  history: readonly HistoryRow[],
  seen?: TreeStatus,
): Promise<readonly string[] | undefined> {
  const status = seen ?? (await statusOf(tree.root));
  if (status === undefined) return undefined;
  const dirty = status.changed.filter((path) => !isOrchestratorPath(path));
  const now = await hashes(tree, dirty);
  const accepted = acceptedMarkers(history);
  return dirty.filter((path) => accepted.get(path) !== markerOf(now[path] ?? null));
}

/** How files were left by the last accepted turn that changed them. */
function acceptedMarkers(history: readonly HistoryRow[]): ReadonlyMap<string, string> {
  return new Map(history.flatMap((row) => Object.entries(observedMarkers(row.observed_artifact))));
}

/** Content hashes as git sees them: a link is where it leads. Null for what is not there, and for what is no file. */
export async function hashes(
  { root, hasher }: Pick<WorkTree, 'root' | 'hasher'>,
  paths: readonly string[],
): Promise<Record<string, string | null>> {
  const entries = await Promise.all(
    paths.map(async (path) => {
      const bytes = await contentOf(within(root, path));
      return [path, bytes === null ? null : hasher.hex(bytes)] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/** Whatever it is that an agent left there: a pipe is not waited for, and nothing is read through a link. */
async function contentOf(file: string): Promise<Buffer | null> {
  const info = await lstat(file).catch(() => undefined);
  if (info?.isSymbolicLink()) return readlink(file, 'buffer').catch(() => null);
  return info?.isFile() ? readFile(file).catch(() => null) : null;
}
