import { formatMillis } from '../../../../kernel/instant.ts';
import { isAutoApproved } from '../../gates/rules/auto-approval.ts';
import { completed, enterPhase } from '../../gates/rules/decide.ts';
import { evaluatePhaseExit, evaluateRunCompletion, type GateDecision } from '../../gates/rules/evaluate.ts';
import type { HistoryRow } from '../../records.ts';
import type { RunState } from '../../run-state.ts';
import { type Change, change, eventOf } from '../../runs/rules/change.ts';
import { pausedAtTransition } from '../../runs/rules/transition.ts';
import type { TurnResult } from '../turn-result.ts';
import { type AcceptanceInput, gateEvidence } from './judge.ts';

/** Handles a request to move on: now if this was the last active turn, later if others are still at work. */
export function advanceLifecycle(
  input: AcceptanceInput,
  state: RunState,
  result: TurnResult,
  history: readonly HistoryRow[],
): Change {
  const queued = withRequest(state, result, input.turn.turn_id);
  if (queued.queued_phase_transition === null && queued.queued_run_completion === null) return change(queued);
  if (isBusy(queued)) return change(queued);
  const evidence = gateEvidence(input, result.verification.status, history);
  const decision =
    queued.queued_run_completion === null
      ? evaluatePhaseExit(input.config, queued.phase, queued.queued_phase_transition?.to ?? null, evidence)
      : evaluateRunCompletion(input.config, queued.phase, true, evidence);
  const by =
    (queued.queued_run_completion ?? queued.queued_phase_transition)?.requested_by_turn ?? input.turn.turn_id;
  return follow(input, { ...queued, queued_phase_transition: null, queued_run_completion: null }, decision, {
    by,
    history,
  });
}

function withRequest(state: RunState, result: TurnResult, turnId: string): RunState {
  const to = result.phase_transition_request ?? null;
  if (result.run_completion_request === true) {
    return { ...state, queued_run_completion: { requested_by_turn: turnId } };
  }
  if (to === null) return state;
  return { ...state, queued_phase_transition: { from: state.phase, to, requested_by_turn: turnId } };
}

/** Delegated work belongs to its phase, which does not end before it is done. */
function isBusy(state: RunState): boolean {
  return (
    Object.keys(state.active_turns).length > 0 ||
    state.delegation_queue.length > 0 ||
    state.pending_delegation_review !== null
  );
}

function follow(
  { now, config }: AcceptanceInput,
  state: RunState,
  decision: GateDecision,
  { by, history }: { readonly by: string; readonly history: readonly HistoryRow[] },
): Change {
  const at = formatMillis(now);
  const gate = decision.gate ?? '';
  const passed = withGate(state, decision, 'passed');
  const auto = isAutoApproved(config, decision, history);
  const action = auto ? (decision.to === null ? 'complete' : 'advance') : decision.action;
  const ledger = auto
    ? [
        {
          type: 'approval_policy',
          run_id: state.run_id,
          gate,
          phase: state.phase,
          action: 'auto_approve',
          created_at: at,
        },
      ]
    : [];
  if (action === 'advance' && decision.to !== null) {
    const next = enterPhase(passed, decision.to, now);
    return change(next, {
      ledger,
      events: [eventOf(next, 'phase_entered', { from: decision.from, to: decision.to })],
    });
  }
  if (action === 'complete') {
    const next = completed(passed, now);
    return change(next, { ledger, events: [eventOf(next, 'run_completed', { gate: decision.gate })] });
  }
  if (action === 'awaiting_human_approval') return pause(state, decision, by, at);
  const failure = { gate, phase: state.phase, reasons: decision.reasons, failed_at: at };
  const next: RunState = { ...withGate(state, decision, 'failed'), last_gate_failure: failure };
  return change(next, {
    events: [eventOf(next, 'gate_failed', { gate, reasons: decision.reasons })],
    ledger: [{ type: 'gate_failure', run_id: state.run_id, ...failure, created_at: at }],
    warnings: decision.reasons,
  });
}

function pause(state: RunState, decision: GateDecision, by: string, at: string): Change {
  const gate = decision.gate ?? '';
  const asked = { requested_by_turn: by, requested_at: at };
  const next: RunState =
    decision.to === null
      ? {
          ...withGate(state, decision, 'pending'),
          status: 'paused',
          blocked_on: `human_approval:${gate}`,
          pending_run_completion: { gate, phase: state.phase, ...asked },
        }
      : pausedAtTransition(state, { gate, from: decision.from, to: decision.to, ...asked });
  return change(next, {
    events: [
      eventOf(next, 'gate_pending', {
        gate,
        from: decision.from,
        to: decision.to,
        credentialed: decision.credentialed,
      }),
    ],
  });
}

function withGate(
  state: RunState,
  decision: GateDecision,
  status: 'pending' | 'passed' | 'failed',
): RunState {
  if (decision.gate === null) return state;
  return { ...state, phase_gate_status: { ...state.phase_gate_status, [decision.gate]: status } };
}
