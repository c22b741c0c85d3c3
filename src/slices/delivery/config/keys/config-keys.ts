import { approvalPolicyKey, gatesKey, policiesKey, routingKey } from './gates.ts';
import type { Key, Keys } from './key.ts';
import { runtimesKey } from './runtimes.ts';

const hook: Key = {
  type: 'object',
  about: 'One hook. It reads a JSON envelope and answers `{"verdict": "allow" | "warn" | "block"}`.',
  members: {
    name: { type: 'text', about: 'Unique in its list; a-z, 0-9, _ and -.', required: true },
    type: { type: '`process` or `http`', about: 'How it is called.', required: true },
    mode: {
      type: '`blocking` or `advisory`',
      about: 'Whether it can stop what happens. `after_acceptance` and `on_escalation` are advisory only.',
      required: true,
    },
    timeout_ms: { type: 'integer, 100 to 30000', about: 'How long it may take.', required: true },
    command: { type: 'list', about: '`process`: the program and its arguments.' },
    url: { type: 'address', about: '`http`: where to post.' },
    method: { type: '`POST`', about: '`http`: nothing else.', default: '`POST`' },
    headers: {
      type: 'object of texts',
      about: '`http`: `\u0024{NAME}` is filled in from `env` or the environment.',
      each: { type: 'text', about: '' },
    },
    env: { type: 'object of texts', about: 'Added to the environment.', each: { type: 'text', about: '' } },
  },
};

const hookList = (about: string): Key => ({ type: 'list of at most 8', about, items: hook });

/** Every key of `agentxchain.json`. */
export const CONFIG_KEYS: Keys = {
  schema_version: { type: '`"1.0"`', about: 'The form of this file.', required: true },
  template: { type: 'text', about: 'What the file was made from. Informative.' },
  project: {
    type: 'object',
    about: 'What is delivered.',
    required: true,
    members: {
      id: { type: 'text', about: 'Stable.', required: true },
      name: { type: 'text', about: 'For people.', required: true },
      goal: { type: 'text of at most 500 characters', about: 'Part of every prompt.' },
      default_branch: { type: 'text', about: 'Informative.' },
    },
  },
  roles: {
    type: 'object by role id',
    about: 'Who takes turns. Ids match `^[a-z0-9_-]+$`; `human` is taken.',
    required: true,
    each: {
      type: 'object',
      about: 'One role.',
      members: {
        title: { type: 'text', about: 'For people.', required: true },
        mandate: { type: 'text', about: 'What the role is for; part of its prompt.', required: true },
        write_authority: {
          type: '`authoritative`, `proposed` or `review_only`',
          about: 'Changes files; proposes changes; writes only reviews and planning documents.',
          required: true,
        },
        runtime: { type: 'runtime id', about: 'Takes its turns.', required: true },
        runtime_id: { type: 'runtime id', about: 'Another name of `runtime`.' },
        decision_authority: {
          type: 'integer, 0 to 99',
          about: 'Whose lasting decisions it may override: those of roles with no more.',
        },
        declared_file_scope: { type: 'list of paths', about: 'What it works on. Informative.' },
      },
    },
  },
  runtimes: runtimesKey,
  routing: routingKey,
  gates: gatesKey,
  approval_policy: approvalPolicyKey,
  policies: policiesKey,
  prompts: {
    type: 'object by role id',
    about: 'A file of instructions for a role; its text becomes part of each of its prompts.',
    each: { type: 'path', about: '' },
  },
  rules: {
    type: 'object',
    about: 'How turns are judged.',
    members: {
      challenge_required: {
        type: 'true or false',
        about: 'A review must raise at least one objection.',
        default: 'true',
      },
      max_turn_retries: { type: 'integer above 0', about: 'Attempts of one turn.', default: '2' },
      max_idle_turns: {
        type: 'integer above 0',
        about: 'Stop after so many turns in a row without any result.',
        default: '4',
        ours: true,
      },
      retry_backoff_seconds: {
        type: 'number',
        about:
          'Wait this long before the second attempt after a failed start or call, and twice as long each time.',
        default: '2',
        ours: true,
      },
    },
  },
  budget: {
    type: 'object',
    about: 'What a run may cost.',
    default: 'no limit',
    members: {
      per_turn_max_usd: { type: 'number above 0', about: 'Reserved when a turn is assigned.' },
      per_run_max_usd: { type: 'number above 0', about: 'Of the whole run.' },
      on_exceed: {
        type: '`pause_and_escalate` or `warn`',
        about: 'Stop for a person, or say so and go on.',
        default: '`pause_and_escalate`',
      },
    },
  },
  timeouts: {
    type: 'object',
    about: 'How long things may take.',
    members: {
      per_turn_minutes: { type: 'number above 0', about: 'One turn.', default: '120' },
      per_phase_minutes: { type: 'number above 0', about: 'One phase.', default: 'no limit' },
      per_run_minutes: { type: 'number above 0', about: 'The run.', default: 'no limit' },
      stall_minutes: {
        type: 'number above 0',
        about: 'A program that prints nothing for this long is stopped, and its turn is tried again.',
        default: 'no limit',
        ours: true,
      },
      action: {
        type: '`escalate`, `warn` or `skip_phase`',
        about: 'What happens when time is up.',
        default: '`escalate`',
      },
    },
  },
  hooks: {
    type: 'object by moment',
    about: 'Programs that are asked or told.',
    members: {
      before_assignment: hookList('Before a turn is assigned.'),
      after_dispatch: hookList('After the bundle is written; may add files to it.'),
      before_validation: hookList('Before a result is validated.'),
      after_validation: hookList('After a result was found valid.'),
      before_acceptance: hookList('Before a turn joins the history.'),
      after_acceptance: hookList('After a turn has joined the history.'),
      before_gate: hookList('Before an approved gate acts.'),
      on_escalation: hookList('When the run stops for a person.'),
    },
  },
  workflow_kit: {
    type: 'object',
    about: 'More documents that the end of a phase requires.',
    members: {
      phases: {
        type: 'object by phase',
        about: 'The documents of each phase.',
        each: {
          type: 'object',
          about: 'One phase.',
          members: {
            template: { type: 'text', about: 'Informative.' },
            artifacts: {
              type: 'list',
              about: 'Its documents.',
              items: {
                type: 'object',
                about: 'One document.',
                members: {
                  path: { type: 'path', about: 'Where it is.', required: true },
                  required: { type: 'true or false', about: 'The gate fails without it.', default: 'true' },
                  semantics: {
                    type: '`pm_signoff`, `system_spec`, `implementation_notes`, `acceptance_matrix`, `ship_verdict`, `release_notes` or `section_check`',
                    about: 'How it is judged.',
                    default: 'it must exist',
                  },
                  semantics_config: {
                    type: 'object',
                    about: 'Of `section_check`.',
                    members: { required_sections: { type: 'list of headings', about: 'Each with content.' } },
                  },
                  owned_by: { type: 'role id', about: 'Must have taken a turn in the phase.' },
                },
              },
            },
          },
        },
      },
    },
  },
  worktree: {
    type: 'object',
    about: 'What a turn’s own work tree needs besides the files in git.',
    ours: true,
    members: {
      setup: { type: 'command line, or list of them', about: 'Runs in a new work tree.' },
      link: { type: 'list of paths', about: 'Linked from the repository, such as `node_modules`.' },
      copy: { type: 'list of paths', about: 'Copied from the repository, such as `.env`.' },
    },
  },
  interchange: {
    type: 'true or false',
    about:
      'Another runner of the protocol works on the same files. What it changes between turns of ours is taken over and recorded; otherwise it is refused until a person adopts it.',
    default: 'false',
    ours: true,
  },
  schedules: {
    type: 'object by name',
    about: 'Runs that start by themselves while `baton run unattended` is running.',
    ours: true,
    each: {
      type: 'object',
      about: 'One schedule: either `at` or `every_minutes`.',
      members: {
        at: { type: '`HH:MM`, UTC', about: 'Once a day.' },
        every_minutes: { type: 'number, 1 or more', about: 'Again and again.' },
        goal: { type: 'text', about: 'What its runs are for.', required: true },
        enabled: { type: 'true or false', about: 'Whether it counts.', default: 'true' },
      },
    },
  },
  unattended: {
    type: 'object',
    about: 'The limits of `baton run unattended`.',
    ours: true,
    members: {
      max_runs: { type: 'integer above 0', about: 'Runs in a row.', default: '10' },
      max_usd: { type: 'number above 0', about: 'Of all its runs in 24 hours.', default: 'no limit' },
      checkpoint: { type: 'true or false', about: 'Commit each accepted turn.', default: 'true' },
    },
  },
};
