import { tryParse } from '../parse.ts';
import { runProcess } from '../run-process.ts';
import { envelope, type HookCall } from './envelope.ts';
import type { HookObservation } from './rules.ts';

export type Sighting = Omit<HookObservation, 'durationMs' | 'tampered'>;

export async function callProcessHook(call: HookCall): Promise<Sighting> {
  const { hook } = call;
  const outcome = await runProcess({
    argv: hook.command ?? [],
    cwd: call.root,
    input: envelope(call),
    timeoutMs: hook.timeout_ms,
    env: {
      ...process.env,
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
