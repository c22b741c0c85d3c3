import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { formatMillis } from '../../../kernel/instant.ts';
import { member } from '../../../kernel/json/loose.ts';
import { both } from '../both.ts';
import { refusalError } from '../errors.ts';
import { passHooks } from '../hooks/pass.ts';
import { pinGit } from '../repository/git-pins.ts';
import { readRecord, writeRecord } from '../repository/keep.ts';
import {
  dropLease,
  type Lease,
  readLease,
  readLeases,
  requireFree,
  type WorkPlace,
  writeLease,
  writeTaken,
} from '../repository/leases.ts';
import { bundleDir, stagingDir, within } from '../repository/paths.ts';
import { noteFinding } from '../repository/reconcile.ts';
import type { LockedRepository, RunRepository } from '../repository/repository.ts';
import { type ActiveTurn, type TurnWork, withTurn } from '../run-state.ts';
import { type CommandResult, commandResult } from '../runs/apply.ts';
import { eventOf } from '../runs/rules/change.ts';
import { makeTree, type Survey, surveyOf } from '../trees/make-tree.ts';
import { type BundleExtras, sealBundle, writeBundle } from './bundle.ts';
import type { Manifest } from './rules/manifest.ts';
import { noSuchTurn } from './rules/target.ts';

export interface Dispatched extends CommandResult {
  readonly turn: ActiveTurn;
  readonly manifest: Manifest;
}

/** Runtimes whose agent works on files where it is started. */
const IN_TREES: readonly string[] = ['local_cli', 'mcp'];

/**
 * Writes and seals the turn's bundle, and makes the place where it works. After that nobody may change the bundle, and the
 * agent may be called.
 */
export async function dispatch(repository: RunRepository, turnId: string): Promise<Dispatched> {
  return repository.exclusively(async (locked) => handOut(locked, turnId, 'dispatched', {}));
}

/** Hands a turn out and takes its lease, for whoever calls the agent next. A lease that is held is kept. */
export async function beginTurn(
  repository: RunRepository,
  turnId: string,
  more: BundleExtras = {},
  held?: Lease,
): Promise<Lease> {
  return repository.exclusively(
    async (locked) => (await handOut(locked, turnId, 'running', more, held)).lease,
  );
}

async function handOut(
  locked: LockedRepository,
  turnId: string,
  status: 'dispatched' | 'running',
  more: BundleExtras,
  held?: Lease,
): Promise<Dispatched & { readonly lease: Lease }> {
  const { snapshot, keep } = locked;
  const turn = member(snapshot.state.active_turns, turnId);
  if (turn === undefined) throw refusalError(noSuchTurn(snapshot.state, turnId).refusal);
  await requireFree(keep, turnId, held);
  await writeBundle(locked, turn, more);
  const dir = bundleDir(turnId);
  // Hooks may add files to the bundle, but not change those that are written here.
  const own = ['ASSIGNMENT.json', 'PROMPT.md', 'CONTEXT.md', ...Object.keys(more.files ?? {})];
  const alsoProtected = own.map((name) => `${dir}/${name}`);
  const warnings = await passHooks(locked, { phase: 'after_dispatch', turn, alsoProtected });
  const [{ manifest, digest }, seen] = await both(sealBundle(locked, turn), surveyOf(locked.root));
  const made = await makePlace(locked, turn, digest, seen, held);
  const takes = status === 'running' && held === undefined;
  const lease = takes ? await writeTaken(keep, made) : made;
  if (!takes) await writeLease(keep, made);
  const sent: ActiveTurn = { ...turn, status, work: shownWork(lease.work) };
  const state = withTurn(snapshot.state, sent);
  const { attempt, runtime_id } = turn;
  const events = await locked.write({
    kind: 'dispatch',
    state,
    events: [eventOf(state, 'turn_dispatched', { attempt, runtime_id }, turn)],
    removes: [stagingDir(turnId)],
  });
  return { ...commandResult(state, events, warnings), turn: sent, manifest, lease };
}

/** Makes the turn's place, and pins what nobody may change until the turn comes to an end. */
async function makePlace(
  locked: LockedRepository,
  turn: ActiveTurn,
  manifest: string,
  seen: Survey | undefined,
  held: Lease | undefined,
): Promise<Lease> {
  const { keep } = locked;
  const turnId = turn.turn_id;
  const before = await readLease(keep, turnId);
  const [work] = await both(workPlace(locked, turn, seen), pinAll(locked, turnId, seen));
  return {
    turn_id: turnId,
    attempt: turn.attempt,
    // What an earlier attempt claimed says nothing about this one.
    fence: held?.fence ?? (before?.fence ?? 0) + 1,
    holder: held?.holder ?? null,
    agent: null,
    manifest,
    work,
  };
}

async function workPlace(
  { root, keep, snapshot }: LockedRepository,
  turn: ActiveTurn,
  seen: Survey | undefined,
): Promise<WorkPlace> {
  const turnId = turn.turn_id;
  const runtime = member(snapshot.config.runtimes, turn.runtime_id)?.type ?? 'manual';
  const why = inPlaceBecause(runtime, seen !== undefined);
  if (why !== undefined || seen === undefined) return { kind: 'in_place', why: why ?? '' };
  const work = await makeTree(root, keep, turnId, seen, snapshot.config.worktree);
  const bundle = within(join(work.path, work.prefix), bundleDir(turnId));
  await mkdir(dirname(bundle), { recursive: true });
  await cp(within(root, bundleDir(turnId)), bundle, { recursive: true });
  return work;
}

async function pinAll(locked: LockedRepository, turnId: string, seen: Survey | undefined): Promise<void> {
  const { keep, hasher, clock } = locked;
  const others = await othersAtWork(locked, turnId);
  if (seen !== undefined && !others) {
    const paths = await pinGit(keep, seen.home, hasher);
    const at = formatMillis(clock.now());
    if (paths.length > 0)
      await noteFinding(keep, { at, kind: 'adopted', paths, turns: [], by: 'git between turns' });
  }
  const { suspects } = await readRecord(keep);
  if (!Object.hasOwn(suspects, turnId)) return;
  const { [turnId]: _settled, ...rest } = suspects;
  await writeRecord(keep, { suspects: rest });
}

/** Whether another turn has been handed out, for which git is pinned already. Leases of turns that are over are dropped. */
async function othersAtWork({ keep, snapshot }: LockedRepository, turnId: string): Promise<boolean> {
  let atWork = false;
  for (const lease of await readLeases(keep)) {
    if (lease.turn_id === turnId) continue;
    const status = member(snapshot.state.active_turns, lease.turn_id)?.status;
    if (status === undefined) await dropLease(keep, lease.turn_id);
    else atWork ||= status === 'dispatched' || status === 'running';
  }
  return atWork;
}

function inPlaceBecause(runtime: string, hasGit: boolean): string | undefined {
  if (!IN_TREES.includes(runtime))
    return `Turns of a runtime of type ${runtime} have no work tree of their own.`;
  return hasGit ? undefined : 'The folder is not a git repository with a commit.';
}

function shownWork(work: WorkPlace): TurnWork {
  return work.kind === 'tree'
    ? { kind: 'tree', path: work.path, why: null }
    : { kind: 'in_place', path: null, why: work.why };
}
