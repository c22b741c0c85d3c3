import { config, LEFT_OUT, result, role, turn, without, working } from './ground.mjs';

const delegation = (more = {}) =>
  without({
    id: 'del-001',
    to_role: 'dev',
    charter: 'Build the page',
    acceptance_contract: ['It renders'],
    ...more,
  });
const roles = Object.fromEntries(['pm', 'dev', 'qa', 'docs', 'sec', 'ops', 'arch'].map((id) => [id, role()]));
const setup = (context = {}, more = {}) => ({
  state: working({ turn_1: turn({ role: 'pm', ...context }) }),
  config: config({
    roles,
    routing: {
      planning: {},
      implementation: {
        entry_role: 'pm',
        allowed_next_roles: ['pm', 'dev', 'qa', 'docs', 'sec', 'ops', 'human'],
      },
      qa: {},
    },
    ...more,
  }),
});
const check = (description, delegations, expected, { context, turnResult = {}, more } = {}) => ({
  description,
  type: expected.result === 'success' ? 'validate' : 'reject',
  setup: setup(context, more),
  input: {
    operation: 'validate_turn_result',
    args: { turn_result: result({ role: 'pm', proposed_next_role: 'dev', delegations, ...turnResult }) },
  },
  expected,
});
const ok = { result: 'success', errors: [] };
const bad = (stage, field) => ({
  result: 'error',
  failed_stage: stage,
  ...(field === undefined ? {} : { error_field: field }),
});
const many = (count) =>
  ['dev', 'qa', 'docs', 'sec', 'ops', 'dev']
    .slice(0, count)
    .map((to_role, index) => delegation({ id: `del-00${index + 1}`, to_role }));
const child = {
  delegation_context: {
    delegation_id: 'del-001',
    parent_turn_id: 't',
    parent_role: 'dev',
    charter: 'c',
    acceptance_contract: ['x'],
    required_decision_ids: [],
  },
};
const judging = (missing) => ({
  delegation_review: {
    parent_turn_id: 't',
    parent_role: 'pm',
    delegations: [
      {
        delegation_id: 'del-001',
        to_role: 'dev',
        child_turn_id: 'c',
        summary: 's',
        status: 'completed',
        files_changed: [],
        verification: 'pass',
        satisfied_decision_ids: [],
        missing_decision_ids: missing,
      },
    ],
  },
});

export const surface = 'delegation';
export const tier = 1;
export const prefix = 'BDE';
export const table = [
  check(
    'A whole envelope without a charter is refused for the charter',
    [delegation({ charter: LEFT_OUT })],
    bad('schema', 'delegations.0.charter'),
  ),
  check(
    'A charter of blanks is refused',
    [delegation({ charter: '  ' })],
    bad('schema', 'delegations.0.charter'),
  ),
  check(
    'A role that is no role id is refused',
    [delegation({ to_role: 'The Developer!' })],
    bad('schema', 'delegations.0.to_role'),
  ),
  check(
    'A decision asked for twice is refused',
    [delegation({ required_decision_ids: ['DEC-100', 'DEC-100'] })],
    bad('schema', 'delegations.0.required_decision_ids'),
  ),
  check(
    'A malformed decision id is refused',
    [delegation({ required_decision_ids: ['D-1'] })],
    bad('schema', 'delegations.0.required_decision_ids'),
  ),
  check(
    'An empty list of decisions is refused',
    [delegation({ required_decision_ids: [] })],
    bad('schema', 'delegations.0.required_decision_ids'),
  ),
  check(
    'An empty contract is refused',
    [delegation({ acceptance_contract: [] })],
    bad('schema', 'delegations.0.acceptance_contract'),
  ),
  check(
    'A contract that is a text is refused',
    [delegation({ acceptance_contract: 'It renders' })],
    bad('schema', 'delegations.0.acceptance_contract'),
  ),
  check(
    'An id of the wrong form is refused',
    [delegation({ id: 'del-1' })],
    bad('schema', 'delegations.0.id'),
  ),
  check('Delegations that are no list are refused', delegation(), bad('schema', 'delegations')),
  check('Five delegations are allowed', many(5), ok),
  check('Six are not', many(6), bad('protocol', 'delegations')),
  check(
    'An id is used once',
    [delegation(), delegation({ to_role: 'qa' })],
    bad('protocol', 'delegations.1.id'),
  ),
  check(
    'Nobody delegates to themselves',
    [delegation({ to_role: 'pm' })],
    bad('protocol', 'delegations.0.to_role'),
  ),
  check(
    'A role nobody declared gets no charge',
    [delegation({ to_role: 'ghost' })],
    bad('protocol', 'delegations.0.to_role'),
  ),
  check(
    'A role that may not work in the phase gets no charge',
    [delegation({ to_role: 'arch' })],
    bad('protocol', 'delegations.0.to_role'),
  ),
  check('A run that ends delegates nothing', [delegation()], bad('protocol', 'delegations'), {
    turnResult: { run_completion_request: true, proposed_next_role: 'human' },
    more: { routing: { implementation: {} } },
  }),
  check('A delegated turn does not delegate on', [delegation()], bad('protocol', 'delegations'), {
    context: child,
  }),
  check('A review of delegated work does not delegate', [delegation()], bad('protocol', 'delegations'), {
    context: judging([]),
  }),
  check(
    'A review with a missing decision cannot move on',
    undefined,
    bad('protocol', 'phase_transition_request'),
    { context: judging(['DEC-007']), turnResult: { phase_transition_request: 'qa' } },
  ),
  check('A review with every decision can', undefined, ok, {
    context: judging([]),
    turnResult: { phase_transition_request: 'qa' },
  }),
  check('A review with a missing decision may still be taken', undefined, ok, {
    context: judging(['DEC-007']),
  }),
];
