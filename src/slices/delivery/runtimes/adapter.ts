import type { Clock } from '../../../kernel/clock.ts';
import { asRecord, isRecord, isString, type LooseRecord } from '../../../kernel/json/loose.ts';
import type { Runtime } from '../config/config.ts';
import { resolveHeaders } from '../hooks/call.ts';
import { tryParse } from '../parse.ts';
import type { ActiveTurn } from '../run-state.ts';
import type { AgentSlot } from './agent-process.ts';

/** One turn for a runtime, its bundle sealed and verified. */
export interface RuntimeCall {
  /** Where the turn works: its own tree, or the repository. */
  readonly root: string;
  /** Where its program is started, or found again; only for turns that have a lease. */
  readonly slot?: AgentSlot;
  readonly turn: ActiveTurn;
  readonly phase: string;
  readonly runtime: Runtime;
  /** Absolute. */
  readonly bundleDir: string;
  /** Absolute; where to write the turn's result. */
  readonly stagingFile: string;
  readonly prompt: string;
  readonly context: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onOutput?: ((chunk: string) => void) | undefined;
  readonly onErrors?: ((chunk: string) => void) | undefined;
  /** How long a program may print nothing; no limit if undefined. */
  readonly stallMs?: number | undefined;
}

export type RuntimeOutcome =
  /** The agent wrote its result to the staging file itself. */
  | { readonly kind: 'staged' }
  /** The result came over the wire and still must be staged. */
  | { readonly kind: 'result'; readonly result: unknown }
  /** Somebody else will stage it later. */
  | { readonly kind: 'waiting'; readonly message: string }
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly retryable: boolean;
      /** The protocol's name for it, where it has one. */
      readonly event?: 'runtime_spawn_failed' | 'turn_start_failed' | 'turn_stalled';
    };

export type RuntimeAdapter = (call: RuntimeCall) => Promise<RuntimeOutcome>;

export function failed(message: string, retryable = false): RuntimeOutcome {
  return { kind: 'failed', message, retryable };
}

/** What a remote agent receives; the path is only useful to one on the same disk. */
export function turnRequest(call: RuntimeCall) {
  return {
    run_id: call.turn.run_id,
    turn_id: call.turn.turn_id,
    role: call.turn.assigned_role,
    phase: call.phase,
    runtime_id: call.turn.runtime_id,
    dispatch_dir: call.bundleDir,
    prompt: call.prompt,
    context: call.context,
  };
}

/** The JSON object in a model's answer: the whole answer, or the object in a code fence or between remarks. */
export function extractObject(text: string): LooseRecord | undefined {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n```/.exec(text)?.[1];
  const braced = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const candidate of [text.trim(), fenced, braced]) {
    const parsed = candidate === undefined ? undefined : tryParse(candidate);
    if (isRecord(parsed)) return parsed;
  }
  return undefined;
}

/** Headers of a runtime with `${VAR}` filled in from the environment, or the name of a missing variable. */
export function runtimeHeaders(
  headers: unknown,
): { readonly headers: Record<string, string> } | { readonly missing: string } {
  const texts = Object.fromEntries(
    Object.entries(asRecord(headers)).filter((entry): entry is [string, string] => isString(entry[1])),
  );
  const resolved = resolveHeaders(texts, process.env);
  return 'unresolved' in resolved ? { missing: resolved.unresolved } : { headers: resolved.resolved };
}

const SECRET = /(bearer\s+|sk-|key[=:]\s*)[A-Za-z0-9._-]{6,}/gi;

/** Keeps credentials out of logs and events. */
export function redact(text: string): string {
  return text.replaceAll(SECRET, '$1[redacted]').slice(0, 2000);
}
