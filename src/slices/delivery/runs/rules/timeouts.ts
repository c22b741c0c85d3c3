import type { Micros } from '../../../../kernel/clock.ts';
import { parseInstant } from '../../../../kernel/instant.ts';
import { type GovernedConfig, nextPhase, routeOf } from '../../config/config.ts';
import { enterPhase } from '../../gates/rules/decide.ts';
import type { RunState } from '../../run-state.ts';
import { blocked, type Change, change, eventOf } from './change.ts';

const MICROS_PER_MINUTE = 60_000_000;

export interface Timeout {
  readonly scope: 'turn' | 'phase' | 'run';
  readonly turnId?: string;
  readonly message: string;
}

export function timeoutsDue(state: RunState, config: GovernedConfig, now: Micros): readonly Timeout[] {
  if (state.status !== 'active') return [];
  const due: Timeout[] = [];
  const { per_run_minutes: run } = config.timeouts;
  const phase = routeOf(config, state.phase)?.timeout_minutes ?? config.timeouts.per_phase_minutes;
  if (isOver(state.created_at, run, now))
    due.push({ scope: 'run', message: `The run is older than ${run} minutes.` });
  if (isOver(state.phase_entered_at, phase, now)) {
    due.push({ scope: 'phase', message: `Phase "${state.phase}" has lasted more than ${phase} minutes.` });
  }
  for (const turn of Object.values(state.active_turns)) {
    const deadline = turn.deadline_at === null ? undefined : parseInstant(turn.deadline_at)?.micros;
    if (deadline !== undefined && now > deadline) {
      due.push({
        scope: 'turn',
        turnId: turn.turn_id,
        message: `Turn ${turn.turn_id} is past its deadline.`,
      });
    }
  }
  return due;
}

/** Applies the configured action to the first timeout; undefined if none is due. */
export function applyTimeout(state: RunState, config: GovernedConfig, now: Micros): Change | undefined {
  const [first] = timeoutsDue(state, config, now);
  if (first === undefined) return undefined;
  const action = config.timeouts.action;
  if (action === 'warn') return change(state, { warnings: [first.message] });
  const next = nextPhase(config, state.phase);
  if (
    action === 'skip_phase' &&
    first.scope === 'phase' &&
    next !== undefined &&
    Object.keys(state.active_turns).length === 0
  ) {
    const moved = enterPhase(state, next, now);
    return change(moved, {
      events: [eventOf(moved, 'phase_entered', { from: state.phase, to: next, because: 'timeout' })],
      warnings: [first.message],
    });
  }
  const turnId = first.turnId;
  const held = blocked(
    state,
    {
      blockedOn: `timeout:${first.scope}`,
      category: 'timeout',
      typedReason: 'timeout',
      detail: first.message,
      recoveryAction:
        turnId === undefined ? 'baton run resume' : `baton run reject --turn ${turnId} --reason timeout`,
      turnRetained: turnId !== undefined,
      turnId,
    },
    now,
  );
  return change(held, {
    events: [eventOf(held, 'run_blocked', { blocked_on: held.blocked_on, detail: first.message })],
  });
}

function isOver(since: string | null, minutes: number | undefined, now: Micros): boolean {
  const start = since === null ? undefined : parseInstant(since)?.micros;
  return start !== undefined && minutes !== undefined && now - start > minutes * MICROS_PER_MINUTE;
}
