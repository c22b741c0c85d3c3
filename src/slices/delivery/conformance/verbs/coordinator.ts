import { toHex } from '../../../../kernel/hex.ts';
import { asList, asRecord, isString } from '../../../../kernel/json/loose.ts';
import {
  faultText,
  readCoordinatorConfig,
  validateCoordinatorConfig,
} from '../../coordinator/rules/config.ts';
import { projectAcceptance } from '../../coordinator/rules/project.ts';
import type { Barriers, CoordinatorState } from '../../coordinator/state.ts';
import { refused, type Verb } from '../verb.ts';

export const validateCoordinatorConfigVerb: Verb = (_args, setup) => {
  const faults = validateCoordinatorConfig(setup.coordinator_config);
  if (faults.length === 0) return { result: 'success', errors: [] };
  return {
    result: 'error',
    error_type: faults.some((fault) => fault.code === 'workstream_cycle')
      ? 'workstream_cycle'
      : 'invalid_coordinator_config',
    error_codes: faults.map((fault) => fault.code),
    errors: faults.map(faultText),
  };
};

export const projectRepoAcceptanceVerb: Verb = (args, setup, deps) => {
  const state = { super_run_id: 'srun_fixture', repo_runs: {}, ...asRecord(setup.coordinator_state) };
  const barriers = asRecord(setup.barriers) as unknown as Barriers;
  const outcome = projectAcceptance({
    state: state as unknown as CoordinatorState,
    config: readCoordinatorConfig(setup.coordinator_config),
    barriers,
    history: asList(setup.coordinator_history).map(asRecord),
    repoId: isString(args.repo_id) ? args.repo_id : '',
    workstreamId: isString(args.workstream_id) ? args.workstream_id : '',
    turn: asRecord(args.accepted_turn),
    suffix: toHex(deps.random.bytes(4)),
    now: deps.clock.now(),
  });
  if (!outcome.ok) return refused(outcome.refusal, { barrier_snapshot: barriers });
  return {
    result: 'success',
    projection_ref: outcome.value.projection.projection_ref,
    projection: outcome.value.projection,
    barrier_effects: outcome.value.effects,
    barrier_snapshot: outcome.value.barriers,
    context_invalidations: outcome.value.invalidations,
  };
};
