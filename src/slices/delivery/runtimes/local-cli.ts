import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asRecord, asStrings, isRecord, isString, type LooseRecord } from '../../../kernel/json/loose.ts';
import { commandWords } from '../config/command-words.ts';
import { environmentOfOthers } from '../environment.ts';
import { tryParse } from '../parse.ts';
import { containedPath } from '../path-rules.ts';
import { writeAtomically } from '../repository/files.ts';
import { regularFile } from '../repository/keep.ts';
import { within } from '../repository/paths.ts';
import { documentText } from '../repository/repository.ts';
import { type ProcessOutcome, runProcess } from '../run-process.ts';
import { extractObject, failed, type RuntimeAdapter, type RuntimeCall } from './adapter.ts';
import { runAgent } from './agent-process.ts';
import { measuredCost, type Usage, usageOf } from './usage.ts';

const GRACE_MS = 10_000;
/** Of one argument; Linux takes 128 kB. */
const LONGEST_ARGUMENT = 120_000;
const MAX_OUTPUT = 16 * 1024 * 1024;

/**
 * Runs the command line of any coding agent. The prompt and the context replace `{prompt}` in the command, or go to
 * standard input; `prompt_transport: "dispatch_bundle_only"` leaves them in the bundle. A staged result counts whatever
 * the exit code; with `result: "output"` so does a result in the output of a program that staged none.
 */
export const localCliAdapter: RuntimeAdapter = async (call) => {
  const [program = '', ...words] = commandOf(call.runtime);
  if (program === '') return failed(`Runtime "${call.turn.runtime_id}" has no command.`);
  const message = `${call.prompt}\n${call.context}`;
  const argv = [program, ...words.map((word) => filledIn(word, call, message))];
  if (argv.some((word) => Buffer.byteLength(word) > LONGEST_ARGUMENT)) {
    return failed(
      'The prompt is too long for an argument: take {prompt} out of the command, or use {prompt_file}.',
    );
  }
  await mkdir(dirname(call.stagingFile), { recursive: true });
  const run = {
    argv,
    cwd: startIn(call),
    input: readsInput(call.runtime, words) ? message : '',
    timeoutMs: call.timeoutMs,
    graceMs: GRACE_MS,
    maxOutput: MAX_OUTPUT,
    env: { ...environmentOfOthers(), ...environment(call) },
    signal: call.signal,
    onOutput: call.onOutput,
    onErrors: call.onErrors,
    idleMs: call.stallMs,
  };
  const outcome = await (call.slot === undefined ? runProcess(run) : runAgent({ ...run, slot: call.slot }));
  const usage = usageOf(call.runtime.output, outcome.stdout);
  if (await stageResult(call, outcome, usage)) return { kind: 'staged' };
  return whyNothing(program, outcome);
};

function readsInput(runtime: LooseRecord, words: readonly string[]): boolean {
  if (isString(runtime.prompt_transport)) return runtime.prompt_transport === 'stdin';
  return !words.some((word) => word.includes('{prompt}'));
}

function filledIn(word: string, call: RuntimeCall, message: string): string {
  return word
    .replaceAll('{prompt_file}', join(call.bundleDir, 'PROMPT.md'))
    .replaceAll('{context_file}', join(call.bundleDir, 'CONTEXT.md'))
    .replaceAll('{dispatch_dir}', call.bundleDir)
    .replaceAll('{staging_file}', call.stagingFile)
    .replaceAll('{staging_dir}', dirname(call.stagingFile))
    .replaceAll('{prompt}', () => message);
}

/** Makes sure that the turn's result is staged, with what it measurably cost instead of what the agent claims. */
async function stageResult(
  call: RuntimeCall,
  outcome: ProcessOutcome,
  usage: Usage | undefined,
): Promise<boolean> {
  const measured = usage && { cost: measuredCost(usage, asRecord(call.runtime.pricing)) };
  // Whatever an agent put there: a pipe is not waited for, and nothing is read through a link.
  const left = await regularFile(call.stagingFile);
  if (left !== 'absent') {
    const staged = measured && left !== 'irregular' ? tryParse(left) : undefined;
    if (isRecord(staged)) await writeAtomically(call.stagingFile, documentText({ ...staged, ...measured }));
    return true;
  }
  if (call.runtime.result !== 'output') return false;
  const said = extractObject(usage?.text || outcome.stdout);
  if (said?.turn_id !== call.turn.turn_id) return false;
  await writeAtomically(call.stagingFile, documentText({ ...said, ...measured }));
  return true;
}

function whyNothing(program: string, outcome: ProcessOutcome) {
  const failedTurn = (message: string) => ({ kind: 'failed' as const, message, retryable: true });
  if (outcome.spawnError !== undefined) {
    return {
      ...failedTurn(`${program} did not start: ${outcome.spawnError}`),
      event: 'runtime_spawn_failed' as const,
    };
  }
  if (outcome.flooded === true)
    return failedTurn(`${program} printed more than can be kept and was stopped; it staged nothing.`);
  if (outcome.stalled || outcome.timedOut) {
    const why = outcome.stalled ? 'printed nothing for too long' : 'ran out of time';
    return { ...failedTurn(`${program} ${why} and staged nothing.`), event: 'turn_stalled' as const };
  }
  return failedTurn(
    `${program} ended with ${outcome.exitCode} and staged nothing. ${outcome.stderr.slice(-500)}`,
  );
}

/** A command that is one text is split into words, unless it has arguments of its own and so is one program. */
export function commandOf(runtime: LooseRecord): readonly string[] {
  const words = isString(runtime.command)
    ? Array.isArray(runtime.args)
      ? [runtime.command]
      : commandWords(runtime.command)
    : asStrings(runtime.command);
  return [...words, ...asStrings(runtime.args)];
}

function startIn({ root, runtime }: RuntimeCall): string {
  const path = isString(runtime.cwd) ? containedPath(runtime.cwd) : undefined;
  return path === undefined ? root : within(root, path);
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
