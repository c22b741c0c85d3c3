import { toHex } from '../../../../kernel/hex.ts';
import { asRecord, asStrings, isString, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { readConfig } from '../../config/rules/read.ts';
import { approveCompletion, approveTransition } from '../../gates/rules/decide.ts';
import type { Outcome } from '../../outcome.ts';
import type { PendingTransition, RunState, RunStatus } from '../../run-state.ts';
import type { Change } from '../../runs/rules/change.ts';
import { initializeRun } from '../../runs/rules/initialize.ts';
import { resumeRun } from '../../runs/rules/resume.ts';
import { type Trigger, transition } from '../../runs/rules/transition.ts';
import { assignTurn } from '../../turns/rules/assign.ts';
import { rejectTurn } from '../../turns/rules/reject.ts';
import { inflateConfig, inflateRepoDecisions, inflateState } from '../inflate.ts';
import { refused, type Verb, type VerbDeps } from '../verb.ts';

export const initializeRunVerb: Verb = (args, setup, deps) =>
  onState(setup, (state, config) =>
    initializeRun(state, {
      rawConfig: config,
      runId: id('run', deps),
      now: deps.clock.now(),
      repoDecisions: inflateRepoDecisions(setup.repo_decisions),
      restart: args.restart === true,
    }),
  );

export const assignTurnVerb: Verb = (args, setup, deps) =>
  onState(setup, (state, config) =>
    assignTurn(state, readConfig(config), {
      roleId: isString(args.role_id) ? args.role_id : '',
      turnId: id('turn', deps),
      now: deps.clock.now(),
      ...(Array.isArray(args.dirty_paths) ? { dirtyPaths: asStrings(args.dirty_paths) } : {}),
    }),
  );

export const approveTransitionVerb: Verb = (_args, setup, deps) =>
  onState(setup, (state) => approveTransition(state, {}, deps.clock.now()));

export const approveCompletionVerb: Verb = (_args, setup, deps) =>
  onState(setup, (state) => approveCompletion(state, {}, deps.clock.now()));

export const resolveBlockedVerb: Verb = (_args, setup, deps) =>
  onState(setup, (state) => resumeRun(state, undefined, deps.clock.now()));

export const transitionStateVerb: Verb = (args, setup, deps) =>
  onState(setup, (state) => transition(state, triggerOf(args), deps.clock.now()));

export const rejectTurnVerb: Verb = (args, setup, deps) =>
  onState(setup, (state, config) =>
    rejectTurn(state, readConfig(config), {
      turnId: String(args.turn_id ?? ''),
      rejection: { reason: String(args.reason ?? 'rejected'), validation_errors: [], failed_stage: null },
      now: deps.clock.now(),
    }),
  );

function triggerOf(args: LooseRecord): Trigger {
  if (args.trigger === 'gate_requires_human_approval') {
    return { trigger: args.trigger, gate: asRecord(args.gate) as unknown as PendingTransition };
  }
  if (args.trigger === 'escalation') {
    return { trigger: args.trigger, reason: String(args.reason ?? ''), roleId: String(args.role_id ?? '') };
  }
  return { target: String(args.target_status) as RunStatus, overrides: asRecord(args.candidate_overrides) };
}

function onState(
  setup: LooseRecord,
  decide: (state: RunState, config: LooseRecord) => Outcome<Change>,
): LooseRecord {
  const config = inflateConfig(setup.config);
  const state = inflateState(setup.state, config);
  const before = JSON.stringify(state);
  const outcome = decide(state, config);
  const after = JSON.stringify(outcome.ok ? outcome.value.state : state);
  if (!outcome.ok) return refused(outcome.refusal, { state_unchanged: before === after });
  return {
    result: 'ok',
    state_assertions: outcome.value.state,
    state_unchanged: before === after,
    events: outcome.value.events.map((event) => event.event_type),
  };
}

function id(prefix: string, deps: VerbDeps): string {
  return `${prefix}_${toHex(deps.random.bytes(8))}`;
}
