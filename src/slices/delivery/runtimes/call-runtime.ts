import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseInstant } from '../../../kernel/instant.ts';
import { member } from '../../../kernel/json/loose.ts';
import type { GovernedConfig, Runtime } from '../config/config.ts';
import { replaceWhole } from '../repository/files.ts';
import { regularFile } from '../repository/keep.ts';
import {
  claimFile,
  type Lease,
  readLease,
  releaseLease,
  requireFree,
  takeLease,
  turnFolder,
  writeLease,
} from '../repository/leases.ts';
import { bundleDir, stagingPath, within } from '../repository/paths.ts';
import { documentText, type RunRepository } from '../repository/repository.ts';
import { type ActiveTurn, withTurn } from '../run-state.ts';
import { eventOf } from '../runs/rules/change.ts';
import { setUp } from '../trees/set-up.ts';
import { requireSealed } from '../turns/bundle.ts';
import { hasAnswered, isEnvelope } from '../turns/staging.ts';
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

/** Takes the lease of a turn that has been handed out. One that another runner handed out gets its first here. */
export async function leaseOf(repository: RunRepository, turnId: string): Promise<Lease> {
  return repository.exclusively(async ({ keep, snapshot, root, hasher }) => {
    const manifest = await regularFile(within(root, `${bundleDir(turnId)}/MANIFEST.json`));
    const known = (await readLease(keep, turnId)) ?? {
      turn_id: turnId,
      attempt: snapshot.state.active_turns[turnId]?.attempt ?? 1,
      fence: 0,
      holder: null,
      agent: null,
      manifest: typeof manifest === 'string' ? '' : hasher.hex(manifest),
      work: { kind: 'in_place' as const, why: 'Another runner handed the turn out.' },
    };
    return takeLease(keep, known);
  });
}

/** Hands a dispatched turn to its runtime and stages the result. Throws if the bundle was changed after sealing. */
export async function callRuntime(
  repository: RunRepository,
  turnId: string,
  options: CallOptions,
  held?: Lease,
): Promise<RuntimeOutcome> {
  const lease = held ?? (await leaseOf(repository, turnId));
  try {
    return await callUnder(repository, lease, options);
  } finally {
    if (held === undefined) await releaseLease(repository.keep, lease);
  }
}

async function callUnder(
  repository: RunRepository,
  lease: Lease,
  options: CallOptions,
): Promise<RuntimeOutcome> {
  const turnId = lease.turn_id;
  // Whoever finds that it has ended begins the turn anew: here it may have ended since, with its answer.
  const adopted = lease.agent !== null;
  if (!adopted) await requireSealed(repository, turnId, lease.manifest);
  const { config, state } = await repository.snapshot();
  const known = state.active_turns[turnId];
  const turn = known?.status === 'running' ? known : await markRunning(repository, turnId);
  const base = lease.work.kind === 'tree' ? join(lease.work.path, lease.work.prefix) : repository.root;
  const sealed = within(repository.root, bundleDir(turnId));
  const directory = within(base, bundleDir(turnId));
  const stagingFile = within(base, stagingPath(turnId));
  const runtime = member(config.runtimes, turn.runtime_id) ?? { type: 'manual' as const };
  const log = openTurnLog(repository.root, turn);
  const hear = (chunk: string) => {
    log(chunk);
    options.onOutput?.(chunk);
  };
  if (lease.work.kind === 'tree' && !adopted) {
    const fault = await setUp(base, config.worktree.setup, hear, options.signal);
    if (fault !== undefined) return recordFailure(repository, lease, failed(fault, true) as FailedOutcome);
    await mkdir(within(base, `${stagingPath(turnId)}/..`), { recursive: true });
  }
  const outcome = await options.adapters[runtime.type]({
    root: base,
    slot: {
      folder: join(turnFolder(repository.keep, turnId), 'agent'),
      claim: claimFile(repository.keep, lease),
      running: adopted ? lease.agent : null,
      started: (agent) =>
        repository.exclusively(async ({ keep }) => {
          await requireFree(keep, turnId, lease);
          await writeLease(keep, { ...lease, agent });
        }),
    },
    turn,
    phase: state.phase,
    runtime,
    bundleDir: directory,
    stagingFile,
    prompt: await readFile(join(sealed, 'PROMPT.md'), 'utf8'),
    context: await readFile(join(sealed, 'CONTEXT.md'), 'utf8'),
    clock: repository.clock,
    timeoutMs: remainingMs(turn, repository),
    signal: options.signal,
    onOutput: hear,
    onErrors: log,
    stallMs: stallMs(config, runtime),
  });
  if (outcome.kind === 'result' && !isEnvelope(outcome.result))
    return recordFailure(
      repository,
      lease,
      failed('The agent answered, but not with a turn result.', true) as FailedOutcome,
    );
  if (outcome.kind === 'result') await replaceWhole(stagingFile, documentText(outcome.result as object));
  if (outcome.kind === 'result' || outcome.kind === 'staged') {
    const isFile = lease.work.kind !== 'tree' || (await hasAnswered(lease));
    if (isFile) return { kind: 'staged' };
    const nothing = failed('The agent left something that is no file where its result belongs.', true);
    return recordFailure(repository, lease, nothing as FailedOutcome);
  }
  if (outcome.kind === 'failed') return recordFailure(repository, lease, outcome);
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
  lease: Lease,
  outcome: FailedOutcome,
): Promise<FailedOutcome> {
  await repository.exclusively(async ({ snapshot, keep, write }) => {
    const turn = snapshot.state.active_turns[lease.turn_id];
    if (turn === undefined) return;
    await requireFree(keep, lease.turn_id, lease);
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
  return outcome;
}
