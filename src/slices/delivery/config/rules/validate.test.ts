import { describe, expect, it } from 'vitest';
import { asRecord, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { SMALL_CONFIG } from '../../testing.ts';
import { admissionFaults } from './admission.ts';
import { readConfig } from './read.ts';
import { validateConfig } from './validate.ts';

const fieldsOf = (changes: LooseRecord) =>
  validateConfig({ ...SMALL_CONFIG, ...changes }).map(({ field }) => field);

const hook = { name: 'lint', type: 'process', command: ['lint'], mode: 'blocking', timeout_ms: 5_000 };
const hooks = (changes: LooseRecord, phase = 'before_gate') => ({
  hooks: { [phase]: [{ ...hook, ...changes }] },
});
const http = { type: 'http', url: 'https://hooks.example.org/', command: undefined };
const gate = (changes: LooseRecord) => ({ gates: { ...asRecord(SMALL_CONFIG.gates), built: changes } });
const artifact = (changes: LooseRecord) => ({
  workflow_kit: { phases: { qa: { artifacts: [{ path: 'docs/qa.md', ...changes }] } } },
});
const policy = (changes: LooseRecord) => ({
  policies: [{ id: 'p', rule: 'max_total_turns', action: 'block', params: { limit: 3 }, ...changes }],
});
const role = (changes: LooseRecord) => ({
  roles: {
    ...asRecord(SMALL_CONFIG.roles),
    dev: { ...asRecord(asRecord(SMALL_CONFIG.roles).dev), ...changes },
  },
});
const route = (changes: LooseRecord) => ({
  routing: { ...asRecord(SMALL_CONFIG.routing), qa: { entry_role: 'qa', ...changes } },
});

/** What is good, what is not, and which field is then blamed. */
const RULES: readonly (readonly [string, readonly LooseRecord[], readonly LooseRecord[]])[] = [
  ['schema_version', [{ schema_version: 4 }], [{ schema_version: '2.0' }, { schema_version: undefined }]],
  ['project', [], [{ project: undefined }, { project: 'demo' }]],
  ['project.name', [], [{ project: { id: 'demo', name: ' ' } }]],
  [
    'project.goal',
    [{ project: { id: 'a', name: 'b', goal: 'x'.repeat(500) } }],
    [
      { project: { id: 'a', name: 'b', goal: 'x'.repeat(501) } },
      { project: { id: 'a', name: 'b', goal: 1 } },
    ],
  ],
  ['roles', [], [{ roles: {}, routing: {} }]],
  ['roles.dev.title', [], [role({ title: '' })]],
  ['roles.dev.write_authority', [role({ write_authority: 'proposed' })], [role({ write_authority: 'all' })]],
  [
    'roles.dev.decision_authority',
    [role({ decision_authority: 0 }), role({ decision_authority: 99 })],
    [role({ decision_authority: 100 }), role({ decision_authority: -1 }), role({ decision_authority: 1.5 })],
  ],
  [
    'roles.dev.runtime',
    [role({ runtime: undefined, runtime_id: 'manual' })],
    [role({ runtime: 'other' }), role({ runtime: undefined })],
  ],
  ['runtimes.manual.type', [], [{ runtimes: { manual: { type: 'magic' } } }]],
  ['routing', [], [{ routing: [] }]],
  ['routing.qa.allowed_next_roles', [], [route({ allowed_next_roles: 'qa' })]],
  ['routing.qa.allowed_next_roles.1', [], [route({ allowed_next_roles: ['qa', 'boss'] })]],
  ['routing.qa.exit_gate', [route({ exit_gate: null })], [route({ exit_gate: 'none' })]],
  [
    'routing.qa.max_concurrent_turns',
    [route({ max_concurrent_turns: 1 }), route({ max_concurrent_turns: 4 })],
    [route({ max_concurrent_turns: 0 }), route({ max_concurrent_turns: 5 })],
  ],
  ['gates', [], [{ gates: [], routing: {} }]],
  ['gates.built.requires_human_approval', [], [gate({ requires_human_approval: 'yes' })]],
  [
    'gates.built.requires_files',
    [gate({ requires_files: ['a/b.md'] })],
    [gate({ requires_files: 'a/b.md' })],
  ],
  [
    'gates.built.requires_files.1',
    [],
    [
      gate({ requires_files: ['ok', '../x'] }),
      gate({ requires_files: ['ok', '/x'] }),
      gate({ requires_files: ['ok', 3] }),
    ],
  ],
  [
    'gates.built.gate_actions',
    [gate({ requires_human_approval: true, gate_actions: [{ run: 'make' }] })],
    [gate({ gate_actions: [{ run: 'make' }] })],
  ],
  [
    'gates.built.gate_actions.0.run',
    [],
    [gate({ requires_human_approval: true, gate_actions: [{ run: ' ' }] })],
  ],
  [
    'gates.built.gate_actions.0.timeout_ms',
    [1_000, 3_600_000].map((ms) =>
      gate({ requires_human_approval: true, gate_actions: [{ run: 'x', timeout_ms: ms }] }),
    ),
    [999, 3_600_001].map((ms) =>
      gate({ requires_human_approval: true, gate_actions: [{ run: 'x', timeout_ms: ms }] }),
    ),
  ],
  ['hooks', [], [{ hooks: [] }]],
  ['hooks.before_gate', [], [{ hooks: { before_gate: {} } }]],
  ['hooks.too_late', [], [hooks({}, 'too_late')]],
  ['hooks.before_gate.0', [], [{ hooks: { before_gate: ['lint'] } }]],
  ['hooks.before_gate.0.name', [], [hooks({ name: 'No name' }), hooks({ name: undefined })]],
  ['hooks.before_gate.0.mode', [hooks({ mode: 'advisory' })], [hooks({ mode: 'both' })]],
  [
    'hooks.after_acceptance.0.mode',
    [hooks({ mode: 'advisory' }, 'after_acceptance')],
    [hooks({}, 'after_acceptance')],
  ],
  [
    'hooks.before_gate.0.timeout_ms',
    [hooks({ timeout_ms: 100 }), hooks({ timeout_ms: 30_000 })],
    [hooks({ timeout_ms: 99 }), hooks({ timeout_ms: 30_001 }), hooks({ timeout_ms: undefined })],
  ],
  [
    'hooks.before_gate.0.env',
    [hooks({ env: { A: 'b' } })],
    [hooks({ env: { A: 'b', C: 1 } }), hooks({ env: 'A=b' })],
  ],
  [
    'hooks.before_gate.0.command',
    [],
    [hooks({ command: [] }), hooks({ command: 'lint' }), hooks({ command: ['lint', ''] })],
  ],
  ['hooks.before_gate.0.type', [], [hooks({ type: 'mail' })]],
  [
    'hooks.before_gate.0.url',
    [hooks(http)],
    [hooks({ ...http, url: 'file:///x' }), hooks({ ...http, url: 1 })],
  ],
  ['hooks.before_gate.0.method', [hooks({ ...http, method: 'POST' })], [hooks({ ...http, method: 'GET' })]],
  ['workflow_kit.phases', [], [{ workflow_kit: { phases: [] } }]],
  [
    'workflow_kit.phases.qa.artifacts.0.path',
    [artifact({})],
    [artifact({ path: '../qa.md' }), artifact({ path: 1 })],
  ],
  [
    'workflow_kit.phases.qa.artifacts.0.semantics',
    [artifact({ semantics: 'ship_verdict' })],
    [artifact({ semantics: 'poem' })],
  ],
  [
    'workflow_kit.phases.qa.artifacts.0.semantics_config.required_sections',
    [artifact({ semantics: 'section_check', semantics_config: { required_sections: ['Risks'] } })],
    [
      artifact({ semantics: 'section_check' }),
      artifact({ semantics: 'section_check', semantics_config: { required_sections: ['Risks', ''] } }),
    ],
  ],
  [
    'workflow_kit.phases.qa.artifacts.0.owned_by',
    [artifact({ owned_by: 'qa' })],
    [artifact({ owned_by: 'boss' }), artifact({ owned_by: 7 })],
  ],
  ['policies', [], [{ policies: {} }]],
  ['policies.0.id', [], [policy({ id: '' })]],
  ['policies.0.rule', [], [policy({ rule: 'be_nice' })]],
  ['policies.0.action', [policy({ action: 'warn' })], [policy({ action: 'shout' })]],
  ['policies.0.params.limit', [], [policy({ params: {} }), policy({ params: { limit: 0 } })]],
  [
    'policies.0.params.allowed',
    [policy({ rule: 'require_status', params: { allowed: ['completed'] } })],
    [
      policy({ rule: 'require_status' }),
      policy({ rule: 'require_status', params: { allowed: ['completed', 1] } }),
    ],
  ],
  [
    'rules.challenge_required',
    [{ rules: { challenge_required: true } }],
    [{ rules: { challenge_required: 1 } }],
  ],
  ['rules.max_idle_turns', [{ rules: { max_idle_turns: 1 } }], [{ rules: { max_idle_turns: 0 } }]],
  ['budget.per_run_max_usd', [{ budget: { per_run_max_usd: 0.5 } }], [{ budget: { per_run_max_usd: 0 } }]],
  ['budget.on_exceed', [{ budget: { on_exceed: 'warn' } }], [{ budget: { on_exceed: 'pay' } }]],
  [
    'budget.per_turn_max_usd',
    [{ budget: { per_turn_max_usd: 2, per_run_max_usd: 2 } }, { budget: { per_turn_max_usd: 2 } }],
    [{ budget: { per_turn_max_usd: 3, per_run_max_usd: 2 } }],
  ],
  [
    'timeouts.per_run_minutes',
    [{ timeouts: { per_run_minutes: 1 } }],
    [{ timeouts: { per_run_minutes: '1' } }],
  ],
  ['timeouts.action', [{ timeouts: { action: 'skip_phase' } }], [{ timeouts: { action: 'explode' } }]],
];

describe('a config', () => {
  it('is taken as the tests write it', () => {
    expect(fieldsOf({})).toEqual([]);
  });

  it.each(RULES)('is judged by its %s', (field, good, bad) => {
    for (const changes of good) expect(fieldsOf(changes)).toEqual([]);
    for (const changes of bad) expect(fieldsOf(changes)).toContain(field);
  });

  it('has at most eight hooks in a phase, each with a name of its own', () => {
    const named = (count: number) => ({
      hooks: { before_gate: Array.from({ length: count }, (_, n) => ({ ...hook, name: `lint-${n}` })) },
    });
    expect(fieldsOf(named(8))).toEqual([]);
    expect(fieldsOf(named(9))).toEqual(['hooks.before_gate']);
    expect(fieldsOf({ hooks: { before_gate: [hook, hook] } })).toEqual(['hooks.before_gate.1.name']);
  });

  it('gives no reviewer a shell, and no remote model the last word', () => {
    const bound = (type: string, authority: string) =>
      fieldsOf({
        ...role({ write_authority: authority }),
        runtimes: { manual: { type } },
        routing: {},
        gates: {},
      });
    expect(bound('local_cli', 'review_only')).toContain('roles.dev.runtime');
    expect(bound('api_proxy', 'authoritative')).toContain('roles.dev.runtime');
    expect(bound('remote_agent', 'authoritative')).toContain('roles.dev.runtime');
    expect(bound('a2a', 'authoritative')).toContain('roles.dev.runtime');
    expect(bound('mcp', 'authoritative')).toEqual([]);
  });
});

describe('a config that no run could finish under', () => {
  const faultsOf = (changes: LooseRecord) =>
    admissionFaults(readConfig({ ...SMALL_CONFIG, ...changes })).map(({ field }) => field);
  const reviewed = (changes: LooseRecord) => ({
    routing: { qa: { entry_role: 'qa', allowed_next_roles: ['qa'], exit_gate: 'ship' } },
    ...changes,
  });

  it('has a phase without a role', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ routing: { qa: { allowed_next_roles: ['human'] } } })).toEqual([
      'routing.qa.allowed_next_roles',
    ]);
  });

  it('requires a file that nobody in the phase may write', () => {
    const wants = (path: string) => reviewed({ gates: { ship: { requires_files: [path] } } });
    expect(faultsOf(wants('src/main.ts'))).toEqual(['gates.ship.requires_files']);
    expect(faultsOf(wants('.planning/acceptance.md'))).toEqual([]);
    expect(faultsOf({ gates: { built: { requires_files: ['src/main.ts'] }, ship: {} } })).toEqual([]);
  });

  it('has an artifact of someone who never works in its phase', () => {
    const owned = (owner?: string) =>
      reviewed({
        workflow_kit: {
          phases: { qa: { artifacts: [{ path: '.planning/a.md', required: false, owned_by: owner }] } },
        },
      });
    expect(faultsOf(owned('dev'))).toEqual(['workflow_kit.phases.qa.artifacts']);
    expect(faultsOf(owned('qa'))).toEqual([]);
    expect(faultsOf(owned())).toEqual([]);
  });
});

describe('a role as it is read', () => {
  it('keeps a decision authority that is a number, and nothing else in its place', () => {
    const read = (authority: unknown) =>
      readConfig({ ...SMALL_CONFIG, ...role({ decision_authority: authority }) }).roles.dev;
    expect(read(7)).toMatchObject({ decision_authority: 7 });
    expect(read('7')).not.toHaveProperty('decision_authority');
    expect(read(undefined)).not.toHaveProperty('decision_authority');
  });
});
