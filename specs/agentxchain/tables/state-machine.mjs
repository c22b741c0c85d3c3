import { config, nonempty, present, refusedUnchanged, role, state, turn, working } from './ground.mjs';

const assign = (description, setup, expected, args = { role_id: 'dev' }) => ({
  description,
  type: expected.result === 'ok' ? 'transition' : 'reject',
  setup,
  input: { operation: 'assign_turn', args },
  expected,
});
const move = (description, operation, from, expected, args = {}, more = {}) => ({
  description,
  type: expected.result === 'ok' ? 'transition' : 'reject',
  setup: { state: from, ...more },
  input: { operation, args },
  expected,
});
const ok = (assertions) => ({ result: 'ok', state_assertions: assertions });

const two = config({ routing: { implementation: { entry_role: 'dev', max_concurrent_turns: 2 } } });
const budget = (limits) => config({ budget: limits });
const pendingTransition = { gate: 'signoff', from: 'planning', to: 'implementation' };
const blocked = (more = {}) => state({ status: 'blocked', blocked_on: 'human:question', ...more });
const start = (description, from, expected, more = {}, args = {}) =>
  move(description, 'initialize_run', from, expected, args, { config: config(), ...more });

export const surface = 'state_machine';
export const tier = 1;
export const prefix = 'BSM';
export const table = [
  assign(
    'An active run assigns a turn',
    { state: state(), config: config() },
    ok({ status: 'active', turn_sequence: 1, active_turns: present }),
  ),
  assign('A blocked run assigns nothing', { state: blocked(), config: config() }, refusedUnchanged()),
  assign(
    'A paused run assigns nothing',
    { state: state({ status: 'paused', pending_phase_transition: pendingTransition }), config: config() },
    refusedUnchanged(),
  ),
  assign(
    'An idle run assigns nothing',
    { state: state({ status: 'idle', run_id: null }), config: config() },
    refusedUnchanged(),
  ),
  assign(
    'A role nobody declared gets no turn',
    { state: state(), config: config() },
    refusedUnchanged('invalid_state_transition', { error_field: 'role_id' }),
    { role_id: 'ghost' },
  ),
  assign(
    'A role named like an object method gets no turn',
    { state: state(), config: config() },
    refusedUnchanged(),
    { role_id: 'constructor' },
  ),
  assign(
    'A role without a declared runtime gets no turn',
    { state: state(), config: config({ roles: { dev: role({ runtime: 'nowhere' }) } }) },
    refusedUnchanged('invalid_state_transition', { error_field: 'roles.dev.runtime' }),
  ),
  assign(
    'A second turn waits where one is allowed',
    { state: working({ turn_1: turn({ role: 'pm' }) }), config: config() },
    refusedUnchanged('invalid_state_transition', { error_field: 'active_turns' }),
  ),
  assign(
    'A second turn starts where two are allowed',
    { state: working({ turn_1: turn({ role: 'pm' }) }), config: two },
    ok({ turn_sequence: 1, active_turns: { turn_1: present } }),
  ),
  assign(
    'A role has one turn at a time even where two are allowed',
    { state: working(), config: two },
    refusedUnchanged('invalid_state_transition', { error_field: 'role_id' }),
  ),
  assign(
    'A third turn waits where two are allowed',
    { state: working({ turn_1: turn({ role: 'pm' }), turn_2: turn({ role: 'qa' }) }), config: two },
    refusedUnchanged('invalid_state_transition', {
      error_field: 'routing.implementation.max_concurrent_turns',
    }),
  ),
  assign(
    'A spent budget assigns nothing',
    {
      state: state({ budget_status: { spent_usd: 5, remaining_usd: 0 } }),
      config: budget({ per_run_max_usd: 5 }),
    },
    refusedUnchanged('invalid_state_transition', { error_field: 'budget.per_run_max_usd' }),
  ),
  assign(
    'A turn that might cost more than is left is not assigned',
    {
      state: state({ budget_status: { spent_usd: 4, remaining_usd: 1 } }),
      config: budget({ per_run_max_usd: 5, per_turn_max_usd: 2 }),
    },
    refusedUnchanged(),
  ),
  assign(
    'Reservations of other turns count against the budget',
    {
      state: working({ turn_1: turn({ role: 'pm' }) }, { budget_reservations: { turn_1: 4 } }),
      config: { ...two, budget: { per_run_max_usd: 5, per_turn_max_usd: 2 } },
    },
    refusedUnchanged(),
  ),
  assign(
    'A reservation that fits to the last tenth of a cent is made',
    {
      state: state({ budget_status: { spent_usd: 0.1, remaining_usd: 0.2 } }),
      config: budget({ per_run_max_usd: 0.3, per_turn_max_usd: 0.2 }),
    },
    ok({ status: 'active', budget_reservations: present }),
  ),
  assign(
    'A budget that only warns assigns on',
    {
      state: state({ budget_status: { spent_usd: 9, remaining_usd: -4 } }),
      config: budget({ per_run_max_usd: 5, on_exceed: 'warn' }),
    },
    ok({ status: 'active' }),
  ),
  assign(
    'A writing role gets no turn over changes that nobody made',
    { state: state(), config: config() },
    refusedUnchanged('invalid_state_transition', { error_field: 'worktree' }),
    { role_id: 'dev', dirty_paths: ['src/stray.ts'] },
  ),
  assign(
    'A reviewing role may be assigned over changes',
    { state: state(), config: config() },
    ok({ status: 'active' }),
    { role_id: 'qa', dirty_paths: ['src/stray.ts'] },
  ),
  assign(
    'A delegated role takes up its charge',
    {
      state: state({
        delegation_queue: [
          {
            delegation_id: 'del-001',
            parent_turn_id: 'turn_0',
            parent_role: 'pm',
            to_role: 'dev',
            charter: 'Build',
            acceptance_contract: ['Works'],
            required_decision_ids: [],
            status: 'pending',
            child_turn_id: null,
          },
        ],
      }),
      config: config(),
    },
    ok({
      delegation_queue: [
        {
          delegation_id: 'del-001',
          status: 'active',
          child_turn_id: { assert: 'id_prefix', value: 'turn_' },
        },
      ],
    }),
  ),

  start('A run is not initialized twice', state(), refusedUnchanged()),
  start(
    'A paused run is not initialized again',
    state({ status: 'paused', pending_phase_transition: pendingTransition }),
    refusedUnchanged(),
  ),
  start(
    'A completed run is not initialized again by itself',
    state({ status: 'completed' }),
    refusedUnchanged(),
  ),
  start(
    'A completed run is followed by another when that is asked for',
    state({ status: 'completed', phase: 'qa' }),
    ok({
      status: 'active',
      phase: 'planning',
      run_id: { assert: 'id_prefix', value: 'run_' },
      accepted_sequence: 0,
    }),
    {},
    { restart: true },
  ),
  start('A blocked run keeps its place', blocked(), refusedUnchanged()),
  start(
    'A block from before the first run does not hinder it',
    blocked({ run_id: null, phase: 'planning' }),
    ok({ status: 'active', blocked_on: null, phase: 'planning' }),
  ),
  start(
    'A started run has its instants and a full budget',
    state({ status: 'idle', run_id: null, phase: 'planning' }),
    ok({
      created_at: nonempty,
      phase_entered_at: nonempty,
      budget_status: { spent_usd: 0, remaining_usd: 12 },
    }),
    { config: budget({ per_run_max_usd: 12 }) },
  ),
  start(
    'Only repository decisions that are in force are carried over',
    state({ status: 'idle', run_id: null, phase: 'planning' }),
    ok({ repo_decisions: [{ id: 'DEC-010' }] }),
    {
      repo_decisions: [
        { id: 'DEC-010', status: 'active' },
        { id: 'DEC-009', status: 'overridden', overridden_by: 'DEC-010' },
      ],
    },
  ),
  start(
    'A gate on a product file in a phase of reviewers is refused before the first turn',
    state({ status: 'idle', run_id: null, phase: 'planning' }),
    refusedUnchanged('admission_rejected'),
    {
      config: config({
        routing: { qa: { entry_role: 'qa', allowed_next_roles: ['qa'], exit_gate: 'g' } },
        gates: { g: { requires_files: ['src/index.ts'] } },
      }),
    },
  ),
  start(
    'A gate on a planning file in a phase of reviewers is fine',
    state({ status: 'idle', run_id: null, phase: 'planning' }),
    ok({ status: 'active', phase: 'qa' }),
    {
      config: config({
        routing: { qa: { entry_role: 'qa', allowed_next_roles: ['qa'], exit_gate: 'g' } },
        gates: { g: { requires_files: ['.planning/ship-verdict.md'] } },
      }),
    },
  ),
  start(
    'A phase in which only people may work is refused',
    state({ status: 'idle', run_id: null, phase: 'planning' }),
    refusedUnchanged('admission_rejected'),
    { config: config({ routing: { planning: { allowed_next_roles: ['human'] } } }) },
  ),
  start(
    'A required document whose owner never works in the phase is refused',
    state({ status: 'idle', run_id: null, phase: 'planning' }),
    refusedUnchanged('admission_rejected'),
    {
      config: config({
        workflow_kit: {
          phases: { planning: { artifacts: [{ path: '.planning/PM_SIGNOFF.md', owned_by: 'qa' }] } },
        },
      }),
    },
  ),

  ...['paused', 'blocked', 'completed', 'idle'].map((target) =>
    move(`An active run does not simply become ${target}`, 'transition_state', state(), refusedUnchanged(), {
      target_status: target,
    }),
  ),
  move(
    'A paused run does not simply go on',
    'transition_state',
    state({ status: 'paused', pending_phase_transition: pendingTransition }),
    refusedUnchanged(),
    { target_status: 'active' },
  ),
  move(
    'A completed run does not simply go on',
    'transition_state',
    state({ status: 'completed' }),
    refusedUnchanged(),
    { target_status: 'active' },
  ),
  move(
    'Staying where one is changes nothing',
    'transition_state',
    state(),
    { ...ok({ status: 'active', run_id: 'run_c1' }), state_unchanged: true },
    { target_status: 'active', candidate_overrides: { run_id: 'run_c1' } },
  ),
  move(
    'A run does not lose its id',
    'transition_state',
    state(),
    refusedUnchanged('immutable_field', { error_field: 'run_id' }),
    { target_status: 'active', candidate_overrides: { run_id: null } },
  ),
  move(
    'A completed run is not escalated',
    'transition_state',
    state({ status: 'completed' }),
    refusedUnchanged(),
    { trigger: 'escalation', reason: 'retries_exhausted', role_id: 'dev' },
  ),
  move(
    'An idle run does not pause at a gate',
    'transition_state',
    state({ status: 'idle', run_id: null }),
    refusedUnchanged(),
    { trigger: 'gate_requires_human_approval', gate: pendingTransition },
  ),
  move(
    'A completed run does not pause at a gate',
    'transition_state',
    state({ status: 'completed' }),
    refusedUnchanged(),
    { trigger: 'gate_requires_human_approval', gate: pendingTransition },
  ),
  move(
    'An escalation names its reason and role',
    'transition_state',
    state(),
    ok({
      status: 'blocked',
      blocked_on: 'escalation:budget-exceeded-twice:qa',
      escalation: { reason: 'budget_exceeded_twice', role: 'qa' },
      blocked_reason: { recovery: { recovery_action: nonempty } },
    }),
    { trigger: 'escalation', reason: 'budget_exceeded_twice', role_id: 'qa' },
  ),
  move(
    'A gate that asks a person says which gate it is',
    'transition_state',
    state({ phase: 'planning' }),
    ok({ status: 'paused', blocked_on: 'human_approval:signoff', phase_gate_status: { signoff: 'pending' } }),
    { trigger: 'gate_requires_human_approval', gate: pendingTransition },
  ),

  move('Nothing is approved that does not wait', 'approve_transition', state(), refusedUnchanged()),
  move(
    'A pending completion is not approved as a transition',
    'approve_transition',
    state({ status: 'paused', pending_run_completion: { gate: 'ship' } }),
    refusedUnchanged(),
  ),
  move(
    'A pending transition is not approved as a completion',
    'approve_completion',
    state({ status: 'paused', phase: 'planning', pending_phase_transition: pendingTransition }),
    refusedUnchanged(),
  ),
  move(
    'A gate can be approved while the run is blocked at it',
    'approve_transition',
    state({
      status: 'blocked',
      phase: 'planning',
      blocked_on: 'hook:before_gate:check',
      pending_phase_transition: pendingTransition,
    }),
    ok({
      status: 'active',
      phase: 'implementation',
      blocked_on: null,
      phase_gate_status: { signoff: 'passed' },
    }),
  ),
  move(
    'An approved transition enters the phase anew',
    'approve_transition',
    state({
      status: 'paused',
      phase: 'planning',
      pending_phase_transition: pendingTransition,
      next_recommended_role: 'pm',
    }),
    ok({
      phase: 'implementation',
      phase_entered_at: nonempty,
      next_recommended_role: null,
      pending_phase_transition: null,
    }),
  ),
  move(
    'An approved completion ends the run',
    'approve_completion',
    state({ status: 'paused', phase: 'qa', pending_run_completion: { gate: 'ship', phase: 'qa' } }),
    ok({
      status: 'completed',
      completed_at: nonempty,
      pending_run_completion: null,
      phase_gate_status: { ship: 'passed' },
    }),
  ),

  move(
    'A blocked run is not resumed past a pending gate',
    'resolve_blocked',
    blocked({ pending_phase_transition: pendingTransition }),
    refusedUnchanged('invalid_state_transition', { error_field: 'pending_phase_transition' }),
    { action: 'resume' },
  ),
  move(
    'A blocked run is not resumed past a pending completion',
    'resolve_blocked',
    blocked({ pending_run_completion: { gate: 'ship' } }),
    refusedUnchanged('invalid_state_transition', { error_field: 'pending_run_completion' }),
    { action: 'resume' },
  ),
  move('A running run is not resumed', 'resolve_blocked', state(), refusedUnchanged(), { action: 'resume' }),
  move(
    'A paused run is not resumed',
    'resolve_blocked',
    state({ status: 'paused', pending_phase_transition: pendingTransition }),
    refusedUnchanged(),
    { action: 'resume' },
  ),
  move(
    'Resuming clears the escalation',
    'resolve_blocked',
    blocked({
      blocked_on: 'escalation:retries-exhausted:dev',
      escalation: { reason: 'retries_exhausted', role: 'dev' },
    }),
    ok({ status: 'active', blocked_on: null, blocked_reason: null, escalation: null }),
    { action: 'resume' },
  ),
  move(
    'Resuming gives an exhausted turn new attempts',
    'resolve_blocked',
    blocked({ active_turns: { turn_1: turn({ status: 'failed', attempt: 2 }) } }),
    ok({ active_turns: { turn_1: { status: 'retrying', attempt: 1 } } }),
    { action: 'resume' },
  ),

  move(
    'A rejected turn goes round again under its own id',
    'reject_turn',
    working(),
    ok({
      status: 'active',
      active_turns: { turn_1: { attempt: 2, status: 'retrying', last_rejection: { reason: 'too thin' } } },
    }),
    { turn_id: 'turn_1', reason: 'too thin' },
    { config: config() },
  ),
  move(
    'The last attempt that is rejected stops the run',
    'reject_turn',
    working({ turn_1: turn({ attempt: 2 }) }),
    ok({
      status: 'blocked',
      blocked_on: 'escalation:retries-exhausted:dev',
      active_turns: { turn_1: { status: 'failed' } },
    }),
    { turn_id: 'turn_1', reason: 'no' },
    { config: config() },
  ),
  move(
    'A config may allow more attempts',
    'reject_turn',
    working({ turn_1: turn({ attempt: 2 }) }),
    ok({ status: 'active', active_turns: { turn_1: { attempt: 3 } } }),
    { turn_id: 'turn_1', reason: 'no' },
    { config: config({ rules: { max_turn_retries: 3 } }) },
  ),
  move(
    'A turn that is not under way cannot be rejected',
    'reject_turn',
    working(),
    refusedUnchanged('turn_not_active'),
    { turn_id: 'turn_9', reason: 'no' },
    { config: config() },
  ),
  move(
    'A turn rejected for a conflict is told about it',
    'reject_turn',
    working(
      {
        turn_1: turn({
          status: 'conflicted',
          conflict_state: {
            conflicting_files: ['src/a.ts'],
            accepted_since: ['turn_0'],
            overlap_ratio: 0.25,
            suggested_resolution: 'reject_and_reassign',
            detections: 1,
            detected_at: '2026-01-01T00:00:00.000Z',
          },
        }),
      },
      { accepted_sequence: 3 },
    ),
    ok({
      active_turns: {
        turn_1: {
          status: 'retrying',
          assigned_sequence: 3,
          conflict_context: { conflicting_files: ['src/a.ts'] },
        },
      },
    }),
    { turn_id: 'turn_1', reason: 'conflict' },
    { config: config() },
  ),
];
