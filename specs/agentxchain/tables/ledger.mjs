import { decision, state } from './ground.mjs';

const append = (description, entry, expected, ledger = []) => ({
  description,
  type: expected.result === 'success' ? 'validate' : 'reject',
  setup: { state: state(), ledger },
  input: {
    operation: 'append_decision',
    args: {
      entry: { turn_id: 'turn_1', role: 'dev', phase: 'implementation', status: 'accepted', ...entry },
    },
  },
  expected,
});
const refused = (type, field, more = {}) => ({
  result: 'error',
  error_type: type,
  error_field: field,
  ...more,
});

export const surface = 'decision_ledger';
export const tier = 1;
export const prefix = 'BDL';
export const table = [
  append(
    'An id without digits is refused',
    decision({ id: 'DEC-' }),
    refused('invalid_decision_id_format', 'id', { ledger_length: 0 }),
  ),
  append(
    'An id with a tail is refused',
    decision({ id: 'DEC-001b' }),
    refused('invalid_decision_id_format', 'id'),
  ),
  append('A small id is refused', decision({ id: 'dec-001' }), refused('invalid_decision_id_format', 'id')),
  append(
    'A statement of blanks is refused',
    decision({ statement: ' \n\t' }),
    refused('empty_required_field', 'statement'),
  ),
  append(
    'A missing category is refused',
    decision({ category: null }),
    refused('invalid_enum_value', 'category', {
      valid_values: ['implementation', 'architecture', 'scope', 'process', 'quality', 'release'],
    }),
  ),
  append(
    'The id is judged before the statement',
    decision({ id: 'x', statement: '' }),
    refused('invalid_decision_id_format', 'id'),
  ),
  append(
    'The statement is judged before the category',
    decision({ statement: '', category: 'vibes' }),
    refused('empty_required_field', 'statement'),
  ),
  append(
    'The same id in the same run is refused',
    decision(),
    refused('duplicate_decision_id', 'id', { duplicate_id: 'DEC-001', ledger_length: 1 }),
    [decision({ run_id: 'run_c1' })],
  ),
  append(
    'The same id in another run is another decision',
    decision(),
    { result: 'success', ledger_length: 2 },
    [decision({ run_id: 'run_before' })],
  ),
  append("A ledger that names no run is the run's", decision(), refused('duplicate_decision_id', 'id'), [
    decision(),
  ]),
  append(
    'Governance rows have no id to collide with',
    decision(),
    { result: 'success', ledger_length: 2, ledger_last_entry: { id: 'DEC-001' } },
    [{ type: 'gate_failure', gate: 'g' }],
  ),
];
