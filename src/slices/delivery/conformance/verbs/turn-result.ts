import { readConfig } from '../../config/rules/read.ts';
import { decisionIds } from '../../decisions/ledger-rules.ts';
import { asDoc, type Doc } from '../../document.ts';
import { turnInView } from '../../turns/rules/result/context.ts';
import { validateTurnResult } from '../../turns/rules/result/validate.ts';
import { inflateConfig, inflateHistory, inflateLedger, inflateState } from '../inflate.ts';
import type { Operation } from '../operation.ts';

export const validateTurnResultOperation: Operation = (args, setup) => {
  const rawConfig = inflateConfig(setup.config);
  const state = inflateState(setup.state, rawConfig);
  const staged = setup.turn_result ?? args.turn_result;
  const validation = validateTurnResult(staged, {
    state,
    config: readConfig(rawConfig),
    turn: turnInView(state, asDoc(staged).turn_id),
    history: inflateHistory(setup.history, state),
    takenDecisionIds: decisionIds(inflateLedger(setup.ledger), state.run_id),
  });
  const common: Doc = { stages_passed: validation.stagesPassed, warnings: validation.warnings };
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
