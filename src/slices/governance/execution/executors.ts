import type { JsonObject } from '../../../kernel/json/value.ts';

/** One governed call, handed to whatever carries it out. */
export interface ExecutorCall {
  readonly executionId: string;
  readonly actionId: string;
  readonly parameters: JsonObject;
  readonly sessionId: string;
  readonly agentId: string;
  readonly projectId: string;
  readonly idempotencyKey: string | null;
  /** Fires when the time of the action is up. */
  readonly signal: AbortSignal;
}

/** Answers what JSON can carry. Throwing means that it failed; a BatonError keeps its code. */
export type Executor = (call: ExecutorCall) => Promise<unknown>;

export interface Executors {
  /** A named one, or one for an http(s) address; undefined where there is none. */
  find(name: string | undefined): Executor | undefined;
  register(name: string, executor: Executor): void;
}

export interface ExecutorSettings {
  /** Makes the executor of an http(s) address. */
  readonly http?: (url: URL) => Executor;
  /** For actions that name none. */
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

/** Answers the parameters themselves: for trying an Atlas out. */
export const echoExecutor: Executor = async ({ parameters }) => parameters;
