import type { Micros } from '../../../../kernel/clock.ts';
import { formatMillis } from '../../../../kernel/instant.ts';
import { member } from '../../../../kernel/json/loose.ts';
import type { GovernedConfig } from '../../config/config.ts';
import { done, illegalTransition, type Outcome } from '../../outcome.ts';
import type { LedgerRow } from '../../records.ts';
import {
  type ActiveTurn,
  type Baseline,
  type ConflictRecord,
  type Rejection,
  type RunState,
  withTurn,
} from '../../run-state.ts';
import { type Change, change, eventOf } from '../../runs/rules/change.ts';
import { escalated } from '../../runs/rules/escalate.ts';
import { deadline } from './assign.ts';
import { noSuchTurn } from './target.ts';

export interface RejectInput {
  readonly turnId: string;
  readonly rejection: Rejection;
  readonly now: Micros;
  readonly baseline?: Baseline;
  /** Do the turn again on top of what it conflicted with. */
  readonly reassign?: boolean | undefined;
}

/** Sends the same turn round again with the reason; once its attempts are used up, the run waits for a person. */
export function rejectTurn(state: RunState, config: GovernedConfig, input: RejectInput): Outcome<Change> {
  if (state.status !== 'active' && state.status !== 'blocked') {
    return illegalTransition(
      'turn.reject',
      `Turns can only be rejected in an active or blocked run; this one is ${state.status}.`,
      'See: baton run status',
      'status',
    );
  }
  const turn = member(state.active_turns, input.turnId);
  if (turn === undefined) return noSuchTurn(state, input.turnId);
  const conflict = conflictOf(turn);
  if (input.reassign === true && conflict === undefined) return nothingToReassign(turn);
  const exhausted = turn.attempt >= config.maxTurnRetries;
  const again = nextAttempt(state, config, turn, input, exhausted);
  const held = withTurn(state, again);
  const next = exhausted ? givenUp(held, turn, input) : settled(held, conflict);
  const stopped = { blocked_on: next.blocked_on };
  return done(
    change(next, {
      events: [
        eventOf(next, 'turn_rejected', { attempt: turn.attempt, ...input.rejection }, turn),
        ...(exhausted
          ? [eventOf(next, 'escalation_raised', stopped, turn), eventOf(next, 'run_blocked', stopped, turn)]
          : []),
      ],
      ledger: conflict === undefined ? [] : [conflictRow(state, turn, conflict, input.now)],
    }),
  );
}

function nextAttempt(
  state: RunState,
  config: GovernedConfig,
  turn: ActiveTurn,
  input: RejectInput,
  exhausted: boolean,
): ActiveTurn {
  const conflict = conflictOf(turn);
  const { conflict_state: _settled, ...rest } = turn;
  return {
    ...(conflict === undefined ? turn : { ...rest, conflict_context: conflict }),
    status: exhausted ? 'failed' : 'retrying',
    attempt: exhausted ? turn.attempt : turn.attempt + 1,
    assigned_sequence: state.accepted_sequence,
    started_at: formatMillis(input.now),
    deadline_at: deadline(config, input.now),
    baseline: input.baseline ?? turn.baseline,
    last_rejection: input.rejection,
  };
}

function givenUp(state: RunState, turn: ActiveTurn, { rejection, now }: RejectInput): RunState {
  return escalated(
    state,
    {
      reason: 'retries_exhausted',
      roleId: turn.assigned_role,
      turnId: turn.turn_id,
      detail: `Turn ${turn.turn_id} was rejected ${turn.attempt} time(s): ${rejection.reason}`,
    },
    now,
  );
}

/** Sending the turn back resolves a conflict or a missed deadline by itself. */
function settled(state: RunState, conflict: ConflictRecord | undefined): RunState {
  if (state.status !== 'blocked' || (conflict === undefined && state.blocked_on !== 'timeout:turn'))
    return state;
  return { ...state, status: 'active', blocked_on: null, blocked_reason: null };
}

function conflictRow(state: RunState, turn: ActiveTurn, conflict: ConflictRecord, now: Micros): LedgerRow {
  return {
    decision: 'conflict_rejected',
    run_id: state.run_id,
    turn_id: turn.turn_id,
    ...conflict,
    created_at: formatMillis(now),
  };
}

function nothingToReassign(turn: ActiveTurn) {
  return illegalTransition(
    'turn.reassign',
    `Turn ${turn.turn_id} is not in conflict: it is ${turn.status}.`,
    `Send it back with a reason: baton run reject --turn ${turn.turn_id} --reason <text>`,
    `active_turns.${turn.turn_id}.conflict_state`,
  );
}

function conflictOf(turn: ActiveTurn): ConflictRecord | undefined {
  if (turn.conflict_state === undefined) return undefined;
  const { detections: _detections, detected_at: _at, ...record } = turn.conflict_state;
  return record;
}
