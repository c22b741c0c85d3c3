import { formatMillis } from '../../../kernel/instant.ts';
import { both } from '../both.ts';
import { deliveryErrors } from '../errors.ts';
import { readGateFiles } from '../gates/current-gate.ts';
import { allGateFiles, gateFilePaths } from '../gates/rules/predicates.ts';
import { containedPath } from '../path-rules.ts';
import { git } from '../repository/git.ts';
import { type GitHome, gitHome } from '../repository/git-home.ts';
import { changedAround, commitsOutside, restoreGit } from '../repository/git-pins.ts';
import { isOutOfReach } from '../repository/governed.ts';
import { readRecord } from '../repository/keep.ts';
import { readLease } from '../repository/leases.ts';
import { noteFinding } from '../repository/reconcile.ts';
import type { LockedRepository } from '../repository/repository.ts';
import type { ActiveTurn } from '../run-state.ts';
import { mergeWork } from '../trees/merge-work.ts';
import { readBlobs } from '../trees/read-blobs.ts';
import { hashesOf, readWork, type TreePlace, type Work } from '../trees/read-work.ts';
import { hashes, observeSince } from './observe.ts';
import { documentsIn } from './rules/baseline.ts';
import { detectConflict } from './rules/conflict.ts';
import type { GateDocuments } from './rules/judge.ts';
import type { Observation } from './rules/observation.ts';

/** What a turn did, and what accepting it would make of the repository. */
export interface InspectedWork {
  readonly observation: Observation | null;
  readonly gateFiles: ReadonlyMap<string, string>;
  readonly documents: GateDocuments;
  /** Governed files, and git's own, that were changed while it was at work; they are as before again. */
  readonly overreach: readonly string[];
  /** Links that lead out of the repository, repositories inside it, files outside the governed folder. */
  readonly unfit: readonly string[];
  readonly unmerged: readonly string[];
  /** Present for a turn with a work tree of its own. */
  readonly merge?: {
    readonly home: GitHome;
    readonly tree: string;
    readonly work: Work;
    readonly place: TreePlace;
  };
}

export async function inspectWork(
  locked: LockedRepository,
  turn: ActiveTurn,
  declared: readonly string[],
  merged: boolean,
): Promise<InspectedWork> {
  const { root, keep } = locked;
  const lease = await readLease(keep, turn.turn_id);
  const home = await gitHome(root);
  const suspected = (await readRecord(keep)).suspects[turn.turn_id] ?? [];
  // A person who works in the repository uses its git as they like.
  const inGit = home === undefined || lease?.work.kind !== 'tree' ? [] : await restoreGit(keep, home);
  if (inGit.length > 0) {
    const at = formatMillis(locked.clock.now());
    await noteFinding(keep, { at, kind: 'restored', paths: inGit, turns: [turn.turn_id] });
  }
  const overreach = [...suspected, ...inGit];
  if (lease?.work.kind !== 'tree' || home === undefined)
    return { ...(await inPlace(locked, turn, declared)), overreach, unfit: [], unmerged: [] };
  await requireSameGit(locked, turn, home);
  const foreign = await commitsOutside(root, keep, home);
  if (foreign.length > 0)
    throw deliveryErrors.commits_outside({
      message: `While turn ${turn.turn_id} was at work, the branch changed: ${foreign.join(', ')}.`,
      details: { commits: foreign },
    });
  const inTree = await ofTree(locked, turn, lease.work, home, declared, merged);
  return { ...inTree, overreach: [...overreach, ...inTree.overreach] };
}

/** What git would make of the turn's files is decided outside the repository, too. */
async function requireSameGit(
  { keep, hasher, clock }: LockedRepository,
  turn: ActiveTurn,
  home: GitHome,
): Promise<void> {
  const paths = await changedAround(keep, home, hasher);
  if (paths.length === 0) return;
  await noteFinding(keep, {
    at: formatMillis(clock.now()),
    kind: 'refused',
    paths,
    turns: [turn.turn_id],
  });
  throw deliveryErrors.git_changed({
    message: `While turn ${turn.turn_id} was at work, what decides what git does was changed: ${paths.join(', ')}.`,
    details: { paths },
  });
}

async function ofTree(
  locked: LockedRepository,
  turn: ActiveTurn,
  place: TreePlace,
  home: GitHome,
  declared: readonly string[],
  byHand: boolean,
): Promise<InspectedWork> {
  const { root, keep, hasher, snapshot } = locked;
  const { config, state, history } = snapshot;
  const documents = allGateFiles(config);
  const expected = [...documents, ...declared.flatMap((path) => containedPath(path) ?? [])].filter(
    (path) => !path.startsWith('.agentxchain/'),
  );
  const { turn_id } = turn;
  const work = await readWork(root, keep, turn_id, place, home, config.worktree, [...new Set(expected)]);
  const { prompts } = await readRecord(keep);
  const merge = (mine: boolean) => mergeWork(root, keep, turn_id, place, home, work, mine);
  let result = await merge(byHand);
  if (result.kind === 'conflict') {
    const { revised } = detectConflict(turn, declared, history);
    if (result.files.every((path) => revised.includes(path))) result = await merge(true);
  }
  const tree = result.kind === 'clean' ? result.tree : work.tree;
  const revised = documents.filter((path) => Object.hasOwn(work.changed, path));
  const [changed, own] = await both(
    hashesOf(root, home, work.changed, hasher),
    blobsAt(root, tree, place.prefix, revised),
  );
  const written = Object.fromEntries([...own].map(([path, bytes]) => [path, hasher.hex(bytes)]));
  const gone = revised.filter((path) => !own.has(path));
  const gateFiles = new Map(await readGateFiles(root, snapshot));
  for (const path of gateFilePaths(config, state.phase)) {
    const bytes = own.get(path);
    if (bytes !== undefined) gateFiles.set(path, bytes.toString('utf8'));
    else if (gone.includes(path)) gateFiles.delete(path);
  }
  return {
    observation: { head: home.head, changed, own: true },
    gateFiles,
    documents: {
      now: {
        ...(await hashes(locked, documents)),
        ...Object.fromEntries(gone.map((path) => [path, null])),
        ...written,
      },
      written,
    },
    overreach: [...Object.keys(work.changed).filter((path) => isOutOfReach(path, prompts)), ...work.planted],
    unfit: [...work.unfit, ...work.outside],
    unmerged: result.kind === 'conflict' ? result.files : [],
    merge: { home, tree, work, place },
  };
}

/** The regular files among these paths, as a tree has them. */
async function blobsAt(
  root: string,
  tree: string,
  prefix: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (paths.length === 0) return new Map();
  const full = paths.map((path) => `${prefix}${path}`);
  const listed = (await git(root, ['ls-tree', '-z', '--full-tree', tree, '--', ...full])) ?? '';
  const oids = new Map<string, string>();
  for (const line of listed.split('\0')) {
    const [about = '', path = ''] = line.split('\t');
    const [mode, , oid = ''] = about.split(' ');
    if (mode?.startsWith('100')) oids.set(path.slice(prefix.length), oid);
  }
  const blobs = await readBlobs(root, [...oids.values()]);
  return new Map(
    [...oids].flatMap(([path, oid]) => {
      const bytes = blobs.get(oid);
      return bytes === undefined ? [] : [[path, bytes] as const];
    }),
  );
}

async function inPlace(
  locked: LockedRepository,
  turn: ActiveTurn,
  declared: readonly string[],
): Promise<Pick<InspectedWork, 'observation' | 'gateFiles' | 'documents'>> {
  const { root, snapshot } = locked;
  const observation = await observeSince(locked, turn.baseline);
  const now = await hashes(locked, allGateFiles(snapshot.config));
  const before = documentsIn(turn.baseline);
  const named = new Set(declared.map((path) => containedPath(path)));
  const wrote = (path: string, hash: string) => {
    if (Object.hasOwn(before, path)) return before[path] !== hash;
    return observation === null ? named.has(path) : Object.hasOwn(observation.changed, path);
  };
  const written = Object.entries(now).flatMap(([path, hash]) =>
    hash !== null && wrote(path, hash) ? [[path, hash] as const] : [],
  );
  return {
    observation,
    gateFiles: await readGateFiles(root, snapshot),
    documents: { now, written: Object.fromEntries(written) },
  };
}
