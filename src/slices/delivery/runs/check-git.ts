import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asRecord, isString } from '../../../kernel/json/loose.ts';
import { git, gitRun, headOf, IGNORE_DIRTY, isWorkTree, statusOf } from '../repository/git.ts';
import type { RunRepository } from '../repository/repository.ts';
import type { Snapshot } from '../repository/snapshot.ts';
import { readBlobs } from '../trees/read-blobs.ts';
import { unexplainedChanges } from '../turns/observe.ts';
import { markerOf, observedMarkers } from '../turns/rules/baseline.ts';

export interface GitCheck {
  readonly check: string;
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

/** Whether the branch holds what the history says of each turn, and what it holds besides. */
export async function checkGit(
  repository: RunRepository,
  snapshot: Snapshot,
  known: readonly string[],
): Promise<GitCheck> {
  const { root } = repository;
  const check = 'git';
  if (!(await isWorkTree(root)))
    return { check, faults: [], notes: ['There is no git repository to compare with.'] };
  const faults: string[] = [];
  for (const row of snapshot.history) {
    const commit = asRecord(row.observed_artifact).commit;
    if (isString(commit))
      faults.push(...(await turnFaults(repository, row.turn_id, commit, row.observed_artifact)));
  }
  const [first] = snapshot.history;
  const begun = asRecord(first?.observed_artifact).baseline_ref ?? snapshot.state.accepted_integration_ref;
  const since = isString(begun) ? begun.replace('git:', '') : await headOf(root);
  const listed =
    since === null ? '' : await git(root, ['log', '--format=%H %an: %s', 'HEAD', '--not', since]);
  const foreign = (listed ?? '')
    .split('\n')
    .filter((line) => line !== '' && !known.includes(line.slice(0, line.indexOf(' '))));
  const status = await statusOf(root);
  const dirty = (await unexplainedChanges(repository, snapshot.history, status)) ?? [];
  const hidden = await hiddenChanges(repository, status?.changed ?? []);
  return {
    check,
    faults: [...faults, ...(await brokenObjects(root))],
    notes: [
      ...hidden.map((path) => `${path} is not as on the branch, and git’s index says not to show it.`),
      ...foreign.map((line) => `No turn made commit ${line}`),
      ...dirty.map((path) => `No turn made the change to ${path} that is in the repository.`),
    ],
  };
}

/** Changed files that git has been told to take for unchanged; our own index tells them. */
async function hiddenChanges(
  { root, keep }: RunRepository,
  shown: readonly string[],
): Promise<readonly string[]> {
  await mkdir(keep.dir, { recursive: true });
  const folder = await mkdtemp(join(keep.dir, 'verify-'));
  const at = { index: join(folder, 'index') };
  try {
    await git(root, ['read-tree', 'HEAD'], undefined, at);
    // What is not there at all may be left out of a sparse checkout.
    const form = [
      '--name-only',
      '-z',
      '--no-ext-diff',
      '--no-renames',
      '--diff-filter=d',
      '--relative',
      IGNORE_DIRTY,
    ];
    const found = (await git(root, ['diff', ...form, 'HEAD', '--', '.'], undefined, at)) ?? '';
    return found.split('\0').filter((path) => path !== '' && !shown.includes(path));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const BROKEN = /hash-path mismatch|hash mismatch|corrupt|^missing |unable to (read|unpack)/;

/** Objects that do not hold what their names say: git checks that only here. */
async function brokenObjects(root: string): Promise<readonly string[]> {
  const checked = await gitRun(root, ['fsck', '--no-dangling', '--no-progress', '--no-reflogs']);
  if (checked.ok) return [];
  return `${checked.stderr}\n${checked.stdout}`
    .split('\n')
    .filter((line) => BROKEN.test(line))
    .slice(0, 20)
    .map((line) => `git: ${line}`);
}

async function turnFaults(
  { root, hasher }: RunRepository,
  turnId: string,
  commit: string,
  observed: unknown,
): Promise<readonly string[]> {
  if ((await git(root, ['merge-base', '--is-ancestor', commit, 'HEAD'])) === undefined)
    return [`The branch does not hold ${commit}, which is turn ${turnId}.`];
  const prefix = ((await git(root, ['rev-parse', '--show-prefix'])) ?? '').trim();
  const listed =
    (await git(root, ['diff-tree', '-r', '-z', '--no-renames', IGNORE_DIRTY, `${commit}^`, commit])) ?? '';
  const fields = listed.split('\0');
  const oids = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const oid = (fields[at] ?? '').split(' ')[3] ?? '';
    oids.set((fields[at + 1] ?? '').slice(prefix.length), oid);
  }
  const blobs = await readBlobs(
    root,
    [...oids.values()].filter((oid) => !/^0+$/.test(oid)),
  );
  const markers = observedMarkers(observed);
  return [...oids].flatMap(([path, oid]) => {
    const bytes = blobs.get(oid);
    const found = markerOf(bytes === undefined ? null : hasher.hex(bytes));
    // Where others changed the same file, the commit holds the merge of both.
    return markers[path] === undefined || markers[path] === found
      ? []
      : [`${path} in commit ${commit} is not what turn ${turnId} was accepted with.`];
  });
}
