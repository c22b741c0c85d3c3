import type { Micros } from '../../../kernel/clock.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import type { Hook } from '../config/config.ts';
import { environmentOfOthers } from '../environment.ts';
import { tryParse } from '../parse.ts';
import { runProcess } from '../run-process.ts';
import type { HookObservation } from './rules.ts';

export interface HookCall {
  readonly hook: Hook;
  readonly phase: string;
  readonly root: string;
  readonly runId: string | null;
  readonly payload: LooseRecord;
  readonly now: Micros;
}

/** What a hook receives, over either transport. */
function envelope(call: HookCall): string {
  return JSON.stringify({
    hook_phase: call.phase,
    hook_name: call.hook.name,
    run_id: call.runId,
    project_root: call.root,
    timestamp: formatMillis(call.now),
    payload: call.payload,
  });
}

export type HookResponse = Omit<HookObservation, 'durationMs' | 'tampered'>;

export async function callProcessHook(call: HookCall): Promise<HookResponse> {
  const { hook } = call;
  const outcome = await runProcess({
    argv: hook.command ?? [],
    cwd: call.root,
    input: envelope(call),
    timeoutMs: hook.timeout_ms,
    env: {
      ...environmentOfOthers(),
      AGENTXCHAIN_HOOK_PHASE: call.phase,
      AGENTXCHAIN_HOOK_NAME: hook.name,
      AGENTXCHAIN_RUN_ID: call.runId ?? '',
      AGENTXCHAIN_PROJECT_ROOT: call.root,
      ...hook.env,
    },
  });
  return {
    exitCode: outcome.exitCode,
    timedOut: outcome.timedOut,
    failed: outcome.exitCode !== 0,
    output: tryParse(outcome.stdout),
    stderr: outcome.spawnError ?? outcome.stderr,
  };
}

export async function callHttpHook(call: HookCall): Promise<HookResponse> {
  const { hook } = call;
  const headers = resolveHeaders(hook.headers ?? {}, { ...process.env, ...hook.env });
  if ('unresolved' in headers) return failure(`Header variable \${${headers.unresolved}} is not set.`);
  const signal = AbortSignal.timeout(hook.timeout_ms);
  try {
    const response = await fetch(hook.url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers.resolved },
      body: envelope(call),
      redirect: 'manual',
      signal,
    });
    const body = await response.text();
    if (!response.ok) return failure(`The hook answered ${response.status}.`);
    return { exitCode: 0, timedOut: false, failed: false, output: tryParse(body), stderr: '' };
  } catch (error) {
    if (signal.aborted) return { ...failure('The hook did not answer in time.'), timedOut: true };
    return failure(error instanceof Error ? `${error.message}: ${String(error.cause ?? '')}` : String(error));
  }
}

/** Fills in `Bearer ${TOKEN}`: secrets come from the environment, never from the config. */
export function resolveHeaders(
  headers: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): { readonly resolved: Record<string, string> } | { readonly unresolved: string } {
  const resolved: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    let missing: string | undefined;
    resolved[name] = value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_match, key: string) => {
      if (env[key] === undefined) missing = key;
      return env[key] ?? '';
    });
    if (missing !== undefined) return { unresolved: missing };
  }
  return { resolved };
}

function failure(stderr: string): HookResponse {
  return { exitCode: 1, timedOut: false, failed: true, output: undefined, stderr };
}
