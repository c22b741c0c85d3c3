import { asRecord, isString, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { readConfig } from '../../config/rules/read.ts';
import { evaluatePhaseExit, evaluateRunCompletion, type GateDecision } from '../../gates/rules/evaluate.ts';
import { inflateConfig, inflateFiles, inflateHistory, inflateState } from '../inflate.ts';
import type { Verb } from '../verb.ts';

export const evaluatePhaseExitVerb: Verb = (args, setup) => {
  const ground = readGround(args, setup);
  const requested = args.requested_phase ?? asRecord(setup.turn_result).phase_transition_request;
  const decision = evaluatePhaseExit(
    ground.config,
    ground.phase,
    isString(requested) ? requested : null,
    ground.evidence,
  );
  if (decision.action === 'unknown_phase') {
    return {
      result: 'error',
      action: 'gate_error',
      error_type: 'unknown_phase',
      reason: decision.reason,
      ...unmoved(),
    };
  }
  if (decision.action === 'advance') return { result: 'success', action: 'advance', new_phase: decision.to };
  if (decision.action !== 'awaiting_human_approval') return held(decision);
  return {
    ...paused(decision),
    pending_phase_transition: { gate: decision.gate, from: decision.from, to: decision.to },
  };
};

export const evaluateRunCompletionVerb: Verb = (args, setup) => {
  const ground = readGround(args, setup);
  const requested = asRecord(setup.turn_result).run_completion_request === true;
  const decision = evaluateRunCompletion(ground.config, ground.phase, requested, ground.evidence);
  if (decision.action === 'complete')
    return { result: 'success', action: 'complete', new_status: 'completed' };
  if (decision.action !== 'awaiting_human_approval') return held(decision);
  return { ...paused(decision), pending_run_completion: { phase: decision.from, gate: decision.gate } };
};

function readGround(args: LooseRecord, setup: LooseRecord) {
  const rawConfig = inflateConfig(setup.config);
  const state = inflateState(setup.state, rawConfig);
  const status = asRecord(asRecord(setup.turn_result).verification).status;
  return {
    config: readConfig(rawConfig),
    phase: isString(args.current_phase) ? args.current_phase : state.phase,
    evidence: {
      files: inflateFiles(setup.filesystem),
      verificationStatus: isString(status) ? status : undefined,
      history: inflateHistory(setup.history, state),
    },
  };
}

function paused(decision: GateDecision): LooseRecord {
  return { result: 'success', action: decision.action, new_status: 'paused' };
}

function held(decision: GateDecision): LooseRecord {
  return {
    result: 'success',
    action: decision.action,
    reason: decision.reason,
    reasons: decision.reasons,
    ...unmoved(),
  };
}

/** Evaluating a gate changes nothing: the rules were given no state to change. */
function unmoved(): LooseRecord {
  return { phase_unchanged: true, state_unchanged: true };
}
