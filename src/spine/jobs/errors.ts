import { defineErrors } from '../../kernel/error.ts';

/** What a job throws to report how it ended; anything else thrown means "did not happen, try again". */
export const jobErrors = defineErrors({
  job_given_up: {
    status: 500,
    message: 'The job cannot succeed, however often it is retried.',
    next: 'See the cause; start the job again once the cause is fixed.',
  },
  outcome_unknown: {
    status: 500,
    message: 'The job was started, but it is not known whether it took effect.',
    next: 'Check the outcome in the target system, then retry or close the job.',
  },
});
