import { config, role, state } from './ground.mjs';

const routing = (gate) => ({
  planning: { entry_role: 'pm', exit_gate: gate },
  implementation: { entry_role: 'dev', exit_gate: gate },
  qa: { entry_role: 'qa', exit_gate: gate },
});
const gated = (gate, more = {}) => config({ routing: routing('g'), gates: { g: gate }, ...more });
const exit = (
  description,
  {
    phase = 'planning',
    to = 'implementation',
    gate = {},
    files = {},
    verification = 'pass',
    more = {},
    history = [],
  },
  expected,
) => ({
  description,
  type:
    expected.action === 'advance' || expected.action === 'awaiting_human_approval' ? 'transition' : 'reject',
  setup: {
    state: state({ phase }),
    config: gated(gate, more),
    filesystem: files,
    history,
    turn_result: { phase_transition_request: to, verification: { status: verification } },
  },
  input: { operation: 'evaluate_phase_exit', args: { current_phase: phase, requested_phase: to } },
  expected: { result: 'success', ...expected },
});
const end = (
  description,
  { phase = 'qa', gate = {}, files = {}, requested = true, more = {} },
  expected,
) => ({
  description,
  type:
    expected.action === 'complete' || expected.action === 'awaiting_human_approval' ? 'transition' : 'reject',
  setup: {
    state: state({ phase }),
    config: gated(gate, more),
    filesystem: files,
    turn_result: { run_completion_request: requested, verification: { status: 'pass' } },
  },
  input: { operation: 'evaluate_run_completion', args: { current_phase: phase } },
  expected: { result: 'success', ...expected },
});
const failed = (reason) => ({
  action: 'gate_failed',
  state_unchanged: true,
  ...(reason === undefined ? {} : { reason }),
});
const advance = { action: 'advance', new_phase: 'implementation' };

const signoff = (text) => ({
  gate: { requires_files: ['.planning/PM_SIGNOFF.md'] },
  files: { '.planning/PM_SIGNOFF.md': text },
});
const spec = (text) => ({
  gate: { requires_files: ['.planning/SYSTEM_SPEC.md'] },
  files: { '.planning/SYSTEM_SPEC.md': text },
});
const notes = (text) => ({
  phase: 'implementation',
  to: 'qa',
  gate: { requires_files: ['.planning/IMPLEMENTATION_NOTES.md'] },
  files: { '.planning/IMPLEMENTATION_NOTES.md': text },
});
const matrix = (rows) => ({
  gate: { requires_files: ['.planning/acceptance-matrix.md'] },
  files: {
    '.planning/acceptance-matrix.md': `# Matrix\n\n| Req # | Requirement | Status |\n|---|---|---|\n${rows}`,
  },
});
const verdict = (text) => ({
  gate: { requires_files: ['.planning/ship-verdict.md'] },
  files: { '.planning/ship-verdict.md': text },
});
const release = (text) => ({
  gate: { requires_files: ['.planning/RELEASE_NOTES.md'] },
  files: { '.planning/RELEASE_NOTES.md': text },
});
const fullSpec =
  '## Purpose\n\nGreet people.\n\n## Interface\n\nOne function.\n\n## Acceptance Tests\n\n- [ ] greet() answers hello\n';
const kit = (artifact) => ({ workflow_kit: { phases: { planning: { artifacts: [artifact] } } } });

export const surface = 'gate_semantics';
export const tier = 1;
export const prefix = 'BGS';
export const table = [
  exit('Without a request nothing moves', { to: null }, { action: 'no_request', state_unchanged: true }),
  exit('A phase cannot be skipped', { to: 'qa' }, failed()),
  exit('A phase cannot be entered again', { to: 'planning' }, failed()),
  exit('After the last phase there is no next', { phase: 'qa', to: 'implementation' }, failed()),
  {
    ...exit('A gate that is not declared is open', {}, advance),
    setup: {
      state: state({ phase: 'planning' }),
      config: config({ routing: routing('undeclared') }),
      turn_result: { phase_transition_request: 'implementation', verification: { status: 'fail' } },
    },
  },
  exit(
    'A phase without a gate is left freely',
    { more: { routing: { planning: {}, implementation: {} } } },
    advance,
  ),
  exit(
    'A missing file outweighs a failed verification',
    { gate: { requires_files: ['.planning/X.md'], requires_verification_pass: true }, verification: 'fail' },
    failed('requires_files predicate failed'),
  ),
  exit(
    'A failed verification outweighs an unconvincing document',
    {
      gate: { ...signoff('').gate, requires_verification_pass: true },
      files: { '.planning/PM_SIGNOFF.md': 'Approved: NO\n' },
      verification: 'fail',
    },
    failed('requires_verification_pass predicate failed'),
  ),
  exit(
    'A skipped verification is no pass',
    { gate: { requires_verification_pass: true }, verification: 'skipped' },
    failed('requires_verification_pass predicate failed'),
  ),
  exit(
    'An attested pass is a pass',
    { gate: { requires_verification_pass: true }, verification: 'attested_pass' },
    advance,
  ),
  exit(
    'A person is asked only after the predicates hold',
    { gate: { requires_human_approval: true, requires_files: ['.planning/X.md'] } },
    failed('requires_files predicate failed'),
  ),
  exit(
    'A file that only has to exist may say anything',
    { gate: { requires_files: ['docs/plan.md'] }, files: { 'docs/plan.md': '' } },
    advance,
  ),

  exit('A signoff may be written loosely', signoff('# Signoff\r\n\r\n  approved :  yes  \r\n'), advance),
  exit('A signoff that says no later and yes first holds', signoff('Approved: YES\nApproved: NO\n'), advance),
  exit(
    'A signoff in a sentence is none',
    signoff('It is approved: yes, I think\nNot Approved: YES\n'),
    failed(),
  ),
  exit(
    'A pending signoff says what it found',
    signoff('Approved: PENDING\n'),
    failed(
      'PM signoff is not approved. Found "Approved: PENDING" in .planning/PM_SIGNOFF.md; set it to "Approved: YES".',
    ),
  ),

  exit('A full specification passes', spec(fullSpec), advance),
  exit(
    'A specification names all headings that it lacks',
    spec('# Spec\n'),
    failed(
      '.planning/SYSTEM_SPEC.md must define ## Purpose, ## Interface, ## Acceptance Tests before planning can exit.',
    ),
  ),
  exit(
    'A specification of remarks in parentheses is a scaffold',
    spec(fullSpec.replace('Greet people.', '(What is it for?)')),
    failed(),
  ),
  exit(
    'A checkbox with a remark in parentheses is a scaffold',
    spec(fullSpec.replace('greet() answers hello', '(A check)')),
    failed(),
  ),
  exit(
    'A deeper heading belongs to its section',
    spec(fullSpec.replace('One function.', '### Details\n\nOne function.')),
    advance,
  ),
  exit(
    'A section ends at the next heading',
    spec('## Purpose\n\n## Interface\n\nText.\n\n## Acceptance Tests\n\nText.\n'),
    failed(),
  ),

  exit(
    'Real implementation notes pass',
    notes('## Changes\n\nAdded greet().\n\n## Verification\n\nRan the tests.\n'),
    { action: 'advance', new_phase: 'qa' },
  ),
  exit(
    'One placeholder is named alone',
    notes('## Changes\n\nAdded greet().\n\n## Verification\n\n(Dev fills this during implementation)\n'),
    failed(
      '## Verification in .planning/IMPLEMENTATION_NOTES.md still contains only placeholder text. Dev must replace placeholder content with real implementation notes.',
    ),
  ),
  exit('Implementation notes without their headings fail', notes('Added greet().\n'), failed()),

  end('A matrix whose rows all pass is enough', matrix('| 1 | Greets | pass |\n| 2 | Is fast | OK |\n'), {
    action: 'complete',
    new_status: 'completed',
  }),
  end(
    'One open requirement is enough to stop',
    matrix('| 1 | Greets | pass |\n| 2 | Is fast | FAIL |\n'),
    failed(),
  ),
  end('A row without a verdict stops', matrix('| 1 | Greets | |\n'), failed()),
  end(
    'A matrix without its table stops',
    {
      gate: { requires_files: ['.planning/acceptance-matrix.md'] },
      files: { '.planning/acceptance-matrix.md': 'All good\n' },
    },
    failed(),
  ),
  end(
    'A table header alone is no verdict',
    matrix(''),
    failed(
      'Acceptance matrix has no real requirement verdict rows. Replace the scaffold placeholder with QA-owned requirement results before requesting ship approval.',
    ),
  ),
  end(
    'A scaffold row beside a real one does not count',
    matrix('| (QA fills this) | - | - |\n| 1 | Greets | PASSED |\n'),
    { action: 'complete' },
  ),

  ...['YES', 'yes', 'SHIP', 'Ship it'].map((word) =>
    end(`The verdict ${word} ships`, verdict(`## Verdict: ${word}\n`), {
      action: 'complete',
      new_status: 'completed',
    }),
  ),
  end(
    'The verdict NOT YET does not ship',
    verdict('## Verdict: NOT YET\n'),
    failed(
      'Ship verdict is not affirmative. Found "## Verdict: NOT YET" in .planning/ship-verdict.md; use "## Verdict: YES".',
    ),
  ),
  end('A verdict that only begins with yes does not ship', verdict('## Verdict: YES, but later\n'), failed()),
  end('No verdict does not ship', verdict('# Verdict\n\nYES\n'), failed()),
  end('Release notes need both sections', release('## User Impact\n\nFaster.\n'), failed()),
  end(
    'Real release notes ship',
    release('## User Impact\n\nFaster.\n\n## Verification Summary\n\nAll green.\n'),
    { action: 'complete' },
  ),

  end(
    'Without a request the run goes on',
    { requested: false },
    { action: 'no_request', state_unchanged: true },
  ),
  end(
    'A run without routing ends when asked',
    { phase: 'planning', more: { routing: {} } },
    { action: 'complete' },
  ),
  end(
    'The end may wait for a person',
    { gate: { requires_human_approval: true } },
    {
      action: 'awaiting_human_approval',
      new_status: 'paused',
      pending_run_completion: { phase: 'qa', gate: 'g' },
    },
  ),

  exit(
    'A document that the workflow kit requires is a gate file too',
    { more: kit({ path: '.planning/RISKS.md' }) },
    failed('requires_files predicate failed'),
  ),
  exit(
    'A document that the workflow kit only offers may be absent',
    { more: kit({ path: '.planning/RISKS.md', required: false }) },
    advance,
  ),
  exit(
    'A custom document must fill its sections',
    {
      files: { '.planning/RISKS.md': '## Risks\n\n(none yet)\n' },
      more: kit({
        path: '.planning/RISKS.md',
        semantics: 'section_check',
        semantics_config: { required_sections: ['## Risks', '## Owner'] },
      }),
    },
    failed('.planning/RISKS.md must define ## Owner.'),
  ),
  exit(
    'A custom document that fills its sections passes',
    {
      files: { '.planning/RISKS.md': '## Risks\n\nThe API may change.\n\n## Owner\n\nAda\n' },
      more: kit({
        path: '.planning/RISKS.md',
        semantics: 'section_check',
        semantics_config: { required_sections: ['## Risks', '## Owner'] },
      }),
    },
    advance,
  ),
  exit(
    'A document whose owner took no part does not pass',
    {
      files: { '.planning/RISKS.md': 'x' },
      more: {
        ...kit({ path: '.planning/RISKS.md', owned_by: 'pm' }),
        roles: { pm: role(), dev: role(), qa: role() },
      },
    },
    failed(),
  ),
  exit(
    'A document whose owner took part passes',
    {
      files: { '.planning/RISKS.md': 'x' },
      history: [{ turn_id: 'turn_0', role: 'pm', phase: 'planning' }],
      more: kit({ path: '.planning/RISKS.md', owned_by: 'pm' }),
    },
    advance,
  ),
];
