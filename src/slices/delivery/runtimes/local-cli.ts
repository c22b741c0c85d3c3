import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asRecord, asStrings, isString } from '../../../kernel/json/loose.ts';
import { exists } from '../repository/files.ts';
import { runProcess } from '../run-process.ts';
import { failed, type RuntimeAdapter, type RuntimeCall } from './adapter.ts';

const GRACE_MS = 10_000;

/**
 * Runs the command line of any coding agent. The prompt replaces `{prompt}` in the command, or goes to standard input;
 * `prompt_transport: "dispatch_bundle_only"` leaves it in the bundle. A staged result counts whatever the exit code.
 */
export const localCliAdapter: RuntimeAdapter = async (call) => {
  const command = commandOf(call);
  if (command.length === 0) return failed(`Runtime "${call.turn.runtime_id}" has no command.`);
  const inArguments = command.some((word) => word.includes('{prompt}'));
  const bundleOnly = call.runtime.prompt_transport === 'dispatch_bundle_only';
  await mkdir(dirname(call.stagingFile), { recursive: true });
  const outcome = await runProcess({
    argv: command.map((word) => word.replaceAll('{prompt}', call.prompt)),
    cwd: call.root,
    input: inArguments || bundleOnly ? '' : call.prompt,
    timeoutMs: call.timeoutMs,
    graceMs: GRACE_MS,
    env: { ...process.env, ...environment(call) },
    signal: call.signal,
    onOutput: call.onOutput,
  });
  if (await exists(call.stagingFile)) return { kind: 'staged' };
  if (outcome.spawnError !== undefined) {
    return {
      ...failedTurn(`${command[0]} did not start: ${outcome.spawnError}`),
      event: 'runtime_spawn_failed',
    };
  }
  if (outcome.timedOut)
    return { ...failedTurn(`${command[0]} ran out of time and staged nothing.`), event: 'turn_stalled' };
  return failedTurn(
    `${command[0]} ended with ${outcome.exitCode} and staged nothing. ${outcome.stderr.slice(-500)}`,
  );
};

function failedTurn(message: string) {
  return { kind: 'failed' as const, message, retryable: true };
}

function commandOf({ runtime }: RuntimeCall): readonly string[] {
  const words = isString(runtime.command) ? [runtime.command] : asStrings(runtime.command);
  return [...words, ...asStrings(runtime.args)];
}

function environment(call: RuntimeCall): Record<string, string> {
  const own = Object.entries(asRecord(call.runtime.env)).filter((entry): entry is [string, string] =>
    isString(entry[1]),
  );
  return {
    AGENTXCHAIN_RUN_ID: call.turn.run_id ?? '',
    AGENTXCHAIN_TURN_ID: call.turn.turn_id,
    AGENTXCHAIN_ROLE: call.turn.assigned_role,
    AGENTXCHAIN_PHASE: call.phase,
    AGENTXCHAIN_DISPATCH_DIR: call.bundleDir,
    AGENTXCHAIN_STAGING_PATH: call.stagingFile,
    ...Object.fromEntries(own),
  };
}
