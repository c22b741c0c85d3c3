import { formatMillis } from '../../../kernel/instant.ts';
import { refusalError } from '../errors.ts';
import { observeHooks } from '../hooks/pass.ts';
import { FILES, fileSafe, stagingDir } from '../repository/paths.ts';
import type { RunRepository } from '../repository/repository.ts';
import { type CommandResult, commandResult, runSummary } from '../runs/apply.ts';
import { retryBaseline } from './observe.ts';
import { rejectTurn } from './rules/reject.ts';
import { activeTurn } from './rules/target.ts';
import { readStaged } from './staging.ts';

export interface RejectOptions {
  readonly turnId?: string;
  /** By default, what acceptance objected to. */
  readonly reason?: string;
  /** After a conflict: do the turn again on top of what was accepted since. */
  readonly reassign?: boolean;
}

const COLLIDED = 'Other turns changed the same files.';

/** Sends a turn back. Its staged result is kept, so that anyone can see why. */
export async function reject(repository: RunRepository, options: RejectOptions = {}): Promise<CommandResult> {
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    const target = activeTurn(snapshot.state, options.turnId, 'reject.target');
    if (!target.ok) throw refusalError(target.refusal);
    const turn = target.value;
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
      baseline: await retryBaseline(locked, turn),
      now,
      reassign: options.reassign,
    });
    if (!outcome.ok) throw refusalError(outcome.refusal);
    const staged = await readStaged(locked.root, turn).catch(() => undefined);
    const stamp = formatMillis(now).replaceAll(/[:.]/g, '-');
    const kept = `${FILES.rejected}/${fileSafe(turn.turn_id)}-attempt-${turn.attempt}-${stamp}.json`;
    const { state, events, ledger } = outcome.value;
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
