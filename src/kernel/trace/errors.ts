import { defineErrors } from '../error.ts';

export const traceErrors = defineErrors({
  invalid_event: {
    status: 400,
    message: 'This is not a TRACE/1.0 event.',
    next: 'Correct the field that the pointer names.',
  },
});
