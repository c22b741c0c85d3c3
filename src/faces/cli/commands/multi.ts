import { resolve } from 'node:path';
import type { Command } from 'commander';
import pc from 'picocolors';
import { inline } from '../../../kernel/quoted.ts';
import type { MultiStatus, MultiStep } from '../../../slices/delivery/commands.ts';
import { agentOutput } from '../agent-output.ts';
import { EXIT, type Host } from '../host.ts';
import { parentCommand } from './parent.ts';
import { relayOf } from './run-server.ts';
import { eventLine, nextLine } from './run-text.ts';
import { dirVerb, interrupted, machine, operator, type RunOptions, show } from './run-verb.ts';

export function addMultiCommands(program: Command, host: Host): void {
  const multi = parentCommand(program, 'multi', 'Deliver work across several repositories.');
  const verb = (name: string, description: string, work: (opened: Opened) => Promise<unknown>) =>
    dirVerb(multi, name, description).action(async (options: RunOptions) => {
      const opened = await open(host, options);
      await work(opened);
      show(options, await opened.run.multiStatus(opened.workspace), statusText);
    });
  verb('start', 'Start a run in every repository.', ({ run, workspace }) => run.startMulti(workspace));
  verb('status', 'Show the state of everything and what comes next.', async () => undefined);
  dirVerb(multi, 'sync', 'Record what has since been accepted in the repositories.')
    .option('--adopt', 'take runs that were started by hand into the super-run')
    .action(async (options: RunOptions & { adopt?: boolean }) => {
      const { run, workspace } = await open(host, options);
      await (options.adopt ? run.adoptRuns(workspace) : run.catchUpMulti(workspace));
      show(options, await run.multiStatus(workspace), statusText);
    });
  verb('gate', 'Ask to move on to the next phase.', ({ run, workspace }) =>
    run.requestCoordinatorGate(workspace),
  );
  verb('approve', 'Approve the gate that is waiting.', ({ run, workspace }) =>
    run.approveCoordinatorGate(workspace, operator()),
  );
  verb('resume', 'Resume after a stop, once the recovery report is filled in.', ({ run, workspace }) =>
    run.resumeMulti(workspace),
  );
  dirVerb(multi, 'step', 'Take one turn in the repository whose turn it is.').action(
    async (options: RunOptions) => {
      const { run, workspace } = await open(host, options);
      const step = await run.stepMulti(workspace, {
        adapters: run.runtimeAdapters({ askPeer: relayOf(host) }),
        signal: interrupted(),
        onOutput: agentOutput((text) => process.stderr.write(text)),
      });
      show(options, step, stepText);
      const fine = step.kind === 'idle' || ['accepted', 'waiting'].includes(step.result.outcome);
      if (!fine) process.exitCode = EXIT.error;
    },
  );
}

type Opened = Awaited<ReturnType<typeof open>>;

async function open({ settings }: Host, { dir }: RunOptions) {
  const run = await import('../../../slices/delivery/commands.ts');
  return {
    run,
    workspace: run.openWorkspace({
      root: resolve(dir),
      keepIn: run.runsFolder(settings.dataDir),
      ...machine,
    }),
  };
}

function statusText({ state, barriers, repos, gate, next, waitsFor }: MultiStatus): string {
  const rows = Object.entries(repos).map(([id, repo]) =>
    repo === null
      ? `  ${inline(id).padEnd(12)} ${pc.dim('not set up')}`
      : `  ${inline(id).padEnd(12)} ${repo.status} in ${repo.phase}${repo.blockedOn === null ? '' : pc.red(` (${repo.blockedOn})`)}`,
  );
  const held = Object.entries(barriers).map(
    ([id, barrier]) => `  ${barrier.status === 'satisfied' ? pc.green('✓') : pc.yellow('·')} ${inline(id)}`,
  );
  return [
    state === null
      ? 'Nothing has been started.'
      : `${pc.bold(state.super_run_id)} is ${state.status} in ${pc.bold(state.phase)}.`,
    pc.dim('repositories'),
    ...rows,
    ...(held.length === 0 ? [] : [pc.dim('barriers'), ...held]),
    ...(gate?.blockers ?? []).map((blocker) => pc.yellow(`  - ${blocker.message}`)),
    ...(waitsFor === null ? [] : [pc.cyan(waitsFor)]),
    nextLine(next),
  ].join('\n');
}

function stepText(step: MultiStep): string {
  if (step.kind === 'idle') {
    const reasons = step.reasons.map(({ workstreamId, reason }) => `  ${workstreamId}: ${reason}`);
    return ['No workstream can continue now.', ...reasons, nextLine(step.next)].join('\n');
  }
  return [
    `${pc.bold(step.repoId)} for ${step.workstreamId}: ${step.result.outcome}`,
    ...step.result.events.map(eventLine),
    ...(step.result.message === null ? [] : [step.result.message]),
    nextLine(step.next),
  ].join('\n');
}
