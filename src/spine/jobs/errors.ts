import { defineErrors } from '../../kernel/error.ts';

/** What the work of a job throws to say how it ended; anything else thrown means "did not happen, try again". */
export const jobErrors = defineErrors({
  job_given_up: {
    status: 500,
    message: 'The work cannot succeed, however often it is tried.',
    next: 'See the cause; start it anew when the cause is gone.',
  },
  outcome_unknown: {
    status: 500,
    message: 'The work was begun and nobody can say whether it took effect.',
    next: 'Check the outcome where the work reaches, then retry or close it.',
  },
});
