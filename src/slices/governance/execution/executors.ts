import { BatonError } from '../../../kernel/error.ts';
import { readPlain } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import { guardedPost, type PostSettings } from '../../../spine/outbound/guarded-post.ts';
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

/** What the executors of a gateway's actions begin with. */
export const GATEWAY_EXECUTOR = 'mcp:';

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
  executor: Executor | undefined,
  call: Omit<ExecutorCall, 'signal'>,
  timeoutSeconds: number,
): Promise<RunOutcome> {
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

/** Posts the call as JSON; a 2xx answer is the result, anything else a failure. */
export function httpExecutor(url: URL, settings: PostSettings = {}): Executor {
  return async (call) => {
    const body = writeJson({
      execution_id: call.executionId,
      action_id: call.actionId,
      parameters: call.parameters,
      session_id: call.sessionId,
      agent_id: call.agentId,
    });
    const headers = { 'idempotency-key': call.idempotencyKey ?? call.executionId };
    const answer = await guardedPost(url, body, headers, call.signal, settings);
    if (answer.status >= 300 && answer.status < 400) {
      throw governanceErrors.execution_error({
        message: 'The executor answered with a redirect, which is not followed.',
      });
    }
    if (answer.status < 200 || answer.status >= 300) {
      throw governanceErrors.execution_error({
        message: `The executor answered ${answer.status}.`,
        details: { status: answer.status },
      });
    }
    if (answer.text === '') return null;
    try {
      return readPlain(answer.text);
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      throw governanceErrors.execution_error({ message: 'The executor did not answer JSON.', cause: error });
    }
  };
}
