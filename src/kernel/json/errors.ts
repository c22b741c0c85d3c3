import { defineErrors } from '../error.ts';

export const jsonErrors = defineErrors({
  invalid_json: {
    status: 400,
    message: 'The text is not valid JSON.',
    next: 'Send one JSON value in UTF-8; `details` gives the line and column of the error.',
  },
  duplicate_key: {
    status: 400,
    message: 'An object has two members with the same name.',
    next: 'Keep one of the two members.',
  },
  lone_surrogate: {
    status: 400,
    message: 'A string contains half of a surrogate pair, which UTF-8 cannot encode.',
    next: 'Write the whole character, or leave it out.',
  },
  too_deep: {
    status: 400,
    message: 'The value is nested too deeply.',
    next: 'Flatten the value.',
  },
  too_large: {
    status: 413,
    message: 'The text is too large.',
    next: 'Send less at once.',
  },
  lossy_number: {
    status: 400,
    message: 'A number cannot be represented exactly, so its hash would be wrong.',
    next: 'Write the number as a string, or round it to fit a double.',
  },
  not_json: {
    status: 500,
    message: 'The value cannot be represented in JSON.',
    next: 'Report this as a bug: something other than a JSON value was passed on.',
  },
});
