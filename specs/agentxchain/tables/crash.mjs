import { config, decision, result, working } from './ground.mjs';

const crash = (description, step, second) => ({
  description,
  type: 'transition',
  setup: {
    state: working(),
    config: config(),
    history: [],
    turn_result: result({ decisions: [decision({ durability: 'repo' })], phase_transition_request: 'qa' }),
  },
  input: { operation: 'accept_turn_with_crash', args: { turn_id: 'turn_1', crash_before: step } },
  expected: {
    result: 'success',
    first_attempt: 'power_lost',
    second_attempt: second,
    history_length: 1,
    history_turns: ['turn_1'],
    ledger_length: 1,
    events: ['turn_accepted', 'phase_entered'],
    state: { phase: 'qa', accepted_sequence: 1, active_turns: {} },
  },
});

export const surface = 'history';
export const tier = 1;
export const prefix = 'BCR';
export const table = [
  crash('Power lost before the journal: the turn is accepted anew', 'journal', 'accepted'),
  ...[
    'append:.agentxchain/history.jsonl',
    'append:.agentxchain/decision-ledger.jsonl',
    'append:.agentxchain/repo-decisions.jsonl',
    'append:TALK.md',
    'append:.agentxchain/events.jsonl',
    'replace:.agentxchain/state.json',
    'remove:',
    'drop-journal',
    'done',
  ].map((step) =>
    crash(`Power lost before ${step}: what was begun is finished once`, step, 'turn_already_accepted'),
  ),
];
