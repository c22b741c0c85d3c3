import { BatonError } from '../../../kernel/error.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { governanceErrors } from '../errors.ts';

/** One governed call, as its executor gets it. */
export interface ExecutorCall {
  readonly executionId: string;
  readonly actionId: string;
  readonly parameters: JsonObject;
  readonly sessionId: string;
  readonly agentId: string;
  readonly projectId: string;
  readonly idempotencyKey: string | null;
  /** Fires when the action times out. */
  readonly signal: AbortSignal;
}

/** Returns a JSON value. Throws when it fails; a BatonError keeps its code. */
export type Executor = (call: ExecutorCall) => Promise<unknown>;

export interface Executors {
  /** By name, or for an http(s) address; undefined if there is none. */
  find(name: string | undefined): Executor | undefined;
  register(name: string, executor: Executor): void;
}

export interface ExecutorSettings {
  /** Makes the executor of an http(s) address. */
  readonly http?: (url: URL) => Executor;
  /** For actions that name no executor. */
  readonly fallback?: Executor;
}

export function createExecutors(settings: ExecutorSettings = {}): Executors {
  const named = new Map<string, Executor>();
  return {
    register(name, executor) {
      if (named.has(name)) throw new Error(`two executors are called ${name}`);
      named.set(name, executor);
    },
    find(name) {
      if (name === undefined) return settings.fallback;
      if (/^https?:\/\//i.test(name) && URL.canParse(name)) return settings.http?.(new URL(name));
      return named.get(name);
    },
  };
}

/** Returns the parameters themselves: for trying out an Atlas. */
export const echoExecutor: Executor = async ({ parameters }) => parameters;

export type RunOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** Runs a call within its timeout. Never throws: whatever goes wrong is the outcome. */
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
