import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { formatMillis } from '../../../kernel/instant.ts';
import { refusalError } from '../errors.ts';
import { observeHooks } from '../hooks/pass.ts';
import { gitHome } from '../repository/git-home.ts';
import { hasLiveAgent, type Lease, readLease, requireFree, writeLease } from '../repository/leases.ts';
import { FILES, fileSafe, stagingDir, stagingPath, within } from '../repository/paths.ts';
import type { LockedRepository, RunRepository } from '../repository/repository.ts';
import type { ActiveTurn } from '../run-state.ts';
import { type CommandResult, commandResult, runSummary } from '../runs/apply.ts';
import { endLeftovers, signal } from '../runtimes/agent-process.ts';
import { keepRejected } from '../trees/merge-work.ts';
import { readWork } from '../trees/read-work.ts';
import { retryBaseline, takeBaseline } from './observe.ts';
import { rejectTurn } from './rules/reject.ts';
import { activeTurn } from './rules/target.ts';
import { readStaged } from './staging.ts';

export interface RejectOptions {
  readonly turnId?: string;
  /** By default, what acceptance objected to. */
  readonly reason?: string;
  /** After a conflict: do the turn again on top of what was accepted since. */
  readonly reassign?: boolean;
  /** Of whoever waited for the agent. Without it, an agent that is at work is stopped. */
  readonly lease?: Lease | undefined;
}

const GRACE_MS = 5000;
const LOOK_MS = 50;
const COLLIDED = 'Other turns changed the same files.';

/** Sends a turn back. Its staged result is kept, so that anyone can see why. */
export async function reject(repository: RunRepository, options: RejectOptions = {}): Promise<CommandResult> {
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    const target = activeTurn(snapshot.state, options.turnId, 'reject.target');
    if (!target.ok) throw refusalError(target.refusal);
    const turn = target.value;
    if (options.lease === undefined) await stopAgent(locked, turn.turn_id);
    else await requireFree(locked.keep, turn.turn_id, options.lease);
    const now = locked.clock.now();
    const before = turn.last_rejection;
    const outcome = rejectTurn(snapshot.state, snapshot.config, {
      turnId: turn.turn_id,
      rejection: {
        reason:
          options.reason ?? (options.reassign ? COLLIDED : before?.reason) ?? 'Rejected by the operator.',
        validation_errors: before?.validation_errors ?? [],
        failed_stage: before?.failed_stage ?? null,
      },
      baseline:
        turn.work?.kind === 'tree'
          ? await takeBaseline(locked, snapshot.config)
          : await retryBaseline(locked, turn),
      now,
      reassign: options.reassign,
    });
    if (!outcome.ok) throw refusalError(outcome.refusal);
    const staged = await readStaged(locked.root, turn).catch(() => undefined);
    const stamp = formatMillis(now).replaceAll(/[:.]/g, '-');
    const kept = `${FILES.rejected}/${fileSafe(turn.turn_id)}-attempt-${turn.attempt}-${stamp}.json`;
    const { state, events, ledger } = outcome.value;
    await putAside(locked, turn);
    const written = await locked.write({
      kind: 'reject',
      state,
      events,
      ledger,
      runHistory: runSummary(snapshot.state, state, now),
      files: staged === undefined ? [] : [{ file: kept, text: new TextDecoder().decode(staged.bytes) }],
      removes: [
        stagingDir(turn.turn_id),
        ...(staged?.path === FILES.legacyStaging ? [FILES.legacyStaging] : []),
      ],
    });
    if (state.status === 'blocked') {
      const after = { ...locked, snapshot: await locked.reread() };
      await observeHooks(after, { phase: 'on_escalation', turn });
    }
    return commandResult(state, written);
  });
}

/** Stops the agent of a turn, whoever started it; what it still writes counts for nothing. */
async function stopAgent({ root, keep }: LockedRepository, turnId: string): Promise<void> {
  const lease = await readLease(keep, turnId);
  if (lease === undefined) return;
  if (lease.agent !== null && (await hasLiveAgent(lease))) {
    signal(lease.agent.pid, 'SIGTERM');
    for (let waited = 0; waited < GRACE_MS && (await hasLiveAgent(lease)); waited += LOOK_MS)
      await pause(LOOK_MS);
    signal(lease.agent.pid, 'SIGKILL');
  }
  const base = lease.work.kind === 'tree' ? join(lease.work.path, lease.work.prefix) : root;
  await endLeftovers(within(base, stagingPath(turnId)));
  await writeLease(keep, { ...lease, fence: lease.fence + 1, holder: null, agent: null });
}

/** Keeps what the turn did in its tree as a commit that nothing builds on, and takes the tree away. */
async function putAside(locked: LockedRepository, turn: ActiveTurn): Promise<void> {
  const { root, keep, snapshot } = locked;
  const lease = await readLease(keep, turn.turn_id);
  const home = lease?.work.kind === 'tree' ? await gitHome(root) : undefined;
  if (lease?.work.kind === 'tree' && home !== undefined) {
    const { work: place } = lease;
    // A tree that git cannot read is not worth stopping for.
    const work = await readWork(root, keep, turn.turn_id, place, home, snapshot.config.worktree, []).catch(
      () => undefined,
    );
    const name = `${fileSafe(turn.turn_id)}-${turn.attempt}`;
    if (work !== undefined && work.tree !== '' && Object.keys(work.changed).length > 0)
      await keepRejected(
        root,
        name,
        place.base,
        work.tree,
        `Sent back: turn ${turn.turn_id}, attempt ${turn.attempt}`,
      );
    await rm(place.path, { recursive: true, force: true });
  }
}
