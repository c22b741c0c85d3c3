import { formatMillis } from '../../../kernel/instant.ts';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { illegalTransitionError, refusalError } from '../errors.ts';
import { readRows } from '../repository/files.ts';
import { trustedRoot } from '../repository/keep.ts';
import { FILES, within } from '../repository/paths.ts';
import { documentText } from '../repository/repository.ts';
import { startRun } from '../runs/start.ts';
import { type StepOptions, type StepResult, step } from '../turns/step.ts';
import { passCoordinatorHooks, runCoordinatorHooks } from './hooks.ts';
import { chooseDispatch, type IdleReasons } from './rules/assign.ts';
import { nextOfMulti, openDispatch } from './rules/next.ts';
import { isProjection, type Projected, projectAcceptance } from './rules/project.ts';
import { coordinatorContext, coordinatorContextText, recoveryReportScaffold } from './rules/texts.ts';
import type { CoordinatorState } from './state.ts';
import { type CoordinatorSnapshot, type LockedWorkspace, MULTI, type Workspace } from './workspace.ts';

export type MultiStep =
  | {
      readonly kind: 'stepped';
      readonly repoId: string;
      readonly workstreamId: string;
      readonly result: StepResult;
      readonly projected: readonly Projected[];
      readonly next: string;
    }
  | { readonly kind: 'idle'; readonly reasons: IdleReasons; readonly next: string };

/** Takes one turn in the repository that is due, and records its acceptance here. */
export async function stepMulti(workspace: Workspace, options: StepOptions): Promise<MultiStep> {
  await catchUp(workspace);
  const chosen = await workspace.exclusively(async (locked) => {
    const { snapshot } = locked;
    const state = requireActive(snapshot.state);
    const open = openDispatch(snapshot);
    if (open !== undefined) return { kind: 'dispatch' as const, ...open, files: {} };
    const choice = chooseDispatch(snapshot, state.phase);
    if (choice.kind === 'none') return choice;
    const about = { repo_id: choice.repoId, workstream_id: choice.workstreamId };
    await passCoordinatorHooks(workspace, locked, 'before_assignment', state, about);
    const context = coordinatorContext(snapshot, state, choice);
    const files = {
      'COORDINATOR_CONTEXT.json': documentText(context),
      'COORDINATOR_CONTEXT.md': coordinatorContextText(context),
    };
    const ref = `ctx_${choice.workstreamId}_${choice.repoId}_${workspace.newHex(4)}`;
    const runs = await withRun(workspace, snapshot, state, choice.repoId);
    const at = { timestamp: formatMillis(workspace.clock.now()), super_run_id: state.super_run_id, ...about };
    await locked.write({
      kind: 'multi_dispatch',
      ...(runs !== undefined && { state: { ...state, repo_runs: runs } }),
      history: [
        { type: 'context_generated', context_ref: ref, ...at },
        { type: 'turn_dispatched', context_ref: ref, ...at },
      ],
      files: Object.entries(files).map(([name, text]) => ({ file: `${MULTI.context}/${ref}/${name}`, text })),
    });
    return { ...choice, files };
  });
  const next = async () => nextOfMulti(await workspace.snapshot()).command;
  if (chosen.kind === 'none') return { kind: 'idle', reasons: chosen.reasons, next: await next() };
  const repository = await workspace.repository(chosen.repoId);
  const result = await step(repository, { ...options, bundle: { files: chosen.files } });
  const projected = await catchUp(workspace);
  return {
    kind: 'stepped',
    repoId: chosen.repoId,
    workstreamId: chosen.workstreamId,
    result,
    projected,
    next: await next(),
  };
}

/** A repository that has completed its run while a workstream still needs it begins another in the same phase. */
async function withRun(
  workspace: Workspace,
  { repos }: CoordinatorSnapshot,
  state: CoordinatorState,
  repoId: string,
): Promise<CoordinatorState['repo_runs'] | undefined> {
  const before = repos[repoId];
  if (before?.status !== 'completed' && before?.status !== 'idle') return undefined;
  const { state: begun } = await startRun(await workspace.repository(repoId), {
    restart: true,
    phase: state.phase,
    provenance: {
      trigger: 'coordinator',
      parent_run_id: before.run_id,
      trigger_reason: `${state.super_run_id} needs another turn in ${state.phase}`,
      intake_intent_id: null,
      created_by: null,
    },
  });
  return { ...state.repo_runs, [repoId]: { run_id: begun.run_id ?? '', status: begun.status } };
}

/** Takes runs that somebody started by hand into the super-run, in place of those that it knew. */
export async function adoptRuns(workspace: Workspace): Promise<void> {
  await catchUp(workspace);
  await workspace.exclusively(async ({ snapshot, write }) => {
    const { repos } = snapshot;
    const state = requireActive(snapshot.state);
    const runs = Object.entries(state.repo_runs).map(([id, known]) => {
      const repo = repos[id];
      return [id, repo?.run_id ? { run_id: repo.run_id, status: repo.status } : known] as const;
    });
    await write({ kind: 'multi_adopt', state: { ...state, repo_runs: Object.fromEntries(runs) } });
  });
}

/**
 * Records every accepted turn that the coordinator has not seen yet, whoever accepted it. The history of a repository
 * is the truth; the coordinator only follows.
 */
export async function catchUp(workspace: Workspace): Promise<readonly Projected[]> {
  const projected: Projected[] = [];
  for (;;) {
    const done = await workspace.exclusively(async (locked) => {
      const { snapshot } = locked;
      if (snapshot.state?.status !== 'active') return undefined;
      const unseen = await firstUnseen(workspace, snapshot, snapshot.state);
      return unseen && recordAcceptance(workspace, locked, snapshot.state, unseen);
    });
    if (done === undefined) return projected;
    projected.push(done);
  }
}

async function firstUnseen(
  workspace: Workspace,
  { config, history }: CoordinatorSnapshot,
  state: CoordinatorState,
): Promise<AcceptedElsewhere | undefined> {
  const seen = new Set(history.filter(isProjection).map((row) => `${row.repo_id}/${row.repo_turn_id}`));
  for (const repoId of Object.keys(config.repos)) {
    const dispatched = history.findLast((row) => row.type === 'turn_dispatched' && row.repo_id === repoId);
    if (dispatched === undefined) continue;
    const repository = await workspace.repository(repoId);
    const rows = await readRows(within(await trustedRoot(repository.root, repository.keep), FILES.history));
    const turn = rows.find(
      (row) =>
        row.run_id === state.repo_runs[repoId]?.run_id && !seen.has(`${repoId}/${String(row.turn_id)}`),
    );
    if (turn !== undefined) return { repoId, workstreamId: String(dispatched.workstream_id), turn };
  }
  return undefined;
}

export function requireActive(state: CoordinatorState | null): CoordinatorState {
  if (state?.status === 'active') return state;
  const rule = 'coordinator.active';
  if (state === null) {
    const next = 'Start it: baton multi start';
    throw illegalTransitionError(rule, 'No super-run has been started.', next, 'status');
  }
  const next = state.status === 'paused' ? 'Decide the gate: baton multi approve' : 'See: baton multi status';
  throw illegalTransitionError(rule, `The super-run is ${state.status}.`, next, 'status');
}

/** A turn that a repository has accepted, and the workstream that it was for. */
interface AcceptedElsewhere {
  readonly repoId: string;
  readonly workstreamId: string;
  readonly turn: LooseRecord;
}

/** Records an accepted turn of a repository, moves barriers, and runs the hooks. */
async function recordAcceptance(
  workspace: Workspace,
  locked: LockedWorkspace,
  state: CoordinatorState,
  accepted: AcceptedElsewhere,
): Promise<Projected> {
  const { repoId, workstreamId, turn } = accepted;
  const now = workspace.clock.now();
  const suffix = workspace.newHex(4);
  const outcome = projectAcceptance({ ...locked.snapshot, ...accepted, state, suffix, now });
  if (!outcome.ok) throw refusalError(outcome.refusal);
  const { projection, barriers, effects } = outcome.value;
  await locked.write({
    kind: 'multi_projection',
    history: [projection],
    barriers,
    barrierLedger: effects.map((effect) => ({
      type: 'barrier_transition',
      timestamp: formatMillis(now),
      super_run_id: state.super_run_id,
      projection_ref: projection.projection_ref,
      ...effect,
    })),
  });
  const verdict = await runCoordinatorHooks(workspace, locked, 'after_acceptance', state, {
    repo_id: repoId,
    workstream_id: workstreamId,
    turn_id: turn.turn_id,
  });
  if (verdict.ok) return outcome.value;
  // After the fact nothing can be undone: the super-run waits until a person has written down what happened.
  const detail = `A hook stopped the super-run after ${repoId} accepted ${String(turn.turn_id)}.`;
  await locked.write({
    kind: 'multi_blocked',
    state: { ...state, status: 'blocked', blocked_reason: detail },
    files: [{ file: MULTI.recovery, text: recoveryReportScaffold(detail) }],
  });
  return outcome.value;
}
