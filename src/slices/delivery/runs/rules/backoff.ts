import type { ActiveTurn } from '../../run-state.ts';

const LONGEST_MS = 15 * 60 * 1000;

/** How long to wait before another attempt of a turn whose agent failed; one whose result was refused begins at once. */
export function backoffMs(turn: ActiveTurn, firstSeconds: number): number {
  if (turn.attempt < 2 || turn.last_rejection?.failed_stage !== 'dispatch') return 0;
  return Math.min(LONGEST_MS, firstSeconds * 1000 * 2 ** (turn.attempt - 2));
}
