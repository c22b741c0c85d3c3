import { BatonError } from '../../kernel/error.ts';
import type { JobHandler, JobOutcome } from './handler.ts';
import type { Job } from './job.ts';

export type AttemptEnd = JobOutcome | { readonly state: 'try_again'; readonly error: string };

/** Runs the effect and reads from what it threw how it ended. Only codes are kept: messages may quote what is personal. */
export async function attempt(handler: JobHandler, job: Job, signal: AbortSignal): Promise<AttemptEnd> {
  try {
    return { state: 'done', result: await handler.run(job, signal) };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'job_given_up') return { state: 'failed', error: codeOf((error as Error).cause) };
    if (code === 'outcome_unknown' && !handler.idempotent) return { state: 'outcome_unknown' };
    return { state: 'try_again', error: code };
  }
}

function codeOf(error: unknown): string {
  if (error instanceof BatonError) return error.code;
  return error instanceof Error ? error.name : 'error';
}
