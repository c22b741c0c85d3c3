import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asList, asRecord, isString } from '../../../kernel/json/loose.ts';
import type { GovernedConfig } from '../config/config.ts';
import { environmentOfOthers } from '../environment.ts';
import { deliveryErrors, refusalError } from '../errors.ts';
import { commitTree, type GitPlace, git, gitRun } from '../repository/git.ts';
import type { LockedRepository, RunRepository } from '../repository/repository.ts';
import { runProcess } from '../run-process.ts';
import { checkOut } from '../trees/make-tree.ts';
import { setUp, shellWords } from '../trees/set-up.ts';
import type { InspectedWork } from './inspect-work.ts';
import { acceptedTurn } from './rules/target.ts';

export interface ReplayedCommand {
  readonly command: string;
  readonly claimed: number;
  readonly found: number | null;
  readonly holds: boolean;
}

export interface ReplayReport {
  readonly turnId: string;
  readonly holds: boolean;
  readonly commands: readonly ReplayedCommand[];
}

const TIMEOUT_MS = 10 * 60 * 1000;

/** Runs the commands that a turn’s verification names instead of trusting their reported exit codes. */
export async function replayEvidence(repository: RunRepository, turnId?: string): Promise<ReplayReport> {
  const { history } = await repository.snapshot();
  const accepted = acceptedTurn(history, turnId);
  if (!accepted.ok) throw refusalError(accepted.refusal);
  const row = accepted.value;
  const commands = await replayIn(repository.root, row.verification);
  return { turnId: row.turn_id, holds: commands.every((command) => command.holds), commands };
}

/** Whether the config wants evidence to be run again before a turn is accepted. */
export function asksReplay({ policies }: GovernedConfig): boolean {
  return policies.some((policy) => policy.rule === 'require_reproducible_verification');
}

/** Runs the evidence of a turn on exactly its work: in a fresh tree, where it has one of its own. */
export async function replayWork(
  { root, keep, snapshot }: LockedRepository,
  { merge }: InspectedWork,
  verification: unknown,
): Promise<readonly ReplayedCommand[]> {
  if (merge === undefined) return replayIn(root, verification);
  const { home, work, place } = merge;
  const needs = snapshot.config.worktree;
  const folder = await mkdtemp(join(keep.dir, 'replay-'));
  try {
    const commit = (await commitTree(root, work.tree, place.base, 'Replayed')) ?? '';
    const tree = join(folder, 'tree');
    await checkOut(root, tree, home, commit, needs);
    await requireContents(
      root,
      { gitDir: home.gitDir, workTree: tree, index: join(folder, 'index') },
      commit,
    );
    const cwd = join(tree, place.prefix);
    await setUp(cwd, needs.setup, () => {});
    return await replayIn(cwd, verification);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Git writes out what an object holds without looking whether it is what its name says. */
async function requireContents(root: string, at: GitPlace, commit: string): Promise<void> {
  await git(root, ['read-tree', commit], undefined, at);
  const fresh = await gitRun(at.workTree ?? root, ['update-index', '--refresh'], undefined, at);
  if (fresh.ok) return;
  throw deliveryErrors.tree_failed({
    message: `The repository’s objects do not hold what their names say: ${fresh.stdout.trim().slice(0, 500)}`,
    next: 'See which: git fsck',
  });
}

async function replayIn(cwd: string, verification: unknown): Promise<readonly ReplayedCommand[]> {
  const commands: ReplayedCommand[] = [];
  for (const raw of asList(asRecord(verification).machine_evidence)) {
    const { command, exit_code: claimed } = asRecord(raw);
    if (!isString(command) || typeof claimed !== 'number') continue;
    const outcome = await runProcess({
      argv: shellWords(command),
      cwd,
      timeoutMs: TIMEOUT_MS,
      env: environmentOfOthers(),
    });
    commands.push({ command, claimed, found: outcome.exitCode, holds: outcome.exitCode === claimed });
  }
  return commands;
}
