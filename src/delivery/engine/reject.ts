import { formatMillis } from '../../kernel/instant.ts';
import { refusalError } from '../errors.ts';
import { retryBaseline } from '../git/observe.ts';
import { member } from '../model/document.ts';
import { FILES, fileSafe, stagingDir } from '../repository/paths.ts';
import type { RunRepository } from '../repository/repository.ts';
import { noSuchTurn, rejectTurn } from '../rules/turns/reject.ts';
import { observeHooks } from './hooks.ts';
import { type CommandResult, commandResult } from './result.ts';
import { runSummary } from './run-summary.ts';
import { readStaged } from './staging.ts';

export interface RejectOptions {
  readonly turnId?: string;
  /** Without one, the reason is what acceptance objected to. */
  readonly reason?: string;
}

/** Sends a turn back. What it had staged is kept, for whoever asks why. */
export async function reject(repository: RunRepository, options: RejectOptions = {}): Promise<CommandResult> {
  return repository.exclusively(async (locked) => {
    const { snapshot } = locked;
    const turns = Object.values(snapshot.state.active_turns);
    const turn =
      options.turnId === undefined ? turns[0] : member(snapshot.state.active_turns, options.turnId);
    if (turn === undefined)
      throw refusalError(noSuchTurn(snapshot.state, options.turnId ?? '(none)').refusal);
    const now = repository.clock.now();
    const before = turn.last_rejection;
    const outcome = rejectTurn(snapshot.state, snapshot.config, {
      turnId: turn.turn_id,
      rejection: {
        reason: options.reason ?? before?.reason ?? 'Rejected by the operator.',
        validation_errors: before?.validation_errors ?? [],
        failed_stage: before?.failed_stage ?? null,
      },
      baseline: await retryBaseline(repository.root, turn, snapshot.history, repository.hasher),
      now,
    });
    if (!outcome.ok) throw refusalError(outcome.refusal);
    const staged = await readStaged(repository.root, turn).catch(() => undefined);
    const stamp = formatMillis(now).replaceAll(/[:.]/g, '-');
    const { state, events, ledger } = outcome.value;
    const written = await locked.write({
      kind: 'reject',
      state,
      events,
      ledger,
      runHistory: runSummary(snapshot.state, state, now),
      files:
        staged === undefined
          ? []
          : [
              {
                file: `${FILES.rejected}/${fileSafe(turn.turn_id)}-attempt-${turn.attempt}-${stamp}.json`,
                text: new TextDecoder().decode(staged.bytes),
              },
            ],
      removes: [
        stagingDir(turn.turn_id),
        ...(staged?.path === FILES.legacyStaging ? [FILES.legacyStaging] : []),
      ],
    });
    if (state.status === 'blocked') {
      await observeHooks(repository, locked, await locked.reread(), { phase: 'on_escalation', turn });
    }
    return commandResult(state, written);
  });
}
