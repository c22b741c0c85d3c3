import { type Command, InvalidArgumentError } from 'commander';
import pc from 'picocolors';
import { inline } from '../../../kernel/quoted.ts';
import { agentOutput } from '../agent-output.ts';
import { EXIT, type Host } from '../host.ts';
import { relayOf } from './run-server.ts';
import { eventLine, loopText, resultText, stepText } from './run-text.ts';
import { dirVerb, interrupted, openRun, type RunOptions, show } from './run-verb.ts';

interface TurnOptions extends RunOptions {
  readonly turn?: string;
}

export interface GoOptions extends RunOptions {
  readonly role?: string;
  readonly wait?: number;
  readonly redispatch?: boolean;
  readonly all?: boolean;
  readonly maxTurns?: number;
  readonly quiet?: boolean;
}

export function addTurnVerbs(run: Command, host: Host): void {
  addStart(run, host);
  addStep(run, host);
  addAccept(run, host);
  addReject(run, host);
  addAfterwards(run, host);
}

function addStart(run: Command, host: Host): void {
  goOptions(dirVerb(run, 'start', 'Start a run.'))
    .option('--restart', 'start again after a run that ended')
    .action(async (options: GoOptions & { restart?: boolean }) => {
      const { run: commands, repository } = await openRun(host, options);
      const started = await commands.startRun(repository, options.restart ? { restart: true } : {});
      if (!options.all) return show(options, started, resultText);
      if (!options.json) process.stdout.write(`${started.events.map(eventLine).join('\n')}\n`);
      await goOn(options, host);
    });
}

function addStep(run: Command, host: Host): void {
  goOptions(dirVerb(run, 'step', 'Take one turn as far as possible: assign, dispatch, execute, accept.'))
    .option('--role <role>', 'the role (default: the one whose turn it is)')
    .option('--wait <seconds>', 'how long to wait for a person’s result', seconds)
    .option('--redispatch', 'write the bundle again')
    .action(async (options: GoOptions) => {
      if (options.all) return goOn(options, host);
      const { run: commands, repository } = await openRun(host, options);
      const result = await commands.step(repository, await stepOptions(options, host));
      show(options, result, stepText);
      if (result.outcome !== 'accepted' && result.outcome !== 'waiting') process.exitCode = EXIT.error;
    });
}

function goOptions(command: Command): Command {
  return command
    .option('--all', 'continue until a person is needed or the run is complete')
    .option('--max-turns <count>', 'with --all: the maximum number of turns', count)
    .option('--quiet', 'do not show what agents print');
}

async function goOn(options: GoOptions, host: Host): Promise<void> {
  const { run: commands, repository } = await openRun(host, options);
  const result = await commands.runLoop(repository, {
    ...(await stepOptions(options, host)),
    ...(options.maxTurns !== undefined && { maxTurns: options.maxTurns }),
    onStep: (step) => {
      if (options.json) return;
      const sentBack =
        step.outcome === 'rejected' ? [pc.yellow(`Sent back: ${inline(step.message ?? '')}`)] : [];
      process.stdout.write(`${[...step.events.map(eventLine), ...sentBack].join('\n')}\n`);
    },
  });
  show(options, result, loopText);
  const fine = ['completed', 'gate_held', 'waiting_for_result', 'max_turns_reached'];
  if (!fine.includes(result.stopped)) process.exitCode = EXIT.error;
}

export async function stepOptions(options: GoOptions, host: Host) {
  const { runtimeAdapters } = await import('../../../slices/delivery/commands.ts');
  return {
    adapters: runtimeAdapters({ askPeer: relayOf(host) }),
    signal: interrupted(),
    ...(options.role !== undefined && { role: options.role }),
    ...(options.wait !== undefined && { waitMs: options.wait * 1000 }),
    ...(options.redispatch && { redispatch: true }),
    // Standard output belongs to the result.
    ...(!options.quiet && { onOutput: agentOutput((text) => process.stderr.write(text)) }),
  };
}

const turnOption = ['--turn <id>', 'which turn, where there are several'] as const;

function addAccept(run: Command, host: Host): void {
  dirVerb(run, 'accept', 'Check the staged result of a turn and accept it into the history.')
    .option(...turnOption)
    .option('--merged', 'you have merged the conflicting files by hand')
    .action(async (options: TurnOptions & { merged?: boolean }) => {
      const { run: commands, repository } = await openRun(host, options);
      const accepted = await commands.accept(repository, {
        ...(options.turn !== undefined && { turnId: options.turn }),
        ...(options.merged && { merged: true }),
      });
      show(options, accepted, resultText);
      if (accepted.outcome === 'conflicted') process.exitCode = EXIT.error;
    });
}

function addReject(run: Command, host: Host): void {
  dirVerb(run, 'reject', 'Send a turn back, with the reason.')
    .option(...turnOption)
    .option('--reason <text>', 'what is wrong (default: what acceptance objected to)')
    .option('--reassign', 'after a conflict: redo the turn on top of the changes in between')
    .action(async (options: TurnOptions & { reason?: string; reassign?: boolean }) => {
      const { run: commands, repository } = await openRun(host, options);
      const { turn, reason, reassign } = options;
      const result = await commands.reject(repository, {
        ...(turn !== undefined && { turnId: turn }),
        ...(reason !== undefined && { reason }),
        ...(reassign && { reassign: true }),
      });
      show(options, result, resultText);
    });
}

function addAfterwards(run: Command, host: Host): void {
  dirVerb(run, 'checkpoint', 'Commit what an accepted turn changed, and nothing else.')
    .option(...turnOption)
    .action(async (options: TurnOptions) => {
      const { run: commands, repository } = await openRun(host, options);
      const made = await commands.checkpointTurn(repository, options.turn);
      show(options, made, ({ turnId, commit }) => `Turn ${turnId} is commit ${commit}.`);
    });
  dirVerb(run, 'apply <turn>', 'Apply what a role without write access proposed.').action(
    async (turn: string, options: RunOptions) => {
      const { run: commands, repository } = await openRun(host, options);
      const applied = await commands.applyProposal(repository, turn);
      show(options, applied, ({ written, deleted }) =>
        [...written.map((path) => `wrote ${path}`), ...deleted.map((path) => `deleted ${path}`)].join('\n'),
      );
    },
  );
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value >= 0)) throw new InvalidArgumentError('Expected a number of seconds.');
  return value;
}

export function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('Expected a whole number of at least 1.');
  return value;
}
