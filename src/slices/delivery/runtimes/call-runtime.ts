import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseInstant } from '../../../kernel/instant.ts';
import { member } from '../../../kernel/json/loose.ts';
import type { GovernedConfig, Runtime } from '../config/config.ts';
import { writeAtomically } from '../repository/files.ts';
import { bundleDir, stagingPath, within } from '../repository/paths.ts';
import { documentText, type RunRepository } from '../repository/repository.ts';
import { type ActiveTurn, withTurn } from '../run-state.ts';
import { eventOf } from '../runs/rules/change.ts';
import { requireSealed } from '../turns/bundle.ts';
import { isEnvelope } from '../turns/staging.ts';
import { failed, type RuntimeOutcome } from './adapter.ts';
import type { RuntimeAdapters } from './adapters.ts';
import { openTurnLog } from './turn-log.ts';

export interface CallOptions {
  readonly adapters: RuntimeAdapters;
  readonly signal?: AbortSignal;
  readonly onOutput?: (chunk: string) => void;
}

const SHORTEST_MS = 1000;

type FailedOutcome = Extract<RuntimeOutcome, { kind: 'failed' }>;

/** Hands a dispatched turn to its runtime and stages the result. Throws if the bundle was changed after sealing. */
export async function callRuntime(
  repository: RunRepository,
  turnId: string,
  options: CallOptions,
): Promise<RuntimeOutcome> {
  await requireSealed(repository, turnId);
  const turn = await markRunning(repository, turnId);
  const { config, state } = await repository.snapshot();
  const directory = within(repository.root, bundleDir(turnId));
  const stagingFile = within(repository.root, stagingPath(turnId));
  const runtime = member(config.runtimes, turn.runtime_id) ?? { type: 'manual' as const };
  const adapter = options.adapters[runtime.type];
  const log = openTurnLog(repository.root, turn);
  const outcome = await adapter({
    root: repository.root,
    turn,
    phase: state.phase,
    runtime,
    bundleDir: directory,
    stagingFile,
    prompt: await readFile(join(directory, 'PROMPT.md'), 'utf8'),
    context: await readFile(join(directory, 'CONTEXT.md'), 'utf8'),
    clock: repository.clock,
    timeoutMs: remainingMs(turn, repository),
    signal: options.signal,
    onOutput: (chunk) => {
      log(chunk);
      options.onOutput?.(chunk);
    },
    onErrors: log,
    stallMs: stallMs(config, runtime),
  });
  if (outcome.kind === 'result' && !isEnvelope(outcome.result)) {
    const nonsense = failed('The agent answered, but not with a turn result.', true) as FailedOutcome;
    await recordFailure(repository, turnId, nonsense);
    return nonsense;
  }
  if (outcome.kind === 'result') {
    await writeAtomically(stagingFile, documentText(outcome.result as object));
    return { kind: 'staged' };
  }
  if (outcome.kind === 'failed') await recordFailure(repository, turnId, outcome);
  return outcome;
}

function remainingMs(turn: ActiveTurn, repository: RunRepository): number {
  const deadline = turn.deadline_at === null ? undefined : parseInstant(turn.deadline_at)?.micros;
  if (deadline === undefined) return 2 * 60 * 60 * 1000;
  return Math.max(SHORTEST_MS, Math.round((deadline - repository.clock.now()) / 1000));
}

function stallMs({ timeouts }: GovernedConfig, { stall_seconds: seconds }: Runtime): number | undefined {
  if (typeof seconds === 'number' && seconds > 0) return seconds * 1000;
  return timeouts.stall_minutes === undefined ? undefined : timeouts.stall_minutes * 60_000;
}

async function markRunning(repository: RunRepository, turnId: string): Promise<ActiveTurn> {
  return repository.exclusively(async ({ snapshot, write }) => {
    const turn = snapshot.state.active_turns[turnId] as ActiveTurn;
    if (turn.status === 'running') return turn;
    const marked: ActiveTurn = { ...turn, status: 'running' };
    await write({ kind: 'turn_status', state: withTurn(snapshot.state, marked) });
    return marked;
  });
}

async function recordFailure(
  repository: RunRepository,
  turnId: string,
  outcome: FailedOutcome,
): Promise<void> {
  await repository.exclusively(async ({ snapshot, write }) => {
    const turn = snapshot.state.active_turns[turnId];
    if (turn === undefined) return;
    const state = withTurn(snapshot.state, {
      ...turn,
      status: outcome.event === 'turn_stalled' ? 'stalled' : 'failed_start',
      last_rejection: { reason: outcome.message, validation_errors: [], failed_stage: 'dispatch' },
    });
    await write({
      kind: 'runtime_failed',
      state,
      events: [eventOf(state, outcome.event ?? 'turn_start_failed', { message: outcome.message }, turn)],
    });
  });
}
