import { asRecord, isNonBlank, isRecord, isString, type LooseRecord } from '../../../kernel/json/loose.ts';
import { nodeHasher, nodeRandom, systemClock } from '../../../platform/index.ts';
import { firstMismatch } from './match.ts';
import type { Verb, VerbDeps } from './verb.ts';
import { projectRepoAcceptanceVerb, validateCoordinatorConfigVerb } from './verbs/coordinator.ts';
import {
  appendDecisionVerb,
  validateConfigVerb,
  validateEventOrderingVerb,
  validateEventVerb,
} from './verbs/documents.ts';
import { evaluatePhaseExitVerb, evaluateRunCompletionVerb } from './verbs/gates.ts';
import { inspectDispatchManifestVerb, verifyDispatchManifestVerb } from './verbs/manifest.ts';
import { acceptTurnWithCrashVerb, runHooksVerb } from './verbs/on-disk.ts';
import {
  approveCompletionVerb,
  approveTransitionVerb,
  assignTurnVerb,
  initializeRunVerb,
  rejectTurnVerb,
  resolveBlockedVerb,
  transitionStateVerb,
} from './verbs/state-machine.ts';
import { acceptTurnVerb, validateTurnResultVerb } from './verbs/turns.ts';

const VERBS: Readonly<Record<string, Verb>> = {
  initialize_run: initializeRunVerb,
  assign_turn: assignTurnVerb,
  approve_transition: approveTransitionVerb,
  approve_completion: approveCompletionVerb,
  resolve_blocked: resolveBlockedVerb,
  transition_state: transitionStateVerb,
  validate_turn_result: validateTurnResultVerb,
  evaluate_phase_exit: evaluatePhaseExitVerb,
  evaluate_run_completion: evaluateRunCompletionVerb,
  append_decision: appendDecisionVerb,
  accept_turn: acceptTurnVerb,
  accept_turn_with_crash: acceptTurnWithCrashVerb,
  reject_turn: rejectTurnVerb,
  validate_config: validateConfigVerb,
  validate_event: validateEventVerb,
  validate_event_ordering: validateEventOrderingVerb,
  verify_dispatch_manifest: verifyDispatchManifestVerb,
  inspect_dispatch_manifest: inspectDispatchManifestVerb,
  run_hooks: runHooksVerb,
  validate_coordinator_config: validateCoordinatorConfigVerb,
  project_repo_acceptance: projectRepoAcceptanceVerb,
};

export interface AdapterResult {
  readonly status: 'pass' | 'fail' | 'error' | 'not_implemented';
  readonly message: string;
  readonly actual: LooseRecord | null;
}

const NODE_DEPS: VerbDeps = { clock: systemClock, random: nodeRandom, hasher: nodeHasher };

/** Runs one fixture. `actual` is what happened, whatever the fixture expected. */
export async function execute(raw: unknown, deps: VerbDeps = NODE_DEPS): Promise<AdapterResult> {
  const fixture = readFixture(raw);
  if (typeof fixture === 'string') return { status: 'error', message: fixture, actual: null };
  const verb = Object.hasOwn(VERBS, fixture.operation) ? VERBS[fixture.operation] : undefined;
  if (verb === undefined) {
    return { status: 'not_implemented', message: `No operation "${fixture.operation}".`, actual: null };
  }
  try {
    const actual = await verb(fixture.args, fixture.setup, deps);
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
