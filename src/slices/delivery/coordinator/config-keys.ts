import { CONFIG_KEYS } from '../config/keys/config-keys.ts';
import type { Key, Keys } from '../config/keys/key.ts';

const decisions: Key = {
  type: 'object',
  about: 'Of the barrier with the same name.',
  members: {
    decision_ids_by_repo: {
      type: 'object by repository',
      about: 'The decisions that each repository owes, such as `["DEC-101"]`.',
      each: { type: 'list of decision ids', about: '' },
    },
  },
};

/** Every key of `agentxchain-multi.json`. */
export const MULTI_KEYS: Keys = {
  schema_version: { type: '`"0.1"`', about: 'The form of this file.', required: true },
  project: {
    type: 'object',
    about: 'What is delivered.',
    required: true,
    members: {
      id: { type: 'text', about: 'Stable.', required: true },
      name: { type: 'text', about: 'For people.', required: true },
    },
  },
  repos: {
    type: 'object by repository id',
    about: 'The repositories. Each has an `agentxchain.json` with the same phases.',
    required: true,
    each: {
      type: 'object',
      about: 'One repository.',
      members: {
        path: { type: 'path', about: 'Relative to this file.', required: true },
        default_branch: { type: 'text', about: 'Informative.' },
        required: { type: 'true or false', about: 'Whether barriers wait for it.', default: 'true' },
      },
    },
  },
  workstreams: {
    type: 'object by workstream id',
    about: 'Pieces of work that span repositories.',
    required: true,
    strict: true,
    each: {
      type: 'object',
      about: 'One workstream.',
      members: {
        phase: { type: 'phase', about: 'When it is worked on.', required: true },
        repos: { type: 'list of repository ids', about: 'Where.', required: true },
        entry_repo: { type: 'repository id', about: 'Goes first.', required: true },
        depends_on: {
          type: 'list of workstream ids',
          about: 'Must be complete before it, in the same phase or an earlier one.',
          default: 'none',
        },
        completion_barrier: {
          type: '`all_repos_accepted`, `ordered_repo_sequence`, `interface_alignment`, `named_decisions` or `shared_human_gate`',
          about:
            'When it is complete: every required repository has an accepted turn of the phase; the entry repository has; every repository has accepted the decisions listed for it (both); a person approves the gate.',
          required: true,
        },
        interface_alignment: decisions,
        named_decisions: decisions,
      },
    },
  },
  routing: {
    type: 'object by phase',
    about: 'The phases, in order.',
    default: '`planning`, `implementation`, `qa`',
    strict: true,
    each: {
      type: 'object',
      about: 'One phase.',
      members: { entry_workstream: { type: 'workstream id', about: 'Goes first.', required: true } },
    },
  },
  gates: {
    type: 'object by gate id',
    about: 'The gate after each phase, in order.',
    strict: true,
    each: {
      type: 'object',
      about: 'One gate.',
      members: {
        requires_human_approval: { type: 'true or false', about: 'A person decides.', default: 'true' },
        requires_repos: { type: 'list of repository ids', about: 'Which repositories it is about.' },
      },
    },
  },
  hooks: {
    type: 'object by moment',
    about: 'As in `agentxchain.json`, of these four moments.',
    members: Object.fromEntries(
      ['before_assignment', 'after_acceptance', 'before_gate', 'on_escalation'].map((moment) => [
        moment,
        CONFIG_KEYS.hooks?.members?.[moment] as Key,
      ]),
    ),
  },
};
