import { config, decision, result, working } from './ground.mjs';

const check = (description, decisions, expected) => ({
  description,
  type: expected.result === 'success' ? 'validate' : 'reject',
  setup: { state: working(), config: config() },
  input: { operation: 'validate_turn_result', args: { turn_result: result({ decisions }) } },
  expected,
});
const ok = { result: 'success', errors: [] };
const bad = (field) => ({
  result: 'error',
  failed_stage: 'schema',
  error_type: 'schema_error',
  error_field: field,
});

export const surface = 'decision_carryover';
export const tier = 1;
export const prefix = 'BDC';
export const table = [
  check(
    'A whole envelope with an unknown durability is refused for it',
    [decision({ durability: 'forever' })],
    bad('decisions.0.durability'),
  ),
  check(
    'A durability that is null is refused',
    [decision({ durability: null })],
    bad('decisions.0.durability'),
  ),
  check(
    'A decision does not override itself',
    [decision({ overrides: 'DEC-001' })],
    bad('decisions.0.overrides'),
  ),
  check(
    'An override names a decision id',
    [decision({ overrides: 'the old one' })],
    bad('decisions.0.overrides'),
  ),
  check('An override that is no text is refused', [decision({ overrides: 7 })], bad('decisions.0.overrides')),
  check(
    'Whether the overridden decision exists is not asked here',
    [decision({ overrides: 'DEC-999', durability: 'repo' })],
    ok,
  ),
  check('No override is said by null', [decision({ overrides: null })], ok),
  check(
    'The fault of a later decision is found too',
    [decision(), decision({ id: 'DEC-002', durability: 'project' })],
    bad('decisions.1.durability'),
  ),
];
