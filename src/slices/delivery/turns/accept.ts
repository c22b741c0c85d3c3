import { BatonError } from '../../../kernel/error.ts';
import { member } from '../../../kernel/json/loose.ts';
import { both } from '../both.ts';
import { decisionIds } from '../decisions/rules.ts';
import { deliveryErrors, refusalError } from '../errors.ts';
import { observeHooks, passHooks } from '../hooks/pass.ts';
import type { Refusal } from '../outcome.ts';
import { containedPath } from '../path-rules.ts';
import type { HistoryRow } from '../records.ts';
import { headOf } from '../repository/git.ts';
import type { GitHome } from '../repository/git-home.ts';
import { type Lease, requireFree } from '../repository/leases.ts';
import { bundleDir, FILES, fileSafe, stagingDir } from '../repository/paths.ts';
import { documentText, type LockedRepository, type RunRepository } from '../repository/repository.ts';
import type { ActiveTurn } from '../run-state.ts';
import { type CommandResult, commandResult, runSummary } from '../runs/apply.ts';
import { commitWork, requireRoom } from '../trees/merge-work.ts';
import { commitMessage } from './checkpoint.ts';
import { type InspectedWork, inspectWork } from './inspect-work.ts';
import { observeSince } from './observe.ts';
import { asksReplay, replayWork } from './replay.ts';
import { markFailedAcceptance, validationRefusal } from './rules/accept.ts';
import { commitAcceptance } from './rules/commit.ts';
import { talkSection } from './rules/history-row.ts';
import { type AcceptanceInput, judgeAcceptance } from './rules/judge.ts';
import { hasDrifted } from './rules/observation.ts';
import { validateTurnResult } from './rules/result/validate.ts';
import { resolveTarget } from './rules/target.ts';
import { bringStaged, readStaged, type Staged } from './staging.ts';
import type { TurnResult } from './turn-result.ts';

export interface AcceptOptions {
  readonly turnId?: string;
  /** A person has merged the conflicting files. */
  readonly merged?: boolean;
  /** Of whoever waited for the agent; without it, nobody may be waiting. */
  readonly lease?: Lease | undefined;
}

export type Accepted = CommandResult & {
  readonly outcome: 'accepted' | 'conflicted';
  readonly turn: ActiveTurn;
  readonly historyRow: HistoryRow | null;
};

/** Checks the staged result of a turn and, if it is valid, adds it to the history. Never assigns the next turn. */
export async function accept(repository: RunRepository, options: AcceptOptions = {}): Promise<Accepted> {
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    const target = resolveTarget(snapshot.state, snapshot.history, options.turnId);
    if (!target.ok) throw refusalError(target.refusal);
    const turn = target.value;
    await requireFree(locked.keep, turn.turn_id, options.lease);
    if (options.lease !== undefined) await bringStaged(locked.root, options.lease);
    const staged = await readStaged(locked.root, turn);
    const hook = { turn, payload: { staging_path: staged.path } };
    await passHooks(locked, { phase: 'before_validation', ...hook });
    const { input, work } = await validated(locked, turn, staged, options.merged === true);
    await passHooks(locked, { phase: 'after_validation', ...hook });

    const judgement = judgeAcceptance(input);
    if (judgement.verdict === 'refused') return fail(locked, turn, judgement.refusal);
    if (judgement.verdict === 'conflicted') {
      const { change } = judgement;
      const runHistory = runSummary(snapshot.state, change.state, locked.clock.now());
      const events = await locked.write({ kind: 'conflict', ...change, runHistory });
      return { ...commandResult(change.state, events), outcome: 'conflicted', turn, historyRow: null };
    }
    const warned = await passHooks(locked, { phase: 'before_acceptance', ...hook });
    if (work.merge === undefined) await requireStill(locked, turn, work, judgement.result);
    else await requireBranch(locked, work.merge.home);
    const commit = await commitOf(locked, turn, work, judgement.result);
    const accepted =
      commit === undefined || input.observation === null
        ? input
        : { ...input, observation: { ...input.observation, commit } };
    const acceptance = commitAcceptance(accepted, {
      ...judgement,
      warnings: [...input.warnings, ...judgement.warnings, ...warned],
    });
    const events = await locked.write({
      kind: 'accept',
      state: acceptance.state,
      history: [acceptance.historyRow],
      ledger: acceptance.ledger,
      repoDecisions: acceptance.repoDecisions,
      events: acceptance.events,
      talk: acceptance.talk,
      runHistory: runSummary(snapshot.state, acceptance.state, locked.clock.now()),
      files: derivedFiles(judgement.result, acceptance.historyRow),
      removes: [
        bundleDir(turn.turn_id),
        stagingDir(turn.turn_id),
        ...(staged.path === FILES.legacyStaging ? [FILES.legacyStaging] : []),
      ],
      merge:
        commit === undefined || work.merge === undefined
          ? undefined
          : { from: work.merge.home.head, to: commit },
      ends: turn.turn_id,
    });
    const after = { ...locked, snapshot: await locked.reread() };
    await observeHooks(after, { phase: 'after_acceptance', turn });
    if (acceptance.state.status === 'blocked') await observeHooks(after, { phase: 'on_escalation', turn });
    return {
      ...commandResult(acceptance.state, events, acceptance.warnings),
      outcome: 'accepted',
      turn,
      historyRow: acceptance.historyRow,
    };
  });
}

/** Files that a turn shares with others must not have changed while they were checked. */
async function requireStill(
  locked: LockedRepository,
  turn: ActiveTurn,
  { observation }: InspectedWork,
  result: TurnResult,
): Promise<void> {
  const again = await observeSince(locked, turn.baseline);
  const alone = Object.keys(locked.snapshot.state.active_turns).length === 1;
  if (hasDrifted(observation, again, alone ? undefined : result.files_changed))
    throw deliveryErrors.acceptance_drift();
}

/** Hooks have run since the branch was looked at. */
async function requireBranch({ root, snapshot }: LockedRepository, home: GitHome): Promise<void> {
  const { after_validation = [], before_acceptance = [] } = snapshot.config.hooks;
  if (after_validation.length + before_acceptance.length === 0 || (await headOf(root)) === home.head) return;
  throw deliveryErrors.commits_outside({
    message: 'While the turn was being accepted, a hook, or somebody else, moved the branch.',
  });
}

/** The commit that the branch moves to; undefined for a turn that changed nothing, or works in the repository itself. */
async function commitOf(
  { root, snapshot }: LockedRepository,
  turn: ActiveTurn,
  { merge }: InspectedWork,
  result: TurnResult,
): Promise<string | undefined> {
  if (merge === undefined || Object.keys(merge.work.changed).length === 0) return undefined;
  const authority = member(snapshot.config.roles, turn.assigned_role)?.write_authority;
  // What a proposer left in its tree was never asked for.
  if (authority === 'proposed') return undefined;
  const message = commitMessage(turn.assigned_role, result.summary, turn.turn_id, turn.run_id);
  const { head } = merge.home;
  const made = commitWork(root, head, merge.tree, message);
  const [commit] = await both(made, requireRoom(root, head, merge.tree));
  return commit;
}

async function validated(
  locked: LockedRepository,
  turn: ActiveTurn,
  staged: Staged,
  merged: boolean,
): Promise<{
  readonly input: AcceptanceInput & { readonly warnings: readonly string[] };
  readonly work: InspectedWork;
}> {
  const { snapshot } = locked;
  const takenDecisionIds = decisionIds(snapshot.ledger, snapshot.state.run_id);
  const validation = validateTurnResult(staged.result, { ...snapshot, turn, takenDecisionIds });
  const declared = validation.ok ? validation.result.files_changed : [];
  const work = await inspectWork(locked, turn, declared, merged).catch((error: unknown) => {
    // What git cannot read in the turn's own tree is for the turn to mend, not for a person.
    if (!(error instanceof BatonError && error.code === 'tree_failed' && turn.work?.kind === 'tree'))
      throw error;
    return fail(locked, turn, unreadable(error.message));
  });
  // Whatever it answered, reaching for these comes first.
  if (work.overreach.length > 0) return fail(locked, turn, overreached(work.overreach));
  if (!validation.ok) {
    const errors = validation.findings.map(
      (finding) => `${finding.field}: ${finding.message} ${finding.next}`,
    );
    return fail(locked, turn, validationRefusal(validation), validation.failedStage, errors);
  }
  if (work.unfit.length > 0) return fail(locked, turn, unfit(work.unfit));
  const { result } = validation;
  const input = {
    ...snapshot,
    turn,
    result,
    warnings: validation.warnings,
    gateFiles: work.gateFiles,
    observation: work.observation,
    documents: work.documents,
    unmerged: work.unmerged,
    now: locked.clock.now(),
    merged,
  };
  const replayed = asksReplay(snapshot.config)
    ? await replayWork(locked, work, result.verification)
    : undefined;
  return { input: { ...input, ...(replayed !== undefined && { replayed }) }, work };
}

function overreached(paths: readonly string[]): Refusal {
  return {
    type: 'governed_files_changed',
    rule: 'accept.governed_files',
    field: 'files_changed',
    message: `While the turn was at work, files were changed that no turn may change: ${paths.join(', ')}. They are as they were.`,
    next: 'Leave the configuration, .agentxchain/, TALK.md and git’s own files alone.',
    details: { paths },
  };
}

function unreadable(message: string): Refusal {
  return {
    type: 'artifact_mismatch',
    rule: 'accept.readable_tree',
    field: 'files_changed',
    message,
    next: 'Leave only files and links in the work tree: no pipes, no repositories inside it.',
  };
}

function unfit(paths: readonly string[]): Refusal {
  return {
    type: 'artifact_mismatch',
    rule: 'accept.fit_files',
    field: 'files_changed',
    message: `These cannot become part of the repository: ${paths.join(', ')}.`,
    next: 'Remove links that lead out of it, repositories inside it, and files outside the governed folder.',
    details: { paths },
  };
}

/** History stays unchanged; the turn records what was wrong, so that the next attempt is told. */
async function fail(
  locked: LockedRepository,
  turn: ActiveTurn,
  refusal: Refusal,
  stage: string | null = null,
  errors: readonly string[] = [],
): Promise<never> {
  const change = markFailedAcceptance(locked.snapshot.state, turn, refusal, stage, errors);
  await locked.write({ kind: 'acceptance_failed', state: change.state, events: change.events });
  throw refusalError(refusal);
}

/** The files that an accepted turn leaves behind: a reviewer's review, a proposer's proposal. */
function derivedFiles(
  result: TurnResult,
  row: HistoryRow,
): readonly { readonly file: string; readonly text: string }[] {
  const files: { file: string; text: string }[] = [];
  if (result.artifact.type === 'review') {
    files.push({
      file: `.agentxchain/reviews/${fileSafe(row.turn_id)}-${fileSafe(row.role)}-review.md`,
      text: talkSection(row, result),
    });
  }
  const changes = result.proposed_changes ?? [];
  if (changes.length === 0) return files;
  const root = `.agentxchain/proposed/${fileSafe(row.turn_id)}`;
  files.push({
    file: `${root}/PROPOSAL.json`,
    text: documentText({
      turn_id: row.turn_id,
      role: row.role,
      changes: changes.map(({ path, action }) => ({ path, action })),
    }),
  });
  for (const change of changes) {
    const path = containedPath(change.path);
    if (change.action !== 'delete' && path !== undefined)
      files.push({ file: `${root}/files/${path}`, text: change.content ?? '' });
  }
  return files;
}
