import { readFile } from 'node:fs/promises';
import { asRecord } from '../../../kernel/json/loose.ts';
import { isOrchestratorPath } from '../path-rules.ts';
import type { HistoryRow } from '../records.ts';
import { changedPaths, committedPaths, headOf, isWorkTree } from '../repository/git.ts';
import { within } from '../repository/paths.ts';
import type { LockedRepository } from '../repository/repository.ts';
import type { ActiveTurn, Baseline } from '../run-state.ts';
import type { Observation } from './rules/observation.ts';

type WorkTree = Pick<LockedRepository, 'root' | 'hasher'>;

/** The state of the work tree when a turn is assigned. */
export async function takeBaseline(tree: WorkTree): Promise<Baseline> {
  if (!(await isWorkTree(tree.root))) return { kind: 'none', head: null, dirty: {} };
  const dirty = Object.entries(await hashes(tree, await changedPaths(tree.root)));
  return {
    kind: 'git',
    head: await headOf(tree.root),
    dirty: Object.fromEntries(dirty.map(([path, hash]) => [path, hash ?? 'deleted'])),
  };
}

/**
 * The baseline of another attempt: the tree as it is, except that what the turn itself left there still counts as its
 * change and must be declared.
 */
export async function retryBaseline(locked: LockedRepository, turn: ActiveTurn): Promise<Baseline> {
  const { history } = locked.snapshot;
  const fresh = await takeBaseline(locked);
  const first = turn.baseline;
  if (first === null || first.kind === 'none') return fresh;
  const accepted = acceptedHashes(history);
  const others = history.some((row) => row.accepted_sequence > turn.assigned_sequence);
  const dirty = Object.entries(fresh.dirty).filter(
    ([path, hash]) => first.dirty[path] === hash || accepted.get(path) === hash,
  );
  return { ...fresh, head: others ? fresh.head : first.head, dirty: Object.fromEntries(dirty) };
}

/** What has changed since the baseline; null without git. */
export async function observeSince(tree: WorkTree, baseline: Baseline | null): Promise<Observation | null> {
  if (baseline === null || baseline.kind === 'none') return null;
  const { root } = tree;
  const committed = baseline.head === null ? [] : await committedPaths(root, baseline.head);
  const paths = new Set([...committed, ...(await changedPaths(root)), ...Object.keys(baseline.dirty)]);
  const product = [...paths].filter((path) => !isOrchestratorPath(path));
  const now = await hashes(tree, product);
  const changed = Object.fromEntries(
    Object.entries(now).filter(
      ([path, hash]) => !(Object.hasOwn(baseline.dirty, path) && baseline.dirty[path] === hash),
    ),
  );
  return { head: await headOf(root), changed };
}

/** Changed paths that no accepted turn of this run left in exactly this state; undefined without git. */
export async function unexplainedChanges(locked: LockedRepository): Promise<readonly string[] | undefined> {
  if (!(await isWorkTree(locked.root))) return undefined;
  const dirty = (await changedPaths(locked.root)).filter((path) => !isOrchestratorPath(path));
  const now = await hashes(locked, dirty);
  const accepted = acceptedHashes(locked.snapshot.history);
  return dirty.filter((path) => !accepted.has(path) || accepted.get(path) !== now[path]);
}

/** The content hashes of files as accepted turns left them. */
function acceptedHashes(history: readonly HistoryRow[]): ReadonlyMap<string, unknown> {
  return new Map(history.flatMap((row) => Object.entries(asRecord(asRecord(row.observed_artifact).changed))));
}

async function hashes(
  { root, hasher }: WorkTree,
  paths: readonly string[],
): Promise<Record<string, string | null>> {
  const entries = await Promise.all(
    paths.map(async (path) => {
      const bytes = await readFile(within(root, path)).catch(() => null);
      return [path, bytes === null ? null : hasher.hex(bytes)] as const;
    }),
  );
  return Object.fromEntries(entries);
}
