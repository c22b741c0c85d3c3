import type { ActiveTurn, RunState } from '../../run-state.ts';

/** The command to run next. `staged` names the turns whose result is ready. */
export function nextCommand(state: RunState, staged: ReadonlySet<string> = new Set()): string {
  switch (state.status) {
    case 'idle':
      return 'baton run start';
    case 'paused':
      return 'baton run approve';
    case 'blocked':
      return pendingGate(state)
        ? 'baton run approve'
        : (state.blocked_reason?.recovery.recovery_action ?? 'baton run resume');
    case 'completed':
      return 'baton run report';
    case 'failed':
      return 'baton run start --restart';
    case 'active':
      return nextOfActive(Object.values(state.active_turns), staged);
  }
}

function nextOfActive(turns: readonly ActiveTurn[], staged: ReadonlySet<string>): string {
  const conflicted = turns.find((turn) => turn.status === 'conflicted');
  if (conflicted !== undefined) return `baton run reject --turn ${conflicted.turn_id} --reassign`;
  const refused = turns.find((turn) => turn.status === 'failed_acceptance');
  if (refused !== undefined) return `baton run reject --turn ${refused.turn_id}`;
  const ready = turns.find((turn) => staged.has(turn.turn_id));
  if (ready !== undefined) return `baton run accept --turn ${ready.turn_id}`;
  return 'baton run step';
}

function pendingGate(state: RunState): boolean {
  return state.pending_phase_transition !== null || state.pending_run_completion !== null;
}
