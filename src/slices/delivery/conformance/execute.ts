import { asRecord, isNonBlank, isRecord, isString, type LooseRecord } from '../../../kernel/json/loose.ts';
import { nodeHasher, nodeRandom, systemClock } from '../../../platform/index.ts';
import { firstMismatch } from './match.ts';
import type { Operation, Tools } from './operation.ts';
import { projectRepoAcceptanceOperation, validateCoordinatorConfigOperation } from './verbs/coordinator.ts';
import {
  appendDecisionOperation,
  validateConfigOperation,
  validateEventOperation,
  validateEventOrderingOperation,
} from './verbs/documents.ts';
import { evaluatePhaseExitOperation, evaluateRunCompletionOperation } from './verbs/gates.ts';
import { inspectDispatchManifestOperation, verifyDispatchManifestOperation } from './verbs/manifest.ts';
import { acceptTurnWithCrashOperation, runHooksOperation } from './verbs/on-disk.ts';
import {
  approveCompletionOperation,
  approveTransitionOperation,
  assignTurnOperation,
  initializeRunOperation,
  rejectTurnOperation,
  resolveBlockedOperation,
  transitionStateOperation,
} from './verbs/state-machine.ts';
import { acceptTurnOperation, validateTurnResultOperation } from './verbs/turns.ts';

const OPERATIONS: Readonly<Record<string, Operation>> = {
  initialize_run: initializeRunOperation,
  assign_turn: assignTurnOperation,
  approve_transition: approveTransitionOperation,
  approve_completion: approveCompletionOperation,
  resolve_blocked: resolveBlockedOperation,
  transition_state: transitionStateOperation,
  validate_turn_result: validateTurnResultOperation,
  evaluate_phase_exit: evaluatePhaseExitOperation,
  evaluate_run_completion: evaluateRunCompletionOperation,
  append_decision: appendDecisionOperation,
  accept_turn: acceptTurnOperation,
  accept_turn_with_crash: acceptTurnWithCrashOperation,
  reject_turn: rejectTurnOperation,
  validate_config: validateConfigOperation,
  validate_event: validateEventOperation,
  validate_event_ordering: validateEventOrderingOperation,
  verify_dispatch_manifest: verifyDispatchManifestOperation,
  inspect_dispatch_manifest: inspectDispatchManifestOperation,
  run_hooks: runHooksOperation,
  validate_coordinator_config: validateCoordinatorConfigOperation,
  project_repo_acceptance: projectRepoAcceptanceOperation,
};

export interface AdapterResult {
  readonly status: 'pass' | 'fail' | 'error' | 'not_implemented';
  readonly message: string;
  readonly actual: LooseRecord | null;
}

const NODE_TOOLS: Tools = { clock: systemClock, random: nodeRandom, hasher: nodeHasher };

/** Runs one fixture against the engine. `actual` is what happened, whatever the fixture expected. */
export async function execute(raw: unknown, tools: Tools = NODE_TOOLS): Promise<AdapterResult> {
  const fixture = readFixture(raw);
  if (typeof fixture === 'string') return { status: 'error', message: fixture, actual: null };
  const operation = Object.hasOwn(OPERATIONS, fixture.operation) ? OPERATIONS[fixture.operation] : undefined;
  if (operation === undefined) {
    return { status: 'not_implemented', message: `No operation "${fixture.operation}".`, actual: null };
  }
  try {
    const actual = await operation(fixture.args, fixture.setup, tools);
    const mismatch = firstMismatch(fixture.expected, actual);
    return mismatch === null
      ? { status: 'pass', message: `${fixture.fixture_id} holds.`, actual }
      : { status: 'fail', message: `${fixture.fixture_id} differs at ${mismatch}.`, actual };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { status: 'error', message: `${fixture.fixture_id}: ${message}`, actual: null };
  }
}

export interface Fixture {
  readonly fixture_id: string;
  readonly tier: number;
  readonly surface: string;
  readonly setup: LooseRecord;
  readonly operation: string;
  readonly args: LooseRecord;
  readonly expected: LooseRecord;
}

/** A fixture as an adapter receives it, or what is wrong with it. */
function readFixture(raw: unknown): Fixture | string {
  if (!isRecord(raw)) return 'A fixture is a JSON object.';
  if (!isNonBlank(raw.fixture_id)) return 'fixture_id is missing.';
  const input = asRecord(raw.input);
  if (!isString(input.operation)) return 'input.operation is missing.';
  return {
    fixture_id: raw.fixture_id,
    tier: typeof raw.tier === 'number' ? raw.tier : 0,
    surface: isString(raw.surface) ? raw.surface : '',
    setup: asRecord(raw.setup),
    operation: input.operation,
    args: asRecord(input.args),
    expected: asRecord(raw.expected),
  };
}
