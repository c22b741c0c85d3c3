import { defineErrors } from '../../kernel/error.ts';

/** What may be answered where the size of an input decides how long it takes. */
export const workErrors = defineErrors({
  work_too_large: {
    status: 422,
    message: 'Working this out takes more time or memory than one request may use.',
    next: 'Make it smaller: fewer actions, policies or properties, a shorter text. `details` has the limits.',
  },
  work_queue_full: {
    status: 429,
    message: 'Too much expensive work is waiting already.',
    next: 'Wait a little and send the request again.',
    retryable: true,
  },
});
