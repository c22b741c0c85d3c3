import {
  config,
  decision,
  LEFT_OUT,
  result,
  review,
  reviewing,
  role,
  turn,
  without,
  working,
} from './ground.mjs';

const STAGES = ['schema', 'assignment', 'artifact', 'verification', 'protocol'];
const valid = { result: 'success', stages_passed: STAGES, errors: [] };
const validate = (description, turnResult, expected, setup = {}) => ({
  description,
  type: expected.result === 'success' ? 'validate' : 'reject',
  setup: { state: working(), config: config(), ...setup },
  input: { operation: 'validate_turn_result', args: { turn_result: turnResult } },
  expected,
});
const accepted = (description, changes, normalized = {}, setup) =>
  validate(description, without(result(changes)), { ...valid, normalized }, setup);
const refused = (description, changes, stage, more = {}, setup) =>
  validate(
    description,
    without(result(changes)),
    { result: 'error', failed_stage: stage, stages_passed: STAGES.slice(0, STAGES.indexOf(stage)), ...more },
    setup,
  );
const fromReviewer = (description, changes, expected) =>
  validate(description, review(changes), expected, { state: reviewing() });
const bad = (stage, more = {}) => ({ result: 'error', failed_stage: stage, ...more });

const escapes = [
  '../secret.ts',
  '/etc/passwd',
  'src/../../secret.ts',
  'C:\\windows\\system.ini',
  '..\\secret.ts',
  'src/\u0000.ts',
];
const reserved = [
  '.agentxchain/history.jsonl',
  '.agentxchain/decision-ledger.jsonl',
  '.agentxchain/lock.json',
  './.agentxchain/state.json',
  '.agentxchain//state.json',
  'src/../.agentxchain/state.json',
  '.AgentXchain/State.json',
];
const proposing = {
  config: config({
    roles: { dev: role({ write_authority: 'proposed', runtime: 'api' }), qa: role() },
    runtimes: { manual: { type: 'manual' }, api: { type: 'api_proxy' } },
  }),
  state: working({ turn_1: turn({ runtime_id: 'api' }) }),
};
const gated = (phase) => ({
  state: working({ turn_1: turn() }, { phase }),
  config: config({
    routing: {
      planning: { exit_gate: 'signoff' },
      implementation: { exit_gate: 'built' },
      qa: { exit_gate: 'ship' },
    },
    gates: { signoff: {}, built: {}, ship: {} },
  }),
});

export const surface = 'turn_result_validation';
export const tier = 1;
export const prefix = 'BTR';
export const table = [
  ...['schema_version', 'turn_id', 'role', 'status', 'summary', 'files_changed', 'verification'].map(
    (field) =>
      refused(`A result without ${field} cannot be repaired`, { [field]: LEFT_OUT }, 'schema', {
        error_type: 'missing_required_field',
        error_field: field,
      }),
  ),
  validate('A result that is no object is refused', 'done', bad('schema', { error_type: 'schema_error' })),

  accepted('Missing decisions are none', { decisions: LEFT_OUT }, { decisions: [] }),
  accepted('Missing objections are none', { objections: LEFT_OUT }, { objections: [] }),
  accepted("A missing runtime id is the turn's", { runtime_id: LEFT_OUT }, { runtime_id: 'manual' }),
  accepted(
    'A missing artifact follows from the files',
    { artifact: LEFT_OUT },
    { artifact: { type: 'workspace' } },
  ),
  accepted(
    'A missing next role is the first that is allowed and not oneself',
    { proposed_next_role: LEFT_OUT },
    { proposed_next_role: 'pm' },
  ),
  accepted(
    'files_modified is read as files_changed',
    { files_changed: LEFT_OUT, files_modified: ['src/a.ts'] },
    { files_changed: ['src/a.ts'] },
  ),
  accepted(
    'Files given as objects are read by their path',
    { files_changed: [{ path: 'src/a.ts', action: 'modified' }] },
    { files_changed: ['src/a.ts'] },
  ),
  ...[
    ['complete', 'completed'],
    ['success', 'completed'],
    ['Done', 'completed'],
  ].map(([said, meant]) => accepted(`Status ${said} means ${meant}`, { status: said }, { status: meant })),
  ...[
    ['error', 'failed'],
    ['failure', 'failed'],
  ].map(([said, meant]) =>
    accepted(`Status ${said} means ${meant}`, { status: said, proposed_next_role: 'dev' }, { status: meant }),
  ),
  accepted(
    'An empty summary is written from the rest',
    { summary: '  ' },
    { summary: { assert: 'nonempty_string' } },
  ),
  accepted(
    'A missing status follows from a question to a person',
    { status: LEFT_OUT, needs_human_reason: 'Which region?', proposed_next_role: 'human' },
    { status: 'needs_human' },
  ),
  refused(
    'A missing status does not follow from two signals at once',
    { status: LEFT_OUT, needs_human_reason: 'Which region?', phase_transition_request: 'qa' },
    'schema',
    { error_field: 'status' },
  ),
  accepted(
    'A bad objection id is numbered',
    { objections: [{ id: 'first', severity: 'low', statement: 'Slow' }] },
    { objections: [{ id: 'OBJ-001' }] },
  ),
  accepted(
    'A bad decision id is numbered past those that exist',
    { decisions: [decision({ id: 'one' })] },
    { decisions: [{ id: 'DEC-002' }] },
    { ledger: [{ id: 'DEC-001', run_id: 'run_c1' }] },
  ),
  accepted(
    'Two bad decision ids get two numbers',
    { decisions: [decision({ id: 'x' }), decision({ id: 'x' })] },
    { decisions: [{ id: 'DEC-001' }, { id: 'DEC-002' }] },
  ),
  accepted(
    'A missing rationale is taken from the reason',
    { decisions: [without(decision({ rationale: LEFT_OUT, reason: 'It is simpler' }))] },
    { decisions: [{ rationale: 'It is simpler' }] },
  ),
  accepted(
    'An unknown category is read as implementation',
    { decisions: [decision({ category: 'vibes' })] },
    { decisions: [{ category: 'implementation' }] },
  ),
  accepted(
    'A missing verification status follows from the exit codes',
    { verification: { machine_evidence: [{ command: 'npm test', exit_code: 1 }] } },
    { verification: { status: 'fail' } },
  ),
  accepted(
    'A next role that may not follow is replaced',
    { proposed_next_role: 'nobody' },
    { proposed_next_role: 'pm' },
  ),
  accepted(
    'A wrong run id is put right when the turn is right',
    { run_id: 'run_other' },
    { run_id: 'run_c1' },
  ),

  refused('An unfilled summary is refused', { summary: '<what you did>' }, 'schema', {
    error_field: 'summary',
  }),
  refused('An unfilled file name is refused', { files_changed: ['<path>'] }, 'schema'),
  refused(
    'An unfilled decision is refused',
    { decisions: [decision({ statement: '<decision>' })] },
    'schema',
    { error_field: 'decisions.0.statement' },
  ),
  refused(
    'An unfilled command is refused',
    { verification: { status: 'pass', commands: ['<command>'] } },
    'schema',
  ),
  accepted(
    'Angle brackets inside a sentence are words',
    { summary: 'Render <App> once' },
    { summary: 'Render <App> once' },
  ),
  refused('An unknown status is refused', { status: 'paused' }, 'schema', { error_field: 'status' }),
  refused('An unknown artifact type is refused', { artifact: { type: 'code' } }, 'schema', {
    error_field: 'artifact.type',
  }),
  refused('An unknown verification status is refused', { verification: { status: 'passed' } }, 'schema', {
    error_field: 'verification.status',
  }),
  refused(
    'An exit code that is text is refused',
    { verification: { status: 'pass', machine_evidence: [{ command: 'x', exit_code: '0' }] } },
    'schema',
    { error_field: 'verification.machine_evidence.0.exit_code' },
  ),
  refused(
    'A decision with an empty statement is refused',
    { decisions: [decision({ statement: ' ' })] },
    'schema',
    { error_field: 'decisions.0.statement' },
  ),
  refused('Decisions that are no list are refused', { decisions: { id: 'DEC-001' } }, 'schema', {
    error_field: 'decisions',
  }),
  refused(
    'An objection without severity is refused',
    { objections: [{ id: 'OBJ-001', statement: 'Slow' }] },
    'schema',
    { error_field: 'objections.0.severity' },
  ),
  refused(
    'An objection status nobody knows is refused',
    { objections: [{ id: 'OBJ-001', severity: 'low', statement: 'Slow', status: 'ignored' }] },
    'schema',
    { error_field: 'objections.0.status' },
  ),
  refused('A negative price is refused', { cost: { usd: -1 } }, 'schema', { error_field: 'cost.usd' }),
  refused(
    'A change to create without content is refused',
    { proposed_changes: [{ path: 'a.ts', action: 'create' }] },
    'schema',
    { error_field: 'proposed_changes.0.content' },
  ),
  refused('A completion request that is text is refused', { run_completion_request: 'yes' }, 'schema', {
    error_field: 'run_completion_request',
  }),
  refused('A role id with capitals is refused', { role: 'Dev' }, 'schema', { error_field: 'role' }),

  refused('The role must be the assigned one', { role: 'qa' }, 'assignment', {
    error_type: 'assignment_error',
    error_field: 'role',
  }),
  refused('The runtime must be the assigned one', { runtime_id: 'other' }, 'assignment', {
    error_field: 'runtime_id',
  }),
  refused(
    'Without an active turn there is nothing to answer',
    {},
    'assignment',
    { error_type: 'assignment_error' },
    { state: working({}) },
  ),
  accepted(
    'With several turns the one that is named is meant',
    { turn_id: 'turn_2', role: 'pm' },
    {},
    { state: working({ turn_1: turn(), turn_2: turn({ role: 'pm' }) }) },
  ),
  refused(
    'With several turns an unknown one is refused',
    { turn_id: 'turn_3' },
    'assignment',
    {},
    { state: working({ turn_1: turn(), turn_2: turn({ role: 'pm' }) }) },
  ),
  refused(
    'A wrong run id with a wrong turn is not repaired',
    { run_id: 'run_other', turn_id: 'turn_9' },
    'assignment',
    { error_type: 'run_id_mismatch' },
  ),

  ...escapes.map((path) =>
    refused(
      `A path out of the repository is refused: ${JSON.stringify(path)}`,
      { files_changed: [path] },
      'artifact',
      { error_type: 'artifact_error', error_path: path },
    ),
  ),
  ...reserved.map((path) =>
    refused(
      `A reserved path is refused however it is written: ${path}`,
      { files_changed: ['src/a.ts', path] },
      'artifact',
      { error_type: 'reserved_path_violation', error_path: path, error_field: 'files_changed.1' },
    ),
  ),
  accepted('A directory whose name begins with dots is no escape', {
    files_changed: ['..cache/a.ts', 'src/a.ts'],
  }),
  refused(
    'A proposed change may not leave the repository',
    { proposed_changes: [{ path: '../a.ts', action: 'delete' }] },
    'artifact',
    { error_path: '../a.ts' },
  ),
  refused(
    'A produced file may not leave the repository',
    { verification: { status: 'pass', produced_files: [{ path: '/tmp/x', disposition: 'artifact' }] } },
    'artifact',
    { error_path: '/tmp/x' },
  ),
  fromReviewer(
    'A reviewer may not touch the product',
    { files_changed: ['src/a.ts'] },
    bad('artifact', { error_type: 'artifact_error', error_path: 'src/a.ts' }),
  ),
  fromReviewer(
    'A reviewer may write planning and review files',
    { files_changed: ['.planning/notes.md', '.agentxchain/reviews/r.md'] },
    valid,
  ),
  fromReviewer(
    'A reviewer delivers no patch',
    { artifact: { type: 'patch' } },
    bad('artifact', { error_field: 'artifact.type' }),
  ),
  fromReviewer(
    'A review with an empty workspace is read as a review',
    { artifact: { type: 'workspace' } },
    { ...valid, normalized: { artifact: { type: 'review' } } },
  ),
  refused(
    'A workspace without files is refused',
    { files_changed: [], status: 'failed', proposed_next_role: 'dev' },
    'artifact',
    { error_field: 'files_changed' },
  ),
  refused('Product files are no review', { artifact: { type: 'review' } }, 'artifact', {
    error_field: 'artifact.type',
  }),
  refused(
    'An implementation turn without product files is refused',
    { files_changed: ['.planning/IMPLEMENTATION_NOTES.md'] },
    'artifact',
    { error_field: 'files_changed' },
  ),
  accepted(
    'An implementation turn without product files follows one with',
    { files_changed: ['.planning/IMPLEMENTATION_NOTES.md'] },
    {},
    { history: [{ turn_id: 'turn_0', role: 'dev', files_changed: ['src/a.ts'] }] },
  ),
  refused(
    'A product file of another phase does not count',
    { files_changed: ['.planning/IMPLEMENTATION_NOTES.md'] },
    'artifact',
    {},
    { history: [{ turn_id: 'turn_0', role: 'dev', phase: 'planning', files_changed: ['src/a.ts'] }] },
  ),
  refused(
    'A proposing model must propose',
    { runtime_id: 'api', files_changed: [], artifact: { type: 'patch' } },
    'artifact',
    { error_field: 'proposed_changes' },
    proposing,
  ),
  accepted(
    'A proposing model that proposes is heard',
    {
      runtime_id: 'api',
      files_changed: [],
      artifact: { type: 'patch' },
      proposed_changes: [{ path: 'src/a.ts', action: 'create', content: 'x' }],
    },
    {},
    { ...proposing, state: working({ turn_1: turn({ runtime_id: 'api' }) }, { phase: 'qa' }) },
  ),
  refused(
    'A proposing role has no workspace',
    { runtime_id: 'api', proposed_changes: [{ path: 'src/a.ts', action: 'create', content: 'x' }] },
    'artifact',
    { error_field: 'artifact.type' },
    proposing,
  ),
  refused(
    'One file is proposed once',
    {
      runtime_id: 'api',
      files_changed: [],
      artifact: { type: 'patch' },
      proposed_changes: [
        { path: 'a', action: 'delete' },
        { path: 'a', action: 'delete' },
      ],
    },
    'artifact',
    { error_field: 'proposed_changes.1.path' },
    proposing,
  ),

  refused(
    'A pass beside a failed command is refused',
    { verification: { status: 'pass', machine_evidence: [{ command: 'npm test', exit_code: 1 }] } },
    'verification',
    { error_type: 'verification_error', error_field: 'verification.machine_evidence.0.exit_code' },
  ),
  accepted('A pass beside an expected failure is fine', {
    verification: {
      status: 'pass',
      machine_evidence: [{ command: 'grep nothing', exit_code: 1, expected_exit_code: 1 }],
    },
  }),
  refused(
    'A pass beside an unexpected success is refused',
    {
      verification: {
        status: 'pass',
        machine_evidence: [{ command: 'false', exit_code: 0, expected_exit_code: 1 }],
      },
    },
    'verification',
  ),
  refused(
    'A produced file is listed once',
    {
      verification: {
        status: 'pass',
        produced_files: [
          { path: 'out/a', disposition: 'artifact' },
          { path: './out/a', disposition: 'artifact' },
        ],
      },
    },
    'verification',
    { error_field: 'verification.produced_files.1.path' },
  ),
  refused(
    'A file is not both ignored and changed',
    { verification: { status: 'pass', produced_files: [{ path: 'src/feature.ts', disposition: 'ignore' }] } },
    'verification',
    { error_field: 'verification.produced_files.0.disposition' },
  ),

  validate(
    'A challenge that the config does not ask for may be left out',
    review({ objections: [] }),
    valid,
    { state: reviewing(), config: config({ rules: { challenge_required: false } }) },
  ),
  refused(
    'An unfinished turn may not name a role that does not exist',
    { status: 'failed', proposed_next_role: 'nobody' },
    'protocol',
    { error_type: 'protocol_error', error_field: 'proposed_next_role' },
  ),
  refused(
    'A phase that does not exist cannot be asked for',
    { phase_transition_request: 'launch' },
    'protocol',
    { error_field: 'phase_transition_request' },
  ),
  refused('The run does not end in its middle', { run_completion_request: true }, 'protocol', {
    error_field: 'run_completion_request',
  }),
  refused('A phase that is over cannot be asked for', { phase_transition_request: 'planning' }, 'protocol', {
    error_field: 'phase_transition_request',
  }),
  validate(
    'An author who skips a phase is pulled back to the next',
    result({ phase_transition_request: 'qa' }),
    { ...valid, normalized: { phase_transition_request: 'implementation' } },
    { state: working({ turn_1: turn() }, { phase: 'planning' }) },
  ),
  validate(
    'The name of the gate means the next phase',
    result({ phase_transition_request: 'built' }),
    { ...valid, normalized: { phase_transition_request: 'qa' } },
    gated('implementation'),
  ),
  validate(
    'The name of the last gate means the end of the run',
    result({ phase_transition_request: 'ship' }),
    { ...valid, normalized: { phase_transition_request: null, run_completion_request: true } },
    gated('qa'),
  ),
  fromReviewer(
    'A reviewer who asks for the end hands to a person',
    { run_completion_request: true, proposed_next_role: 'dev' },
    { ...valid, normalized: { proposed_next_role: 'human' } },
  ),
  validate(
    'A question without its reason is a warning, not a refusal',
    result({ status: 'needs_human', proposed_next_role: 'human' }),
    { ...valid, warnings: [{ assert: 'nonempty_string' }] },
  ),
];
