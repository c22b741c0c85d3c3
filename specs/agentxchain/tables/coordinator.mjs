const repos = { api: { path: './repos/api', required: true }, web: { path: './repos/web', required: true } };
const stream = (more = {}) => ({
  phase: 'implementation',
  repos: ['api', 'web'],
  entry_repo: 'api',
  depends_on: [],
  completion_barrier: 'all_repos_accepted',
  ...more,
});
const coordinator = (workstreams = { core: stream() }, more = {}) => ({
  schema_version: '0.1',
  project: { id: 'm', name: 'M' },
  repos,
  workstreams,
  ...more,
});
const names = {
  named_decisions: { decision_ids_by_repo: { api: ['DEC-101', 'DEC-102'], web: ['DEC-201'] } },
};

const check = (description, config, expected) => ({
  description,
  type: expected.result === 'success' ? 'validate' : 'reject',
  setup: { coordinator_config: config, repos: {} },
  input: { operation: 'validate_coordinator_config', args: {} },
  expected,
});
const bad = (code) => ({
  result: 'error',
  error_type: code === 'workstream_cycle' ? code : 'invalid_coordinator_config',
  error_codes: [code],
});

const projection = (repo, decisions = []) => ({
  type: 'acceptance_projection',
  projection_ref: `proj_core_${repo}_before`,
  workstream_id: 'core',
  repo_id: repo,
  repo_turn_id: `turn_${repo}`,
  files_changed: [],
  decisions,
});
const project = (
  description,
  { barrier, history = [], repo = 'api', workstream = 'core', turn = {}, config = coordinator() },
  expected,
) => ({
  description,
  type: expected.result === 'success' ? 'transition' : 'reject',
  setup: {
    coordinator_config: config,
    repos: {},
    coordinator_state: {
      super_run_id: 'srun_1',
      status: 'active',
      phase: 'implementation',
      repo_runs: {
        api: { run_id: 'run_api', status: 'active' },
        web: { run_id: 'run_web', status: 'active' },
      },
    },
    barriers: {
      core_completion: {
        type: 'all_repos_accepted',
        workstream_id: 'core',
        status: 'pending',
        required_repos: ['api', 'web'],
        satisfied_repos: [],
        ...barrier,
      },
    },
    coordinator_history: history,
  },
  input: {
    operation: 'project_repo_acceptance',
    args: {
      repo_id: repo,
      workstream_id: workstream,
      accepted_turn: {
        turn_id: 'turn_9',
        summary: 'Done',
        files_changed: ['src/a.ts'],
        decisions: [],
        verification: { status: 'pass' },
        ...turn,
      },
    },
  },
  expected,
});
const moved = (from, to, more = {}) => ({
  result: 'success',
  projection_ref: { assert: 'id_prefix', value: 'proj_' },
  barrier_effects:
    from === to ? [] : [{ barrier_id: 'core_completion', previous_status: from, new_status: to }],
  barrier_snapshot: { core_completion: { status: to } },
  ...more,
});
const untouched = (type) => ({
  result: 'error',
  error_type: type,
  barrier_snapshot: { core_completion: { status: 'pending' } },
});
const named = {
  type: 'named_decisions',
  required_decision_ids_by_repo: names.named_decisions.decision_ids_by_repo,
};
const ids = (...list) => list.map((id) => ({ id }));

export const surface = 'coordinator';
export const tier = 3;
export const prefix = 'BCO';
export const table = [
  check('Two independent workstreams are fine', coordinator({ a: stream(), b: stream() }), {
    result: 'success',
    errors: [],
  }),
  check(
    'Named decisions for every repository are fine',
    coordinator({ core: stream({ completion_barrier: 'named_decisions', ...names }) }),
    { result: 'success', errors: [] },
  ),
  check('The version is 0.1', { ...coordinator(), schema_version: '1.0' }, bad('schema_version_invalid')),
  check('The project has a name', { ...coordinator(), project: { id: 'm' } }, bad('project_name_invalid')),
  check(
    'A repository has a path',
    coordinator(undefined, { repos: { ...repos, api: {} } }),
    bad('repo_path_invalid'),
  ),
  check(
    'A workstream names declared repositories',
    coordinator({ core: stream({ repos: ['api', 'ios'] }) }),
    bad('workstream_repo_unknown'),
  ),
  check(
    'The entry repository is one of its own',
    coordinator({ core: stream({ repos: ['web'] }) }),
    bad('workstream_entry_repo_mismatch'),
  ),
  check(
    'A dependency exists',
    coordinator({ core: stream({ depends_on: ['ghost'] }) }),
    bad('workstream_dependency_unknown'),
  ),
  check(
    'A barrier is a known one',
    coordinator({ core: stream({ completion_barrier: 'luck' }) }),
    bad('workstream_completion_barrier_invalid'),
  ),
  check(
    'A phase is a legal one',
    coordinator({ core: stream({ phase: 'launch' }) }),
    bad('workstream_phase_invalid'),
  ),
  check(
    'Routing makes its own phases legal',
    coordinator({ core: stream({ phase: 'launch' }) }, { routing: { launch: { entry_workstream: 'core' } } }),
    { result: 'success' },
  ),
  check(
    'Nobody waits for themselves',
    coordinator({ core: stream({ depends_on: ['core'] }) }),
    bad('workstream_cycle'),
  ),
  check(
    'Three that wait for each other wait for ever',
    coordinator({
      a: stream({ depends_on: ['b'] }),
      b: stream({ depends_on: ['c'] }),
      c: stream({ depends_on: ['a'] }),
    }),
    bad('workstream_cycle'),
  ),
  check(
    'A diamond is no cycle',
    coordinator({
      a: stream(),
      b: stream({ depends_on: ['a'] }),
      c: stream({ depends_on: ['a'] }),
      d: stream({ depends_on: ['b', 'c'] }),
    }),
    { result: 'success' },
  ),
  check(
    'Named decisions must be declared',
    coordinator({ core: stream({ completion_barrier: 'named_decisions' }) }),
    bad('workstream_named_decisions_invalid'),
  ),
  check(
    'Named decisions leave out no repository',
    coordinator({
      core: stream({
        completion_barrier: 'named_decisions',
        named_decisions: { decision_ids_by_repo: { api: ['DEC-1'] } },
      }),
    }),
    bad('workstream_named_decisions_decisions_invalid'),
  ),
  check(
    'Aligned decisions are named once',
    coordinator({
      core: stream({
        completion_barrier: 'interface_alignment',
        interface_alignment: { decision_ids_by_repo: { api: ['DEC-1', 'DEC-1'], web: ['DEC-2'] } },
      }),
    }),
    bad('workstream_interface_alignment_decisions_invalid'),
  ),
  check(
    'A gate names declared repositories',
    coordinator(undefined, { gates: { g: { requires_repos: ['ios'] } } }),
    bad('gate_repo_unknown'),
  ),
  check(
    'A phase begins with a workstream of its own',
    coordinator(undefined, {
      routing: { implementation: { entry_workstream: 'core' }, qa: { entry_workstream: 'core' } },
    }),
    bad('routing_entry_workstream_invalid'),
  ),

  project('The first repository brings a barrier half-way', {}, moved('pending', 'partially_satisfied')),
  project(
    'An optional repository is not waited for',
    { barrier: { required_repos: ['api'] } },
    moved('pending', 'satisfied'),
  ),
  project(
    'A repository that is accepted again does not stand for another',
    { history: [projection('api')], barrier: { status: 'partially_satisfied', satisfied_repos: ['api'] } },
    moved('partially_satisfied', 'partially_satisfied'),
  ),
  project(
    'A satisfied barrier stays satisfied',
    { barrier: { status: 'satisfied' } },
    moved('satisfied', 'satisfied'),
  ),
  project(
    'The barrier of another workstream does not move',
    { barrier: { workstream_id: 'other' } },
    moved('pending', 'pending'),
  ),
  project(
    'Some of the named decisions are not all',
    { barrier: named, turn: { decisions: ids('DEC-101') } },
    moved('pending', 'partially_satisfied'),
  ),
  project(
    'Named decisions may come over several turns',
    {
      barrier: { ...named, status: 'partially_satisfied' },
      history: [projection('api', ids('DEC-101')), projection('web', ids('DEC-201'))],
      turn: { decisions: ids('DEC-102') },
    },
    moved('partially_satisfied', 'satisfied'),
  ),
  project(
    'A decision in the wrong repository does not count',
    {
      barrier: { ...named, status: 'partially_satisfied' },
      history: [projection('web', ids('DEC-101', 'DEC-102', 'DEC-201'))],
      turn: { decisions: [] },
    },
    moved('partially_satisfied', 'partially_satisfied'),
  ),
  project(
    'Decisions may be listed as bare ids',
    { barrier: { ...named, required_repos: ['api'] }, turn: { decisions: ['DEC-101', 'DEC-102'] } },
    moved('pending', 'satisfied'),
  ),
  project(
    'Interface alignment waits for each repository',
    {
      barrier: {
        type: 'interface_alignment',
        alignment_decision_ids: { api: ['DEC-101'], web: ['DEC-201'] },
      },
      turn: { decisions: ids('DEC-101', 'DEC-201') },
    },
    moved('pending', 'partially_satisfied'),
  ),
  project(
    'A downstream repository alone does not satisfy a sequence',
    { barrier: { type: 'ordered_repo_sequence' }, repo: 'web' },
    moved('pending', 'partially_satisfied'),
  ),
  project(
    'The entry repository satisfies a sequence',
    { barrier: { type: 'ordered_repo_sequence' } },
    moved('pending', 'satisfied'),
  ),
  project(
    'No repository satisfies a shared human gate',
    { barrier: { type: 'shared_human_gate' }, history: [projection('web')] },
    moved('pending', 'pending'),
  ),
  project(
    'A turn stays in its repository',
    { turn: { files_changed: ['src/a.ts', 'src/../../web/b.ts'] } },
    untouched('cross_repo_write_violation'),
  ),
  project(
    'An absolute path is outside',
    { turn: { files_changed: ['/repos/web/b.ts'] } },
    untouched('cross_repo_write_violation'),
  ),
  project(
    'A directory whose name begins with dots is inside',
    { turn: { files_changed: ['..generated/b.ts'] } },
    moved('pending', 'partially_satisfied'),
  ),
  project('An unknown repository is refused', { repo: 'ios' }, untouched('projection_failed')),
  project('An unknown workstream is refused', { workstream: 'ghost' }, untouched('projection_failed')),
  project('A turn without an id is refused', { turn: { turn_id: '' } }, untouched('projection_failed')),
  project(
    'A repository that takes no part is refused',
    { repo: 'web', config: coordinator({ core: stream({ repos: ['api'] }) }) },
    untouched('projection_failed'),
  ),
  project(
    'Dispatches that are under way elsewhere become stale',
    { history: [{ type: 'turn_dispatched', repo_id: 'web', workstream_id: 'core' }] },
    moved('pending', 'partially_satisfied', {
      context_invalidations: [{ repo_id: 'web', workstream_id: 'core' }],
    }),
  ),
];
