import { defineErrors } from '../error.ts';

export const jsonErrors = defineErrors({
  invalid_json: {
    status: 400,
    message: 'The text is not valid JSON.',
    next: 'Send one JSON value in UTF-8; details say at which line and column reading stopped.',
  },
  duplicate_key: {
    status: 400,
    message: 'An object has two members of the same name.',
    next: 'Keep one of the two members.',
  },
  lone_surrogate: {
    status: 400,
    message: 'A string holds half of a surrogate pair, which no UTF-8 text can carry.',
    next: 'Write the whole character or leave it out.',
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
    message: 'A number cannot be held exactly, so it would be hashed as another one.',
    next: 'Write the number as a string, or round it to what a double holds.',
  },
  not_json: {
    status: 500,
    message: 'The value is none that JSON can carry.',
    next: 'Report this: a value was handed on that is no JSON value.',
  },
});
