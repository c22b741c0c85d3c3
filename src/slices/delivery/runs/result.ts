import type { RunEvent } from '../records.ts';
import type { RunState } from '../run-state.ts';
import { nextCommand } from './rules/next-command.ts';

/** What every command answers: where the run stands, what happened, and the one command that leads on. */
export interface CommandResult {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly warnings: readonly string[];
  readonly next: string;
}

export function commandResult(
  state: RunState,
  events: readonly RunEvent[],
  warnings: readonly string[] = [],
): CommandResult {
  return { state, events, warnings, next: nextCommand(state) };
}
