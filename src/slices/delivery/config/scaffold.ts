import type { LooseRecord } from '../../../kernel/json/loose.ts';

/** What `init` writes: a project that needs no API key, and its gate documents with blanks to fill in. */

export interface ScaffoldOptions {
  readonly id: string;
  readonly name: string;
  readonly goal?: string;
  /** The command line of a coding agent for the roles that write; people take the turns by default. */
  readonly agentCommand?: readonly string[];
}

export function scaffoldConfig(options: ScaffoldOptions): LooseRecord {
  const writer = options.agentCommand === undefined ? 'manual' : 'agent';
  return {
    schema_version: '1.0',
    project: {
      id: options.id,
      name: options.name,
      ...(options.goal === undefined ? {} : { goal: options.goal }),
    },
    roles: {
      pm: {
        title: 'Product Manager',
        mandate: 'Say what is to be built, for whom, and how it will be checked.',
        write_authority: 'authoritative',
        runtime: writer,
      },
      dev: {
        title: 'Developer',
        mandate: 'Build it with tests, and write down what was done.',
        write_authority: 'authoritative',
        runtime: writer,
      },
      qa: {
        title: 'QA',
        mandate: 'Challenge the work, check each requirement, and say whether it can ship.',
        write_authority: 'review_only',
        runtime: 'manual',
      },
    },
    runtimes: {
      manual: { type: 'manual' },
      ...(options.agentCommand === undefined
        ? {}
        : { agent: { type: 'local_cli', command: options.agentCommand } }),
    },
    routing: {
      planning: {
        entry_role: 'pm',
        allowed_next_roles: ['pm', 'dev', 'human'],
        exit_gate: 'planning_signoff',
      },
      implementation: {
        entry_role: 'dev',
        allowed_next_roles: ['dev', 'qa', 'human'],
        exit_gate: 'implementation_complete',
      },
      qa: { entry_role: 'qa', allowed_next_roles: ['dev', 'qa', 'human'], exit_gate: 'ship' },
    },
    gates: {
      planning_signoff: {
        requires_files: ['.planning/PM_SIGNOFF.md', '.planning/SYSTEM_SPEC.md'],
        requires_human_approval: true,
      },
      implementation_complete: {
        requires_files: ['.planning/IMPLEMENTATION_NOTES.md'],
        requires_verification_pass: true,
      },
      ship: {
        requires_files: [
          '.planning/acceptance-matrix.md',
          '.planning/ship-verdict.md',
          '.planning/RELEASE_NOTES.md',
        ],
        requires_human_approval: true,
      },
    },
    rules: { challenge_required: true, max_turn_retries: 2 },
  };
}

export const SCAFFOLD_DOCUMENTS: Readonly<Record<string, string>> = {
  '.planning/PM_SIGNOFF.md': '# PM Signoff\n\nApproved: NO\n',
  '.planning/SYSTEM_SPEC.md':
    '# System Spec\n\n## Purpose\n\n(What is built, and for whom)\n\n## Interface\n\n(What a user or program sees)\n\n## Acceptance Tests\n\n- [ ] (A check that proves it)\n',
  '.planning/IMPLEMENTATION_NOTES.md':
    '# Implementation Notes\n\n## Changes\n\n(Dev fills this during implementation)\n\n## Verification\n\n(Dev fills this during implementation)\n',
  '.planning/acceptance-matrix.md':
    '# Acceptance Matrix\n\n| Req # | Requirement | Acceptance criteria | Test status | Last tested | Status |\n|-------|-------------|---------------------|-------------|-------------|--------|\n| (QA fills this) | - | - | - | - | - |\n',
  '.planning/ship-verdict.md': '# Ship Verdict\n\n## Verdict: PENDING\n',
  '.planning/RELEASE_NOTES.md':
    '# Release Notes\n\n## User Impact\n\n(QA fills this during the QA phase)\n\n## Verification Summary\n\n(QA fills this during the QA phase)\n',
};
