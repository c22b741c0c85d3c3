import { defineErrors } from '../../kernel/error.ts';

/** What reading a body may answer, whichever operation reads it. */
export const bodyErrors = defineErrors({
  body_too_large: {
    status: 413,
    message: 'The body is larger than this operation takes.',
    next: 'Send at most `details.max_bytes` bytes.',
  },
  body_timeout: {
    status: 408,
    message: 'The body did not arrive in time.',
    next: 'Send the whole body without long pauses.',
    retryable: true,
  },
});
