/** Complete setups that a table changes in one place: what a fixture is about is what it says differently. */

export const role = (more = {}) => ({
  title: 'Role',
  mandate: 'Work',
  write_authority: 'authoritative',
  runtime: 'manual',
  ...more,
});

export const config = (more = {}) => ({
  schema_version: '1.0',
  project: { id: 'corpus', name: 'Corpus' },
  roles: { pm: role(), dev: role(), qa: role({ write_authority: 'review_only' }) },
  runtimes: { manual: { type: 'manual' } },
  routing: {
    planning: { entry_role: 'pm', allowed_next_roles: ['pm', 'dev', 'human'] },
    implementation: { entry_role: 'dev', allowed_next_roles: ['pm', 'dev', 'qa', 'human'] },
    qa: { entry_role: 'qa', allowed_next_roles: ['dev', 'qa', 'human'] },
  },
  gates: {},
  ...more,
});

export const turn = (more = {}) => ({ role: 'dev', runtime_id: 'manual', assigned_sequence: 0, ...more });

export const state = (more = {}) => ({
  status: 'active',
  phase: 'implementation',
  run_id: 'run_c1',
  active_turns: {},
  accepted_sequence: 0,
  pending_phase_transition: null,
  pending_run_completion: null,
  blocked_on: null,
  ...more,
});

export const working = (turns = { turn_1: turn() }, more = {}) => state({ active_turns: turns, ...more });

export const result = (more = {}) => ({
  schema_version: '1.0',
  run_id: 'run_c1',
  turn_id: 'turn_1',
  role: 'dev',
  runtime_id: 'manual',
  status: 'completed',
  summary: 'Built the feature',
  decisions: [],
  objections: [],
  files_changed: ['src/feature.ts'],
  verification: {
    status: 'pass',
    commands: ['npm test'],
    machine_evidence: [{ command: 'npm test', exit_code: 0 }],
  },
  artifact: { type: 'workspace' },
  proposed_next_role: 'qa',
  ...more,
});

/** A member set to this is left out. */
export const LEFT_OUT = Symbol('left out');

export const without = (document) =>
  Object.fromEntries(Object.entries(document).filter(([, value]) => value !== LEFT_OUT));

export const decision = (more = {}) => ({
  id: 'DEC-001',
  category: 'architecture',
  statement: 'Keep one store',
  rationale: 'Two would drift apart',
  ...more,
});

export const reviewing = () => working({ turn_1: turn({ role: 'qa' }) }, { phase: 'qa' });

export const review = (more = {}) =>
  result({
    role: 'qa',
    files_changed: [],
    artifact: { type: 'review' },
    proposed_next_role: 'dev',
    objections: [
      { id: 'OBJ-001', severity: 'medium', statement: 'The error path has no test', status: 'raised' },
    ],
    ...more,
  });

export const refusedUnchanged = (errorType = 'invalid_state_transition', more = {}) => ({
  result: 'error',
  error_type: errorType,
  state_unchanged: true,
  ...more,
});

export const present = { assert: 'present' };
export const nonempty = { assert: 'nonempty_string' };
