import { asRecord, isString, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { readConfig } from '../../config/rules/read.ts';
import { decisionIds } from '../../decisions/rules.ts';
import { acceptTurn } from '../../turns/rules/accept.ts';
import { turnInView } from '../../turns/rules/result/stage.ts';
import { validateTurnResult } from '../../turns/rules/result/validate.ts';
import {
  inflateConfig,
  inflateFiles,
  inflateHistory,
  inflateLedger,
  inflateRepoDecisions,
  inflateState,
} from '../inflate.ts';
import { refused, type Verb } from '../verb.ts';

export const validateTurnResultVerb: Verb = (args, setup) => {
  const rawConfig = inflateConfig(setup.config);
  const state = inflateState(setup.state, rawConfig);
  const staged = setup.turn_result ?? args.turn_result;
  const validation = validateTurnResult(staged, {
    state,
    config: readConfig(rawConfig),
    turn: turnInView(state, asRecord(staged).turn_id),
    history: inflateHistory(setup.history, state),
    takenDecisionIds: decisionIds(inflateLedger(setup.ledger), state.run_id),
  });
  const common: LooseRecord = { stages_passed: validation.stagesPassed, warnings: validation.warnings };
  if (validation.ok) return { result: 'success', ...common, errors: [], normalized: validation.result };
  const { decisive } = validation;
  return {
    result: 'error',
    ...common,
    failed_stage: validation.failedStage,
    error_type: decisive.type,
    error_field: decisive.field,
    error_detail: decisive.message,
    ...(decisive.path === undefined ? {} : { error_path: decisive.path }),
    errors: validation.findings,
  };
};

export const acceptTurnVerb: Verb = (args, setup, deps) => {
  const rawConfig = inflateConfig(setup.config);
  const state = inflateState(setup.state, rawConfig);
  const before = JSON.stringify(state);
  const history = inflateHistory(setup.history, state);
  const outcome = acceptTurn({
    state,
    config: readConfig(rawConfig),
    history: history.filter((row) => row.run_id === state.run_id),
    ledger: inflateLedger(setup.ledger),
    repoDecisions: inflateRepoDecisions(setup.repo_decisions),
    gateFiles: inflateFiles(setup.filesystem),
    observation: null,
    now: deps.clock.now(),
    turnId: isString(args.turn_id) ? args.turn_id : undefined,
    staged: setup.turn_result ?? args.turn_result,
    merged: args.merged === true,
  });
  if (!outcome.ok) {
    return refused(outcome.refusal, {
      history_length: history.length,
      state_unchanged: before === JSON.stringify(state),
    });
  }
  if (outcome.value.kind === 'conflicted') {
    const { state: held, ledger, events } = outcome.value.change;
    return {
      result: 'error',
      error_type: 'file_conflict',
      state: held,
      history_length: history.length,
      ledger_rows: ledger,
      events: events.map((event) => event.event_type),
    };
  }
  const { acceptance } = outcome.value;
  return {
    result: 'success',
    state: acceptance.state,
    history_length: history.length + 1,
    history_last_entry: acceptance.historyRow,
    ledger_rows: acceptance.ledger,
    repo_decisions: acceptance.repoDecisions,
    events: acceptance.events.map((event) => event.event_type),
    warnings: acceptance.warnings,
  };
};
