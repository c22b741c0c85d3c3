import { config } from './ground.mjs';

const check = (description, cap, expected) => ({
  description,
  type: expected.result === 'success' ? 'validate' : 'reject',
  setup: {},
  input: {
    operation: 'validate_config',
    args: {
      config: config({
        routing: {
          implementation: {
            entry_role: 'dev',
            allowed_next_roles: ['dev', 'human'],
            ...(cap === undefined ? {} : { max_concurrent_turns: cap }),
          },
        },
      }),
    },
  },
  expected,
});
const bad = {
  result: 'error',
  error_type: 'invalid_config',
  error_field: 'routing.implementation.max_concurrent_turns',
};

export const surface = 'parallel_turns';
export const tier = 1;
export const prefix = 'BPT';
export const table = [
  check('Without a number turns follow each other', undefined, { result: 'success', errors: [] }),
  check('Three turns may run side by side', 3, { result: 'success', errors: [] }),
  check('A fraction of a turn is refused', 2.5, bad),
  check('A number as text is refused', '2', bad),
  check('A negative number is refused', -1, bad),
  check('A boolean is refused', true, bad),
  check('Null is refused', null, bad),
];
