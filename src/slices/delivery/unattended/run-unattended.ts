import type { Micros } from '../../../kernel/clock.ts';
import { BatonError } from '../../../kernel/error.ts';
import { formatMillis, parseInstant } from '../../../kernel/instant.ts';
import { asRecord } from '../../../kernel/json/loose.ts';
import { listIntents, markIntent } from '../intake/queue.ts';
import { readRows } from '../repository/files.ts';
import { isWorkTree } from '../repository/git.ts';
import { FILES, within } from '../repository/paths.ts';
import type { RunRepository } from '../repository/repository.ts';
import { readEvents } from '../repository/snapshot.ts';
import type { Intent } from '../run-state.ts';
import { type LoopOptions, type LoopResult, runLoop } from '../runs/loop.ts';
import { type Waiting, waitsFor } from '../runs/rules/waits-for.ts';
import { startRun } from '../runs/start.ts';
import { checkpointTurn } from '../turns/checkpoint.ts';
import { dueSchedules } from './schedules.ts';

export interface UnattendedResult {
  readonly stopped: 'nothing_to_do' | 'person_needed' | 'max_runs' | 'daily_budget' | 'caller_stopped';
  /** Runs that were begun or continued here. */
  readonly runs: readonly {
    readonly run_id: string;
    readonly title: string | null;
    readonly stopped: string;
  }[];
  readonly waitsFor: Waiting | null;
  readonly next: string;
}

interface Work {
  readonly trigger: 'intake' | 'schedule';
  readonly intent: Intent;
}

const MAX_RUNS = 10;
const DAY = 24 * 60 * 60 * 1_000_000;

/**
 * Goes on with the run that is there, then takes what is due and what is queued, one run after another, until a person is
 * needed or nothing is left. Whatever stopped it before, calling it again continues.
 */
export async function runUnattended(
  repository: RunRepository,
  options: LoopOptions,
): Promise<UnattendedResult> {
  const runs: { run_id: string; title: string | null; stopped: string }[] = [];
  const ended = async (stopped: UnattendedResult['stopped'], next = 'baton run unattended') => {
    const { state, config } = await repository.snapshot();
    return { stopped, runs, waitsFor: waitsFor(state, config) ?? null, next };
  };
  for (;;) {
    await settleIntents(repository);
    const { state, rawConfig } = await repository.snapshot();
    const limits = asRecord(asRecord(rawConfig).unattended);
    if (state.status === 'idle' || state.status === 'completed') {
      const most = typeof limits.max_runs === 'number' ? limits.max_runs : MAX_RUNS;
      if (runs.length >= most) return ended('max_runs');
      const budget = typeof limits.max_usd === 'number' ? limits.max_usd : Number.POSITIVE_INFINITY;
      if ((await spentToday(repository)) >= budget) return ended('daily_budget');
      const work = await nextWork(repository, rawConfig);
      if (work === undefined) return ended('nothing_to_do', 'baton run intake add "<what to do>"');
      await begin(repository, work, state.run_id);
    }
    const result = await carryOn(repository, options, limits.checkpoint !== false);
    const intent = intentOf(result.state.inherited_context);
    runs.push({ run_id: result.state.run_id ?? '', title: intent?.title ?? null, stopped: result.stopped });
    if (result.stopped === 'caller_stopped') return ended('caller_stopped');
    if (result.stopped !== 'completed') return ended('person_needed', result.next);
  }
}

/** What a run was begun for is done once the run is complete, whoever completed it: a person may have, in the morning. */
async function settleIntents(repository: RunRepository): Promise<void> {
  const records = await repository.records();
  const complete = new Set(
    (await readRows(within(records, FILES.runHistory)))
      .filter((row) => row.status === 'completed')
      .map((row) => row.run_id),
  );
  for (const { id, status, run_id } of await listIntents(records))
    if (status === 'running' && complete.has(run_id))
      await markIntent(repository, id, { status: 'done', run_id });
}

async function carryOn(
  repository: RunRepository,
  options: LoopOptions,
  commits: boolean,
): Promise<LoopResult> {
  const inGit = commits && (await isWorkTree(repository.root));
  if (inGit) await checkpointLeftovers(repository);
  return runLoop(repository, {
    ...options,
    async onStep(step) {
      await options.onStep?.(step);
      if (inGit && step.outcome === 'accepted') await checkpointLeftovers(repository);
    },
  });
}

/** Commits what accepted turns of this run changed and nobody has committed; a turn without files needs no commit. */
async function checkpointLeftovers(repository: RunRepository): Promise<void> {
  const { history } = await repository.snapshot();
  const kept = new Set(
    (await readEvents(await repository.records()))
      .filter((event) => event.event_type === 'turn_checkpointed')
      .map((event) => event.turn?.turn_id),
  );
  for (const row of history.filter((each) => each.files_changed.length > 0 && !kept.has(each.turn_id))) {
    // Another runner, or the acceptance itself, may have committed it already.
    await checkpointTurn(repository, row.turn_id).catch((error) => {
      if (!(error instanceof BatonError)) throw error;
    });
  }
}

/** What is due comes before what is queued, as somebody chose its time. */
async function nextWork(repository: RunRepository, rawConfig: unknown): Promise<Work | undefined> {
  const started = new Map<string, Micros>();
  for (const event of await readEvents(await repository.records())) {
    const name = asRecord(event.payload).schedule;
    if (typeof name === 'string') started.set(name, parseInstant(event.timestamp)?.micros ?? 0);
  }
  const [due] = dueSchedules(rawConfig, started, repository.clock.now());
  if (due !== undefined) return { trigger: 'schedule', intent: { id: due.name, title: due.goal, body: '' } };
  const queued = (await listIntents(await repository.records())).find(({ status }) => status !== 'done');
  return queued && { trigger: 'intake', intent: { id: queued.id, title: queued.title, body: queued.body } };
}

async function begin(
  repository: RunRepository,
  { trigger, intent }: Work,
  parent: string | null,
): Promise<void> {
  const { state } = await startRun(repository, {
    restart: true,
    intent,
    provenance: {
      trigger,
      parent_run_id: parent,
      trigger_reason: intent.title,
      intake_intent_id: trigger === 'intake' ? intent.id : null,
      created_by: null,
    },
  });
  if (trigger === 'intake')
    await markIntent(repository, intent.id, { status: 'running', run_id: state.run_id });
}

function intentOf(context: unknown): Intent | undefined {
  const { intent } = asRecord(context);
  return intent as Intent | undefined;
}

/** What the runs that ended or stopped in the last 24 hours have cost, each counted once. */
async function spentToday(repository: RunRepository): Promise<number> {
  const since = formatMillis(repository.clock.now() - DAY);
  const byRun = new Map<string, number>();
  for (const row of await readRows(within(await repository.records(), FILES.runHistory))) {
    if (String(row.recorded_at) > since) byRun.set(String(row.run_id), Number(row.spent_usd ?? 0));
  }
  return [...byRun.values()].reduce((total, usd) => total + usd, 0);
}
