import { config, decision, nonempty, present, result, role, turn, working } from './ground.mjs';

const accept = (
  description,
  { turnResult = {}, state = working(), more = {}, args = {}, setup = {} },
  expected,
) => ({
  description,
  type: expected.result === 'success' ? 'transition' : 'reject',
  setup: { state, config: config(more), history: [], turn_result: result(turnResult), ...setup },
  input: { operation: 'accept_turn', args: { turn_id: 'turn_1', ...args } },
  expected,
});
const accepted = (state, more = {}) => ({ result: 'success', history_length: 1, state, ...more });
const refused = (type, more = {}) => ({
  result: 'error',
  error_type: type,
  state_unchanged: true,
  history_length: 0,
  ...more,
});

const gates = (g, phase = 'implementation') => ({
  routing: { planning: {}, implementation: {}, qa: {}, [phase]: { exit_gate: 'g' } },
  gates: { g },
});
const row = (more = {}) => ({
  turn_id: 'turn_0',
  role: 'pm',
  files_changed: ['src/feature.ts'],
  accepted_sequence: 1,
  ...more,
});
const since = { state: working({ turn_1: turn() }, { accepted_sequence: 1 }), setup: { history: [row()] } };
const two = { routing: { implementation: { max_concurrent_turns: 2 }, qa: {} } };
const standing = (more = {}) => ({
  id: 'DEC-900',
  run_id: 'run_0',
  turn_id: 't',
  role: 'pm',
  phase: 'planning',
  category: 'scope',
  statement: 's',
  rationale: 'r',
  durability: 'repo',
  overrides: null,
  status: 'active',
  overridden_by: null,
  ...more,
});
const overriding = { turnResult: { decisions: [decision({ durability: 'repo', overrides: 'DEC-900' })] } };
const ranks = (pm, dev) => ({
  roles: { pm: role({ decision_authority: pm }), dev: role({ decision_authority: dev }), qa: role() },
});
const policy = (rule, action, params = {}) => ({ policies: [{ id: 'p1', rule, action, params }] });
const charge = {
  delegation_id: 'del-001',
  parent_turn_id: 'turn_p',
  parent_role: 'pm',
  to_role: 'dev',
  charter: 'Build',
  acceptance_contract: ['Works'],
  required_decision_ids: ['DEC-001', 'DEC-002'],
  status: 'active',
  child_turn_id: 'turn_1',
};

export const surface = 'history';
export const tier = 1;
export const prefix = 'BHS';
export const table = [
  accept(
    'Accepting counts on from what was accepted before',
    { state: working({ turn_1: turn({ assigned_sequence: 4 }) }, { accepted_sequence: 4 }) },
    accepted(
      { accepted_sequence: 5, last_completed_turn_id: 'turn_1', active_turns: {} },
      { history_last_entry: { accepted_sequence: 5, phase: 'implementation', accepted_at: nonempty } },
    ),
  ),
  accept(
    'Accepting twice is refused, even while the state still calls the turn active',
    { setup: { history: [row({ turn_id: 'turn_1' })] } },
    refused('turn_already_accepted', { history_length: 1 }),
  ),
  accept(
    'A turn of an earlier run does not count as accepted',
    { setup: { history: [row({ turn_id: 'turn_1', run_id: 'run_0' })] } },
    accepted({ accepted_sequence: 1 }, { history_length: 2 }),
  ),
  accept(
    'A turn that was never handed out is not accepted',
    { args: { turn_id: 'turn_9' } },
    refused('turn_not_active'),
  ),
  accept(
    'A completed run accepts nothing',
    { state: working({ turn_1: turn() }, { status: 'completed' }) },
    refused('invalid_state_transition'),
  ),
  accept(
    'A blocked run accepts nothing',
    { state: working({ turn_1: turn() }, { status: 'blocked', blocked_on: 'human:x' }) },
    refused('invalid_state_transition'),
  ),
  accept(
    'An invalid result enters no history',
    { turnResult: { files_changed: ['../x'] } },
    refused('artifact_error', { failed_stage: 'artifact' }),
  ),
  accept('The proposed role is recommended next', {}, accepted({ next_recommended_role: 'qa' })),
  accept(
    'A hand-over to a person recommends nobody',
    { turnResult: { proposed_next_role: 'human' } },
    accepted({ next_recommended_role: null }),
  ),

  accept(
    'A request with nothing in the way moves the run on',
    { turnResult: { phase_transition_request: 'qa' } },
    accepted({ phase: 'qa', status: 'active' }, { events: ['turn_accepted', 'phase_entered'] }),
  ),
  accept(
    'A request at a human gate pauses the run',
    { turnResult: { phase_transition_request: 'qa' }, more: gates({ requires_human_approval: true }) },
    accepted(
      {
        status: 'paused',
        phase: 'implementation',
        pending_phase_transition: {
          gate: 'g',
          from: 'implementation',
          to: 'qa',
          requested_by_turn: 'turn_1',
        },
      },
      { events: ['turn_accepted', 'gate_pending'] },
    ),
  ),
  accept(
    'A failed gate keeps the phase and the turn',
    {
      turnResult: { phase_transition_request: 'qa', verification: { status: 'fail' } },
      more: gates({ requires_verification_pass: true }),
    },
    accepted(
      {
        phase: 'implementation',
        status: 'active',
        last_gate_failure: { gate: 'g' },
        phase_gate_status: { g: 'failed' },
      },
      { ledger_rows: [{ type: 'gate_failure', gate: 'g' }], events: ['turn_accepted', 'gate_failed'] },
    ),
  ),
  accept(
    'A gate that fails on files the turn never touched sends the turn back',
    {
      turnResult: { phase_transition_request: 'qa' },
      more: gates({ requires_files: ['.planning/IMPLEMENTATION_NOTES.md'] }),
    },
    refused('gate_coverage', { error_field: 'phase_transition_request' }),
  ),
  accept(
    'A gate that fails on a file the turn touched only holds the phase',
    {
      turnResult: {
        phase_transition_request: 'qa',
        files_changed: ['src/a.ts', '.planning/IMPLEMENTATION_NOTES.md'],
      },
      more: gates({ requires_files: ['.planning/IMPLEMENTATION_NOTES.md'] }),
      setup: { filesystem: { '.planning/IMPLEMENTATION_NOTES.md': 'soon' } },
    },
    accepted({ phase: 'implementation', last_gate_failure: present }),
  ),
  accept(
    'In planning a premature request is dropped, not the turn',
    {
      turnResult: { phase_transition_request: 'implementation' },
      state: working({ turn_1: turn() }, { phase: 'planning' }),
      more: gates({ requires_files: ['.planning/PM_SIGNOFF.md'] }, 'planning'),
    },
    accepted(
      { phase: 'planning', last_gate_failure: null },
      { history_last_entry: { phase_transition_request: null } },
    ),
  ),
  accept(
    'While others work a request waits',
    {
      turnResult: { phase_transition_request: 'qa' },
      state: working({ turn_1: turn(), turn_2: turn({ role: 'pm' }) }),
      more: two,
    },
    accepted({
      phase: 'implementation',
      queued_phase_transition: { from: 'implementation', to: 'qa', requested_by_turn: 'turn_1' },
    }),
  ),
  accept(
    'The last one out carries out what waited',
    {
      state: working(
        { turn_1: turn() },
        { queued_phase_transition: { from: 'implementation', to: 'qa', requested_by_turn: 'turn_0' } },
      ),
      more: two,
    },
    accepted({ phase: 'qa', queued_phase_transition: null }),
  ),
  accept(
    'The end of the run waits for the others too',
    {
      turnResult: { run_completion_request: true, proposed_next_role: 'human' },
      state: working({ turn_1: turn(), turn_2: turn({ role: 'pm' }) }, { phase: 'qa' }),
    },
    accepted({ status: 'active', queued_run_completion: { requested_by_turn: 'turn_1' } }),
  ),
  accept(
    'A run may end without a gate',
    {
      turnResult: { run_completion_request: true, proposed_next_role: 'human' },
      state: working({ turn_1: turn() }, { phase: 'qa' }),
    },
    accepted({ status: 'completed', completed_at: nonempty }, { events: ['turn_accepted', 'run_completed'] }),
  ),
  accept(
    'A policy may approve a gate, on record',
    {
      turnResult: { phase_transition_request: 'qa' },
      more: {
        ...gates({ requires_human_approval: true }),
        approval_policy: { rules: [{ gate: 'g', action: 'auto_approve' }] },
      },
    },
    accepted({ phase: 'qa', status: 'active' }, { ledger_rows: [{ type: 'approval_policy', gate: 'g' }] }),
  ),
  accept(
    'No policy approves a credentialed gate',
    {
      turnResult: { phase_transition_request: 'qa' },
      more: {
        ...gates({ requires_human_approval: true, credentialed: true }),
        approval_policy: { rules: [{ gate: 'g', action: 'auto_approve' }] },
      },
    },
    accepted({ status: 'paused' }),
  ),
  accept(
    'No policy approves a gate whose predicates fail',
    {
      turnResult: { phase_transition_request: 'qa', verification: { status: 'fail' } },
      more: {
        ...gates({ requires_human_approval: true, requires_verification_pass: true }),
        approval_policy: { rules: [{ action: 'auto_approve' }] },
      },
    },
    accepted({ status: 'active', phase: 'implementation' }),
  ),

  accept(
    'A question to a person blocks the run',
    {
      turnResult: { status: 'needs_human', needs_human_reason: 'Which region?', proposed_next_role: 'human' },
    },
    accepted(
      {
        status: 'blocked',
        blocked_on: 'human:which-region',
        blocked_reason: { recovery: { typed_reason: 'needs_human', recovery_action: 'baton run resume' } },
      },
      { events: ['turn_accepted', 'human_escalation_raised', 'run_blocked'] },
    ),
  ),
  accept(
    'A blocked turn blocks the run',
    { turnResult: { status: 'blocked', summary: 'No access', proposed_next_role: 'human' } },
    accepted({ status: 'blocked', blocked_on: 'human:no-access' }),
  ),
  accept(
    'A failed turn is history and the run goes on',
    { turnResult: { status: 'failed', proposed_next_role: 'dev' } },
    accepted(
      { status: 'active', next_recommended_role: 'dev' },
      { history_last_entry: { status: 'failed' } },
    ),
  ),

  accept('Two turns that touch one file conflict', since, {
    result: 'error',
    error_type: 'file_conflict',
    history_length: 1,
    state: {
      active_turns: {
        turn_1: {
          status: 'conflicted',
          conflict_state: {
            conflicting_files: ['src/feature.ts'],
            accepted_since: ['turn_0'],
            overlap_ratio: 1,
            suggested_resolution: 'human_merge',
            detections: 1,
          },
        },
      },
    },
    events: ['turn_conflicted'],
    ledger_rows: [{ decision: 'conflict_detected' }],
  }),
  accept(
    'A small overlap is better done again',
    { ...since, turnResult: { files_changed: ['src/feature.ts', 'src/b.ts', 'src/c.ts'] } },
    {
      result: 'error',
      error_type: 'file_conflict',
      state: {
        active_turns: {
          turn_1: { conflict_state: { overlap_ratio: 0.333, suggested_resolution: 'reject_and_reassign' } },
        },
      },
    },
  ),
  accept(
    'Paths that are written differently still collide',
    { ...since, turnResult: { files_changed: ['./src//feature.ts'] } },
    { result: 'error', error_type: 'file_conflict' },
  ),
  accept(
    'The third collision is for a person',
    {
      ...since,
      state: working(
        {
          turn_1: turn({
            conflict_state: {
              conflicting_files: ['src/feature.ts'],
              accepted_since: ['turn_0'],
              overlap_ratio: 1,
              suggested_resolution: 'human_merge',
              detections: 2,
              detected_at: 'x',
            },
          }),
        },
        { accepted_sequence: 1 },
      ),
    },
    {
      result: 'error',
      error_type: 'file_conflict',
      state: { status: 'blocked', blocked_on: 'human:conflict_loop:turn_1' },
      events: ['turn_conflicted', 'run_blocked'],
    },
  ),
  accept(
    'What was accepted before the turn was handed out is no conflict',
    {
      state: working({ turn_1: turn({ assigned_sequence: 1 }) }, { accepted_sequence: 1 }),
      setup: { history: [row()] },
    },
    accepted({ accepted_sequence: 2 }, { history_length: 2 }),
  ),
  accept(
    'Other files are no conflict',
    { ...since, turnResult: { files_changed: ['src/other.ts'] } },
    accepted({ accepted_sequence: 2 }, { history_length: 2 }),
  ),
  accept(
    'A conflict that a person has merged is accepted',
    {
      ...since,
      args: { merged: true },
      state: working(
        {
          turn_1: turn({
            status: 'conflicted',
            conflict_state: {
              conflicting_files: ['src/feature.ts'],
              accepted_since: ['turn_0'],
              overlap_ratio: 1,
              suggested_resolution: 'human_merge',
              detections: 1,
              detected_at: 'x',
            },
          }),
        },
        { accepted_sequence: 1 },
      ),
    },
    accepted(
      { accepted_sequence: 2 },
      { history_length: 2, ledger_rows: [{ decision: 'conflict_resolved', resolution: 'human_merge' }] },
    ),
  ),
  accept(
    'A role that revises its own planning file only moves forward',
    {
      turnResult: { files_changed: ['.planning/NOTES.md', 'src/a.ts'] },
      state: since.state,
      setup: { history: [row({ role: 'dev', files_changed: ['.planning/NOTES.md'] })] },
    },
    accepted(
      { accepted_sequence: 2 },
      {
        history_length: 2,
        ledger_rows: [{ decision: 'forward_revision_accepted', files: ['.planning/NOTES.md'] }],
      },
    ),
  ),

  accept(
    'A decision id that the run has used is refused',
    { turnResult: { decisions: [decision()] }, setup: { ledger: [decision({ run_id: 'run_c1' })] } },
    refused('duplicate_decision_id', { error_field: 'decisions.0.id', duplicate_id: 'DEC-001' }),
  ),
  accept(
    'A decision id used twice in one result is refused',
    { turnResult: { decisions: [decision(), decision()] } },
    refused('duplicate_decision_id', { error_field: 'decisions.1.id' }),
  ),
  accept(
    'Decisions join the ledger with their turn',
    {
      turnResult: {
        decisions: [decision()],
        objections: [{ id: 'OBJ-001', severity: 'low', statement: 'Hm', against_decision_id: 'DEC-001' }],
      },
    },
    accepted(
      { accepted_sequence: 1 },
      {
        ledger_rows: [
          {
            id: 'DEC-001',
            run_id: 'run_c1',
            turn_id: 'turn_1',
            role: 'dev',
            status: 'accepted',
            overridden_by: null,
            objections_against: ['OBJ-001'],
          },
        ],
      },
    ),
  ),
  accept(
    'A decision for the repository outlives the run',
    { turnResult: { decisions: [decision({ durability: 'repo' })] } },
    accepted(
      { repo_decisions: [{ id: 'DEC-001', status: 'active' }] },
      {
        repo_decisions: [
          { id: 'DEC-001', durability: 'repo', overrides: null, status: 'active', created_at: nonempty },
        ],
      },
    ),
  ),
  accept(
    'A decision for the run does not',
    { turnResult: { decisions: [decision()] } },
    accepted({ repo_decisions: [] }, { repo_decisions: [] }),
  ),
  accept(
    'An override of what nobody decided is refused',
    overriding,
    refused('override_validation_failed', { error_field: 'decisions.0.overrides' }),
  ),
  accept(
    'An override of what is overridden is refused',
    {
      ...overriding,
      setup: { repo_decisions: [standing({ status: 'overridden', overridden_by: 'DEC-901' })] },
    },
    refused('override_validation_failed'),
  ),
  accept(
    'An override by a lower authority is refused',
    { ...overriding, more: ranks(50, 10), setup: { repo_decisions: [standing()] } },
    refused('override_validation_failed'),
  ),
  accept(
    'An override by an equal authority holds',
    { ...overriding, more: ranks(50, 50), setup: { repo_decisions: [standing()] } },
    accepted(
      { repo_decisions: [{ id: 'DEC-001' }] },
      {
        repo_decisions: [
          { id: 'DEC-900', status: 'overridden', overridden_by: 'DEC-001' },
          { id: 'DEC-001', overrides: 'DEC-900', status: 'active' },
        ],
      },
    ),
  ),
  accept(
    'A role may always override itself',
    { ...overriding, more: ranks(50, 0), setup: { repo_decisions: [standing({ role: 'dev' })] } },
    accepted({ accepted_sequence: 1 }),
  ),
  accept(
    "A person's decision outranks the roles",
    { ...overriding, more: ranks(50, 99), setup: { repo_decisions: [standing({ role: 'human' })] } },
    refused('override_validation_failed'),
  ),

  accept(
    'Delegations are queued and the phase stays',
    {
      turnResult: {
        delegations: [
          { id: 'del-001', to_role: 'pm', charter: 'Ask users', acceptance_contract: ['Five answers'] },
        ],
        phase_transition_request: 'qa',
      },
    },
    accepted({
      phase: 'implementation',
      delegation_queue: [{ delegation_id: 'del-001', to_role: 'pm', status: 'pending', parent_role: 'dev' }],
      queued_phase_transition: present,
    }),
  ),
  accept(
    'A finished child brings its parent the review, with what is missing',
    {
      turnResult: { decisions: [decision()] },
      state: working({ turn_1: turn({ delegation_context: charge }) }, { delegation_queue: [charge] }),
    },
    accepted({
      delegation_queue: [],
      pending_delegation_review: {
        parent_role: 'pm',
        delegations: [
          {
            delegation_id: 'del-001',
            status: 'completed',
            satisfied_decision_ids: ['DEC-001'],
            missing_decision_ids: ['DEC-002'],
          },
        ],
      },
    }),
  ),
  accept(
    'A review waits for the other children',
    {
      state: working(
        { turn_1: turn({ delegation_context: charge }) },
        {
          delegation_queue: [
            charge,
            { ...charge, delegation_id: 'del-002', status: 'pending', child_turn_id: null },
          ],
        },
      ),
    },
    accepted({
      pending_delegation_review: null,
      delegation_queue: [{ status: 'completed' }, { status: 'pending' }],
    }),
  ),
  accept(
    'A failed child does not hold up the run',
    {
      turnResult: { status: 'failed', proposed_next_role: 'dev' },
      state: working({ turn_1: turn({ delegation_context: charge }) }, { delegation_queue: [charge] }),
    },
    accepted({ status: 'active', pending_delegation_review: { delegations: [{ status: 'failed' }] } }),
  ),

  accept(
    'A turn is billed and its reservation released',
    {
      turnResult: { cost: { usd: 0.2 } },
      state: working(
        { turn_1: turn() },
        { budget_status: { spent_usd: 0.1, remaining_usd: 0.9 }, budget_reservations: { turn_1: 0.5 } },
      ),
      more: { budget: { per_run_max_usd: 1, per_turn_max_usd: 0.5 } },
    },
    accepted({
      budget_status: { spent_usd: 0.3, remaining_usd: 0.7 },
      budget_reservations: {},
      status: 'active',
    }),
  ),
  accept(
    'A spent budget blocks the run',
    { turnResult: { cost: { usd: 2 } }, more: { budget: { per_run_max_usd: 2 } } },
    accepted({ status: 'blocked', blocked_on: 'budget:exhausted' }),
  ),
  accept(
    'A spent budget may only warn',
    { turnResult: { cost: { usd: 3 } }, more: { budget: { per_run_max_usd: 2, on_exceed: 'warn' } } },
    accepted({ status: 'active' }, { events: ['turn_accepted', 'budget_exceeded_warn'] }),
  ),
  accept(
    'A run that ends on its last dollar ends',
    {
      turnResult: { cost: { usd: 2 }, run_completion_request: true, proposed_next_role: 'human' },
      state: working({ turn_1: turn() }, { phase: 'qa' }),
      more: { budget: { per_run_max_usd: 2 } },
    },
    accepted({ status: 'completed' }),
  ),

  accept(
    'A policy that blocks sends the turn back',
    {
      more: policy('max_total_turns', 'block', { limit: 1 }),
      state: working({ turn_1: turn({ assigned_sequence: 1 }) }, { accepted_sequence: 1 }),
      setup: { history: [row()] },
    },
    refused('policy_violation', { history_length: 1 }),
  ),
  accept(
    'A policy that escalates accepts and stops',
    {
      more: policy('max_consecutive_same_role', 'escalate', { limit: 1 }),
      state: working({ turn_1: turn({ assigned_sequence: 1 }) }, { accepted_sequence: 1 }),
      setup: { history: [row({ role: 'dev' })] },
    },
    accepted({ status: 'blocked', blocked_on: 'policy:p1' }, { history_length: 2 }),
  ),
  accept(
    'A policy that warns accepts',
    { turnResult: { cost: { usd: 3 } }, more: policy('max_cost_per_turn', 'warn', { limit: 1 }) },
    accepted({ status: 'active' }, { warnings: [nonempty] }),
  ),
  accept(
    'Turns of another phase do not count for the phase',
    {
      more: policy('max_turns_per_phase', 'block', { limit: 1 }),
      state: working({ turn_1: turn({ assigned_sequence: 1 }) }, { accepted_sequence: 1 }),
      setup: { history: [row({ phase: 'planning' })] },
    },
    accepted({ accepted_sequence: 2 }, { history_length: 2 }),
  ),
  accept(
    'A status that a policy excludes is refused',
    {
      turnResult: { status: 'failed', proposed_next_role: 'dev' },
      more: policy('require_status', 'block', { allowed: ['completed'] }),
    },
    refused('policy_violation'),
  ),
  accept(
    'A bare claim of a pass is not reproducible',
    {
      turnResult: { runtime_id: 'cli', verification: { status: 'pass' } },
      state: working({ turn_1: turn({ runtime_id: 'cli' }) }),
      more: {
        ...policy('require_reproducible_verification', 'block'),
        runtimes: { manual: { type: 'manual' }, cli: { type: 'local_cli' } },
      },
    },
    refused('policy_violation'),
  ),
  accept(
    'A pass with exit codes is reproducible',
    {
      turnResult: { runtime_id: 'cli' },
      state: working({ turn_1: turn({ runtime_id: 'cli' }) }),
      more: {
        ...policy('require_reproducible_verification', 'block'),
        runtimes: { manual: { type: 'manual' }, cli: { type: 'local_cli' } },
      },
    },
    accepted({ accepted_sequence: 1 }, { history_last_entry: { normalized_verification: 'pass' } }),
  ),
  accept(
    "A person's pass is attested",
    {},
    accepted({ accepted_sequence: 1 }, { history_last_entry: { normalized_verification: 'attested_pass' } }),
  ),
];
