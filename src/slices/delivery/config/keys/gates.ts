import type { Key } from './key.ts';

const conditions: Key = {
  type: 'object',
  about: 'What must also hold for `auto_approve`; otherwise a person is asked.',
  members: {
    gate_passed: { type: 'true', about: 'The gate’s files and verification pass. Always required.' },
    roles_participated: { type: 'list of role ids', about: 'Each has an accepted turn in this phase.' },
    all_phases_visited: { type: 'true', about: 'Every phase has an accepted turn in this run.' },
    credentialed_gate: { type: 'false', about: 'The gate is not credentialed. Always required.' },
  },
};

const action: Key = {
  type: '`auto_approve` or `require_human`',
  about: 'Who opens the gate.',
  required: true,
};

export const routingKey: Key = {
  type: 'object by phase',
  about: 'The phases, in the order in which they are written here. Names match `^[a-z][a-z0-9_-]*$`.',
  default: '`planning`, `implementation`, `qa`',
  strict: true,
  each: {
    type: 'object',
    about: 'One phase.',
    members: {
      entry_role: { type: 'role id', about: 'Takes the first turn of the phase.' },
      allowed_next_roles: {
        type: 'list of role ids, or `human`',
        about: 'Who may follow a turn of this phase.',
        default: 'every role',
      },
      exit_gate: { type: 'gate id', about: 'Must open before the phase ends.', default: 'none' },
      max_concurrent_turns: { type: 'integer, 1 to 4', about: 'Turns at once.', default: '1' },
      timeout_minutes: { type: 'number', about: 'In place of `timeouts.per_phase_minutes` for this phase.' },
    },
  },
};

export const gatesKey: Key = {
  type: 'object by gate id',
  about: 'What must hold before a phase ends or the run completes.',
  default: 'none',
  strict: true,
  each: {
    type: 'object',
    about: 'One gate.',
    members: {
      requires_files: {
        type: 'list of paths',
        about: 'Must exist; those that the protocol knows by name must be filled in.',
        default: 'none',
      },
      requires_verification_pass: {
        type: 'true or false',
        about: 'The turn that asks must have verified its work.',
        default: 'false',
      },
      requires_human_approval: { type: 'true or false', about: 'A person decides.', default: 'false' },
      credentialed: {
        type: 'true or false',
        about: 'Touches something that needs credentials: no policy approves it automatically.',
        default: 'false',
      },
      gate_actions: {
        type: 'list',
        about: 'Commands that run once a person has approved. Require `requires_human_approval`.',
        default: 'none',
        items: {
          type: 'object',
          about: 'One command.',
          members: {
            run: { type: 'command line', about: 'For the shell.', required: true },
            label: { type: 'text', about: 'What to call it.' },
            timeout_ms: {
              type: 'integer, 1000 to 3600000',
              about: 'How long it may take.',
              default: '900000',
            },
          },
        },
      },
      requires_resolution: {
        type: 'text',
        about: 'A goal that the project’s policy must allow before the gate acts.',
        ours: true,
      },
    },
  },
};

export const policiesKey: Key = {
  type: 'list',
  about: 'Limits that each turn is held against when it is accepted.',
  default: 'none',
  strict: true,
  items: {
    type: 'object',
    about: 'One policy.',
    members: {
      id: { type: 'text', about: 'Names it in refusals.', required: true },
      rule: {
        type: '`max_turns_per_phase`, `max_total_turns`, `max_consecutive_same_role`, `max_cost_per_turn`, `require_status` or `require_reproducible_verification`',
        about: 'What is limited.',
        required: true,
      },
      action: {
        type: '`block`, `warn` or `escalate`',
        about: '`block` refuses the turn, `escalate` accepts it and stops the run.',
        required: true,
      },
      message: { type: 'text', about: 'For whoever reads the refusal.' },
      params: {
        type: 'object',
        about: 'The limit itself.',
        members: {
          limit: { type: 'number above 0', about: 'Of the four `max_` rules.' },
          allowed: { type: 'list of statuses', about: 'Of `require_status`.' },
        },
      },
    },
  },
};

export const approvalPolicyKey: Key = {
  type: 'object',
  about: 'Which gates open without a person once everything else holds. Never a credentialed one.',
  default: 'a person decides',
  strict: true,
  members: {
    phase_transitions: {
      type: 'object',
      about: 'Of gates between phases.',
      members: {
        default: { type: action.type, about: action.about, default: '`require_human`' },
        rules: {
          type: 'list',
          about: 'The first that names the transition decides.',
          items: {
            type: 'object',
            about: 'One transition.',
            members: {
              from_phase: { type: 'phase', about: 'Leaving this phase.', default: 'any' },
              to_phase: { type: 'phase', about: 'Entering this phase.', default: 'any' },
              action,
              when: conditions,
            },
          },
        },
      },
    },
    run_completion: {
      type: 'object',
      about: 'Of the last gate.',
      members: { action, when: conditions },
    },
    rules: {
      type: 'list',
      about: 'By gate; the first that matches wins over the two above.',
      ours: true,
      items: {
        type: 'object',
        about: 'One gate.',
        members: { gate: { type: 'gate id', about: 'Which one.', default: 'any' }, action },
      },
    },
  },
};
