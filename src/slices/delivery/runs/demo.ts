import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, Random } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { approve } from '../gates/decide.ts';
import { git } from '../repository/git.ts';
import { documentText, openRepository, type RunRepository } from '../repository/repository.ts';
import { runtimeAdapters } from '../runtimes/adapters.ts';
import type { StepResult } from '../turns/step.ts';
import { AGENT_SCRIPT, demoConfig } from './demo-agent.ts';
import { exportRun } from './export.ts';
import { runLoop } from './loop.ts';
import { type RunReport, reportOf } from './report.ts';
import { startRun } from './start.ts';
import { verifyRun } from './verify.ts';

export interface DemoOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  /** Called with each line to show. */
  readonly say: (line: string) => void;
  /** Keep the repository afterwards. */
  readonly keep?: boolean;
}

export interface DemoResult {
  readonly root: string;
  readonly report: RunReport;
  readonly verified: boolean;
}

/** Plays a whole run in a temporary repository: three roles, three phases, two approvals, no API key. */
export async function runDemo(options: DemoOptions): Promise<DemoResult> {
  const { clock, random, hasher, say } = options;
  const root = await mkdtemp(join(tmpdir(), 'baton-demo-'));
  try {
    await prepare(root);
    const repository = openRepository({ root, clock, random, hasher, keepIn: `${root}.keep` });
    const { state } = await startRun(repository);
    say(`Run ${state.run_id} begins in phase "${state.phase}".`);
    await playToTheEnd(repository, say);
    const verified = (await verifyRun(repository)).ok;
    const report = reportOf(await exportRun(repository), hasher);
    say(
      `Run ${report.status}: ${report.turns.length} turns, ${report.decisions.length} decision, ${report.objections.length} objection on record.`,
    );
    say(verified ? 'Every file agrees with every other.' : 'The files do not agree: this should not happen.');
    if (options.keep === true) say(`Look around: ${root}`);
    return { root, report, verified };
  } finally {
    if (options.keep !== true) await rm(root, { recursive: true, force: true });
    await rm(`${root}.keep`, { recursive: true, force: true });
  }
}

async function playToTheEnd(repository: RunRepository, say: DemoOptions['say']): Promise<void> {
  const adapters = runtimeAdapters();
  const onStep = (result: StepResult) => say(lineOf(result));
  for (;;) {
    const { stopped, state, message } = await runLoop(repository, { adapters, onStep });
    if (stopped === 'completed') return;
    if (stopped !== 'gate_held') throw new Error(`The demo stopped: ${stopped}. ${message ?? ''}`);
    const gate = state.pending_phase_transition?.gate ?? state.pending_run_completion?.gate;
    say(`  The gate "${gate}" asks a person. (baton run approve)`);
    const approved = await approve(repository, { by: 'you', note: 'Approved in the demo' });
    say(`  Approved. The run is ${approved.state.status} in phase "${approved.state.phase}".`);
  }
}

function lineOf(result: StepResult): string {
  const accepted = result.events.find((event) => event.event_type === 'turn_accepted');
  if (accepted !== undefined) return `  ${accepted.turn?.role_id}: ${String(accepted.payload.summary)}`;
  if (result.outcome === 'rejected') return `  Sent back: ${result.message}`;
  return `  ${result.outcome}: ${result.message ?? result.next}`;
}

/** A run of the same roles in a repository at `root`, as far as the first gate, where it waits for a person. */
export async function beginDemoRun(
  root: string,
  options: Omit<DemoOptions, 'say' | 'keep'> & { readonly keepIn: string },
): Promise<void> {
  await prepare(root);
  const repository = openRepository({ root, ...options });
  await startRun(repository);
  const { stopped, message } = await runLoop(repository, { adapters: runtimeAdapters() });
  if (stopped !== 'gate_held') throw new Error(`The demo stopped: ${stopped}. ${message ?? ''}`);
}

async function prepare(root: string): Promise<void> {
  await mkdir(join(root, '.planning'), { recursive: true });
  await writeFile(join(root, 'agent.mjs'), AGENT_SCRIPT);
  await writeFile(join(root, 'agentxchain.json'), documentText(demoConfig(process.execPath)));
  await git(root, ['init', '-q']);
  await git(root, ['add', '-A']);
  await git(root, [
    '-c',
    'user.name=Baton demo',
    '-c',
    'user.email=demo@localhost',
    'commit',
    '-q',
    '-m',
    'Begin',
  ]);
}
