import { BatonError } from '../../../kernel/error.ts';
import { governanceErrors } from '../errors.ts';
import type { ExecutorCall, Executors } from './executors.ts';

export type RunOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** Carries a call out within its time. Never throws: whatever goes wrong is the outcome. */
export async function runExecutor(
  executors: Executors,
  name: string | undefined,
  call: Omit<ExecutorCall, 'signal'>,
  timeoutSeconds: number,
): Promise<RunOutcome> {
  const executor = executors.find(name);
  if (!executor) {
    const { message } = governanceErrors.specs.executor_not_found;
    return { ok: false, code: 'EXECUTOR_NOT_FOUND', message };
  }
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late.abort();
      reject(new Error('timeout'));
    }, timeoutSeconds * 1000);
  });
  try {
    const outcome = await Promise.race([executor({ ...call, signal: late.signal }), tooLate]);
    return { ok: true, result: outcome === undefined ? null : JSON.parse(JSON.stringify(outcome)) };
  } catch (error) {
    if (late.signal.aborted) {
      return {
        ok: false,
        code: 'EXECUTION_TIMEOUT',
        message: `The executor took longer than ${timeoutSeconds} s.`,
      };
    }
    if (error instanceof BatonError)
      return { ok: false, code: error.code.toUpperCase(), message: error.message };
    return {
      ok: false,
      code: 'EXECUTION_ERROR',
      message: error instanceof Error ? error.message : String(error),
    };
  } finally {
    clearTimeout(timer);
  }
}
