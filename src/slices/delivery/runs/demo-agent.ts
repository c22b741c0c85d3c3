/** The agents of the demo: one small program that plays three roles, where a coding agent's command would stand. */
export const AGENT_SCRIPT = `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const a = JSON.parse(readFileSync(join(process.env.AGENTXCHAIN_DISPATCH_DIR, 'ASSIGNMENT.json'), 'utf8'));
const write = (path, text) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const answer = (result) =>
  write(
    process.env.AGENTXCHAIN_STAGING_PATH,
    JSON.stringify({
      schema_version: '1.0',
      run_id: a.run_id,
      turn_id: a.turn_id,
      role: a.role,
      runtime_id: a.runtime_id,
      status: 'completed',
      decisions: [],
      objections: [],
      artifact: { type: 'workspace' },
      verification: { status: 'pass', machine_evidence: [{ command: 'node --check src/greet.mjs', exit_code: 0 }] },
      proposed_next_role: 'human',
      ...result,
    }),
  );

if (a.role === 'pm') {
  write('.planning/PM_SIGNOFF.md', '# PM Signoff\\n\\nApproved: YES\\n');
  write('.planning/SYSTEM_SPEC.md', '# System Spec\\n\\n## Purpose\\n\\nGreet whoever calls.\\n\\n## Interface\\n\\ngreet(name) answers a text.\\n\\n## Acceptance Tests\\n\\n- greet("Ada") answers "Hello, Ada."\\n');
  answer({
    summary: 'Wrote down what the greeter does and how it is checked.',
    files_changed: ['.planning/PM_SIGNOFF.md', '.planning/SYSTEM_SPEC.md'],
    decisions: [{ id: 'DEC-001', category: 'scope', statement: 'The greeter greets by name only', rationale: 'Nobody asked for more', durability: 'repo' }],
    verification: { status: 'skipped' },
    phase_transition_request: 'implementation',
  });
} else if (a.role === 'dev') {
  write('src/greet.mjs', 'export const greet = (name) => \`Hello, \${name}.\`;\\n');
  write('src/names.mjs', 'export const anyone = "whoever you are";\\n');
  write('.planning/IMPLEMENTATION_NOTES.md', '# Implementation Notes\\n\\n## Changes\\n\\nAdded greet().\\n\\n## Verification\\n\\nChecked with node.\\n');
  answer({
    summary: a.attempt === 1 ? 'Built the greeter.' : 'Built the greeter, and this time declared every file.',
    // The first attempt forgets one file. Git saw it, so the turn is sent back with the reason.
    files_changed: ['src/greet.mjs', '.planning/IMPLEMENTATION_NOTES.md', ...(a.attempt === 1 ? [] : ['src/names.mjs'])],
    phase_transition_request: 'qa',
  });
} else {
  write('.planning/acceptance-matrix.md', '# Acceptance Matrix\\n\\n| Req # | Requirement | Status |\\n|---|---|---|\\n| 1 | Greets by name | PASS |\\n');
  write('.planning/ship-verdict.md', '# Ship Verdict\\n\\n## Verdict: YES\\n');
  answer({
    summary: 'Every requirement holds; one remark.',
    files_changed: ['.planning/acceptance-matrix.md', '.planning/ship-verdict.md'],
    objections: [{ id: 'OBJ-001', severity: 'low', statement: 'An empty name greets nobody', status: 'raised' }],
    run_completion_request: true,
  });
}
`;

export function demoConfig(nodeProgram: string) {
  const role = (title: string, mandate: string) => ({
    title,
    mandate,
    write_authority: 'authoritative',
    runtime: 'agent',
  });
  return {
    schema_version: '1.0',
    project: { id: 'greeter', name: 'Greeter', goal: 'A function that greets people by name' },
    roles: {
      pm: role('Product Manager', 'Say what is to be built and how it will be checked.'),
      dev: role('Developer', 'Build it, with proof.'),
      qa: role('QA', 'Challenge the work and say whether it can ship.'),
    },
    runtimes: { agent: { type: 'local_cli', command: [nodeProgram, 'agent.mjs'] } },
    routing: {
      planning: { entry_role: 'pm', allowed_next_roles: ['pm', 'human'], exit_gate: 'planning_signoff' },
      implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'human'], exit_gate: 'built' },
      qa: { entry_role: 'qa', allowed_next_roles: ['qa', 'human'], exit_gate: 'ship' },
    },
    gates: {
      planning_signoff: {
        requires_files: ['.planning/PM_SIGNOFF.md', '.planning/SYSTEM_SPEC.md'],
        requires_human_approval: true,
      },
      built: { requires_files: ['.planning/IMPLEMENTATION_NOTES.md'], requires_verification_pass: true },
      ship: {
        requires_files: ['.planning/acceptance-matrix.md', '.planning/ship-verdict.md'],
        requires_human_approval: true,
      },
    },
  };
}
