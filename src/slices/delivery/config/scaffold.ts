import type { LooseRecord } from '../../../kernel/json/loose.ts';

/** What `init` writes: a project that needs no API key, and its gate documents with blanks to fill in. */

export interface ScaffoldOptions {
  readonly id: string;
  readonly name: string;
  readonly goal?: string;
  /** `feature` by default. */
  readonly template?: string;
  /** Who takes turns; people take those of all other roles. */
  readonly agents?: readonly ScaffoldAgent[];
  readonly unattended?: boolean;
}

/** A coding agent, and the roles that it plays. */
export interface ScaffoldAgent {
  readonly id: string;
  readonly runtime: LooseRecord;
  readonly roles: readonly string[];
}

interface Template {
  readonly about: string;
  readonly roles: LooseRecord;
  readonly routing: LooseRecord;
  readonly gates: LooseRecord;
  readonly documents: readonly string[];
}

const role = (title: string, mandate: string) => ({ title, mandate, write_authority: 'authoritative' });

const DEV = role('Developer', 'Build it with tests, and write down what was done.');
const QA = role(
  'QA',
  'Challenge the work, check each requirement, and say whether it can ship. Do not change the product.',
);

const built = { requires_files: ['.planning/IMPLEMENTATION_NOTES.md'], requires_verification_pass: true };

export const TEMPLATES: Readonly<Record<string, Template>> = {
  feature: {
    about: 'plan, build, check: a person signs off the plan and the result',
    roles: {
      pm: role('Product Manager', 'Say what is to be built, for whom, and how it will be checked.'),
      dev: DEV,
      qa: QA,
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
      implementation_complete: built,
      ship: {
        requires_files: [
          '.planning/acceptance-matrix.md',
          '.planning/ship-verdict.md',
          '.planning/RELEASE_NOTES.md',
        ],
        requires_human_approval: true,
      },
    },
    documents: [
      'PM_SIGNOFF.md',
      'SYSTEM_SPEC.md',
      'IMPLEMENTATION_NOTES.md',
      'acceptance-matrix.md',
      'ship-verdict.md',
      'RELEASE_NOTES.md',
    ],
  },
  bugfix: {
    about: 'fix, check: a person signs off the result',
    roles: {
      dev: role('Developer', 'Reproduce the bug in a test, fix it, and write down what was wrong.'),
      qa: QA,
    },
    routing: {
      implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'qa', 'human'], exit_gate: 'fixed' },
      qa: { entry_role: 'qa', allowed_next_roles: ['dev', 'qa', 'human'], exit_gate: 'ship' },
    },
    gates: {
      fixed: built,
      ship: { requires_files: ['.planning/ship-verdict.md'], requires_human_approval: true },
    },
    documents: ['IMPLEMENTATION_NOTES.md', 'ship-verdict.md'],
  },
};

export function scaffoldConfig(options: ScaffoldOptions): LooseRecord {
  const { template = 'feature', agents = [] } = options;
  const { roles, routing, gates } = TEMPLATES[template] as Template;
  const agentOf = (role: string) => agents.find((agent) => agent.roles.includes(role))?.id;
  return {
    schema_version: '1.0',
    template,
    project: {
      id: options.id,
      name: options.name,
      ...(options.goal === undefined ? {} : { goal: options.goal }),
    },
    roles: Object.fromEntries(
      Object.entries(roles).map(([id, members]) => [
        id,
        {
          ...(members as LooseRecord),
          // A person who reviews needs no write access; the protocol gives a program on this machine no other.
          ...(id === 'qa' && agentOf(id) === undefined ? { write_authority: 'review_only' } : {}),
          runtime: agentOf(id) ?? 'manual',
        },
      ]),
    ),
    runtimes: {
      manual: { type: 'manual' },
      ...Object.fromEntries(agents.map(({ id, runtime }) => [id, runtime])),
    },
    routing,
    gates,
    ...(options.unattended && {
      approval_policy: {
        phase_transitions: { default: 'auto_approve' },
        run_completion: { action: 'require_human' },
      },
    }),
    rules: { challenge_required: true, max_turn_retries: 2 },
    timeouts: { per_turn_minutes: 60 },
  };
}

/** The gate documents of a template, by path. */
export function scaffoldDocuments(template = 'feature'): Readonly<Record<string, string>> {
  const { documents } = TEMPLATES[template] as Template;
  return Object.fromEntries(documents.map((name) => [`.planning/${name}`, DOCUMENTS[name] ?? '']));
}

const DOCUMENTS: Readonly<Record<string, string>> = {
  'PM_SIGNOFF.md': '# PM Signoff\n\nApproved: NO\n',
  'SYSTEM_SPEC.md':
    '# System Spec\n\n## Purpose\n\n(What is built, and for whom)\n\n## Interface\n\n(What a user or program sees)\n\n## Acceptance Tests\n\n- [ ] (A check that proves it)\n',
  'IMPLEMENTATION_NOTES.md':
    '# Implementation Notes\n\n## Changes\n\n(Dev fills this during implementation)\n\n## Verification\n\n(Dev fills this during implementation)\n',
  'acceptance-matrix.md':
    '# Acceptance Matrix\n\n| Req # | Requirement | Acceptance criteria | Test status | Last tested | Status |\n|-------|-------------|---------------------|-------------|-------------|--------|\n| (QA fills this) | - | - | - | - | - |\n',
  'ship-verdict.md': '# Ship Verdict\n\n## Verdict: PENDING\n',
  'RELEASE_NOTES.md':
    '# Release Notes\n\n## User Impact\n\n(QA fills this during the QA phase)\n\n## Verification Summary\n\n(QA fills this during the QA phase)\n',
};
