import { asList, asRecord, isString } from '../../../kernel/json/loose.ts';
import { refusalError } from '../errors.ts';
import type { RunRepository } from '../repository/repository.ts';
import { runProcess } from '../run-process.ts';
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

/** Runs the commands that a turn's verification names instead of trusting their reported exit codes. */
export async function replayEvidence(repository: RunRepository, turnId?: string): Promise<ReplayReport> {
  const { history } = await repository.snapshot();
  const accepted = acceptedTurn(history, turnId);
  if (!accepted.ok) throw refusalError(accepted.refusal);
  const row = accepted.value;
  const commands: ReplayedCommand[] = [];
  for (const raw of asList(asRecord(row.verification).machine_evidence)) {
    const { command, exit_code: claimed } = asRecord(raw);
    if (!isString(command) || typeof claimed !== 'number') continue;
    const outcome = await runProcess({
      argv: ['sh', '-c', command],
      cwd: repository.root,
      timeoutMs: TIMEOUT_MS,
    });
    commands.push({ command, claimed, found: outcome.exitCode, holds: outcome.exitCode === claimed });
  }
  return { turnId: row.turn_id, holds: commands.every((command) => command.holds), commands };
}
