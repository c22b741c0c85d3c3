import { config, role } from './ground.mjs';

const check = (description, more, expected) => ({
  description,
  type: expected.result === 'success' ? 'validate' : 'reject',
  setup: {},
  input: { operation: 'validate_config', args: { config: config(more) } },
  expected,
});
const ok = { result: 'success', errors: [] };
const bad = (field, type = 'invalid_config', more = {}) => ({
  result: 'error',
  error_type: type,
  error_field: field,
  ...more,
});
const hook = (more = {}) => ({
  hooks: {
    before_assignment: [
      { name: 'check', type: 'process', command: ['true'], timeout_ms: 1000, mode: 'blocking', ...more },
    ],
  },
});
const gate = (more) => ({ gates: { g: more } });

export const surface = 'config_schema';
export const tier = 1;
export const prefix = 'BCS';
export const table = [
  check('The version of an earlier era is tolerated', { schema_version: 4 }, ok),
  check(
    'A version as number is refused',
    { schema_version: 1 },
    bad('schema_version', 'schema_version_invalid', { expected_version: '1.0', actual_version: 1 }),
  ),
  check(
    'The version is judged before everything else',
    { schema_version: '2', roles: { dev: role({ runtime: 'none' }) } },
    bad('schema_version', 'schema_version_invalid'),
  ),
  check(
    'A role on an undeclared runtime is refused',
    { roles: { ops: role({ runtime: 'cloud' }) }, routing: {} },
    bad('roles.ops.runtime', 'undeclared_runtime_reference', { referenced_runtime: 'cloud' }),
  ),
  check(
    'A runtime named like an object method is undeclared',
    { roles: { dev: role({ runtime: 'toString' }) }, routing: {} },
    bad('roles.dev.runtime', 'undeclared_runtime_reference'),
  ),
  check(
    'An undeclared entry role is named with its phase',
    { routing: { qa: { entry_role: 'tester' } } },
    bad('routing.qa.entry_role', 'undeclared_role_reference', { referenced_role: 'tester' }),
  ),
  check(
    'An undeclared next role is refused',
    { routing: { qa: { entry_role: 'qa', allowed_next_roles: ['qa', 'tester'] } } },
    bad('routing.qa.allowed_next_roles.1', 'undeclared_role_reference', { referenced_role: 'tester' }),
  ),
  check(
    'A person may always be next',
    { routing: { qa: { entry_role: 'qa', allowed_next_roles: ['human'] } } },
    ok,
  ),
  check(
    'An undeclared gate is named with its phase',
    { routing: { qa: { exit_gate: 'g' } } },
    bad('routing.qa.exit_gate', 'undeclared_gate_reference', { referenced_gate: 'g' }),
  ),
  check('No role at all is refused', { roles: {}, routing: {} }, bad('roles')),
  check('A role id with capitals is refused', { roles: { Dev: role() }, routing: {} }, bad('roles.Dev')),
  check('No role is called human', { roles: { human: role() }, routing: {} }, bad('roles.human')),
  check(
    'An unknown authority is refused',
    { roles: { dev: role({ write_authority: 'root' }) }, routing: {} },
    bad('roles.dev.write_authority'),
  ),
  check(
    'An authority over decisions beyond 99 is refused',
    { roles: { dev: role({ decision_authority: 100 }) }, routing: {} },
    bad('roles.dev.decision_authority'),
  ),
  check(
    'A reviewer gets no shell',
    {
      roles: { qa: role({ write_authority: 'review_only', runtime: 'cli' }) },
      runtimes: { cli: { type: 'local_cli' } },
      routing: {},
    },
    bad('roles.qa.runtime'),
  ),
  ...['api_proxy', 'remote_agent'].map((type) =>
    check(
      `An author cannot work over ${type}`,
      { roles: { dev: role({ runtime: 'far' }) }, runtimes: { far: { type } }, routing: {} },
      bad('roles.dev.runtime'),
    ),
  ),
  check(
    'A proposer may work over api_proxy',
    {
      roles: { dev: role({ write_authority: 'proposed', runtime: 'far' }) },
      runtimes: { far: { type: 'api_proxy' } },
      routing: {},
    },
    ok,
  ),
  check(
    'An unknown kind of runtime is refused',
    { runtimes: { manual: { type: 'manual' }, x: { type: 'telepathy' } } },
    bad('runtimes.x.type'),
  ),
  check(
    'A phase name with capitals is refused',
    { routing: { QA: { entry_role: 'qa' } } },
    bad('routing.QA'),
  ),
  check(
    'A goal has 500 characters at most',
    { project: { id: 'a', name: 'A', goal: 'x'.repeat(501) } },
    bad('project.goal'),
  ),
  check('A goal of 500 characters is fine', { project: { id: 'a', name: 'A', goal: 'x'.repeat(500) } }, ok),
  check(
    'A gate reads no file outside the repository',
    gate({ requires_files: ['../secrets'] }),
    bad('gates.g.requires_files.0'),
  ),
  check(
    'A gate flag is a boolean',
    gate({ requires_human_approval: 'yes' }),
    bad('gates.g.requires_human_approval'),
  ),
  check(
    'A gate acts only after a person approved',
    gate({ gate_actions: [{ run: 'deploy' }] }),
    bad('gates.g.gate_actions'),
  ),
  check(
    'A gate action needs a command',
    gate({ requires_human_approval: true, gate_actions: [{ label: 'x' }] }),
    bad('gates.g.gate_actions.0.run'),
  ),
  check(
    'A gate action has an hour at most',
    gate({ requires_human_approval: true, gate_actions: [{ run: 'x', timeout_ms: 3600001 }] }),
    bad('gates.g.gate_actions.0.timeout_ms'),
  ),
  check('An unknown hook phase is refused', { hooks: { whenever: [] } }, bad('hooks.whenever')),
  check(
    'A hook after the fact cannot block',
    {
      hooks: {
        after_acceptance: [
          { name: 'a', type: 'process', command: ['true'], timeout_ms: 1000, mode: 'blocking' },
        ],
      },
    },
    bad('hooks.after_acceptance.0.mode'),
  ),
  check(
    'A hook waits half a minute at most',
    hook({ timeout_ms: 30001 }),
    bad('hooks.before_assignment.0.timeout_ms'),
  ),
  check(
    'A hook is given a tenth of a second at least',
    hook({ timeout_ms: 99 }),
    bad('hooks.before_assignment.0.timeout_ms'),
  ),
  check('A process hook has a command', hook({ command: [] }), bad('hooks.before_assignment.0.command')),
  check(
    'An http hook is posted',
    hook({ type: 'http', url: 'http://127.0.0.1/', method: 'GET' }),
    bad('hooks.before_assignment.0.method'),
  ),
  check(
    'Two hooks of a phase have two names',
    { hooks: { before_gate: [hook().hooks.before_assignment[0], hook().hooks.before_assignment[0]] } },
    bad('hooks.before_gate.1.name'),
  ),
  check(
    'A phase has eight hooks at most',
    {
      hooks: {
        before_gate: Array.from({ length: 9 }, (_, n) => ({
          ...hook().hooks.before_assignment[0],
          name: `h${n}`,
        })),
      },
    },
    bad('hooks.before_gate'),
  ),
  check(
    'A policy rule must be known',
    { policies: [{ id: 'p', rule: 'be_nice', action: 'warn' }] },
    bad('policies.0.rule'),
  ),
  check(
    'A counting policy has a limit',
    { policies: [{ id: 'p', rule: 'max_total_turns', action: 'warn' }] },
    bad('policies.0.params.limit'),
  ),
  check(
    'One turn costs no more than the run',
    { budget: { per_turn_max_usd: 5, per_run_max_usd: 2 } },
    bad('budget.per_turn_max_usd'),
  ),
  check('A turn has one attempt at least', { rules: { max_turn_retries: 0 } }, bad('rules.max_turn_retries')),
  check('An unknown timeout action is refused', { timeouts: { action: 'panic' } }, bad('timeouts.action')),
  check(
    'A custom document check lists its headings',
    { workflow_kit: { phases: { qa: { artifacts: [{ path: 'a.md', semantics: 'section_check' }] } } } },
    bad('workflow_kit.phases.qa.artifacts.0.semantics_config.required_sections'),
  ),
];
