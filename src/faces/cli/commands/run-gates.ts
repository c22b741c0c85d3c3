import type { Command } from 'commander';
import { EXIT, type Host } from '../host.ts';
import { policyOf } from './run-server.ts';
import { gateText, resultText } from './run-text.ts';
import { dirVerb, openRun, operator, type RunOptions, show } from './run-verb.ts';

interface DecisionOptions extends RunOptions {
  readonly by?: string;
  readonly note?: string;
}

export function addGateVerbs(run: Command, host: Host): void {
  dirVerb(run, 'gate [name]', 'Say what a gate would say if it were asked now.').action(
    async (name: string | undefined, options: RunOptions) => {
      const { run: commands, repository } = await openRun(options);
      const report = await commands.showGate(repository, name);
      show(options, report, gateText);
      if (report !== null && !report.passesNow) process.exitCode = EXIT.error;
    },
  );
  decisionVerb(run, 'approve', 'Let the run through the gate it waits at.').action(
    async (options: DecisionOptions) => {
      const { run: commands, repository } = await openRun(options);
      const result = await commands.approve(repository, {
        ...saidBy(options),
        resolve: policyOf(host, repository.root),
      });
      show(options, result, resultText);
    },
  );
  decisionVerb(run, 'decline', 'Keep the gate shut; the phase goes on.').action(
    async (options: DecisionOptions) => {
      const { run: commands, repository } = await openRun(options);
      show(options, await commands.declineGate(repository, saidBy(options)), resultText);
    },
  );
  dirVerb(run, 'escalate <reason...>', 'Stop the run for a person, with the reason.')
    .option('--by <name>', 'who decides; you unless given')
    .action(async (reason: string[], options: DecisionOptions) => {
      const { run: commands, repository } = await openRun(options);
      const result = await commands.escalate(repository, reason.join(' '), options.by ?? operator());
      show(options, result, resultText);
    });
  dirVerb(run, 'resume', 'Go on after a stop.')
    .option('--by <name>', 'who decides; you unless given')
    .action(async (options: DecisionOptions) => {
      const { run: commands, repository } = await openRun(options);
      show(options, await commands.resume(repository, options.by ?? operator()), resultText);
    });
}

function decisionVerb(run: Command, name: string, description: string): Command {
  return dirVerb(run, name, description)
    .option('--by <name>', 'who decides; you unless given')
    .option('--note <text>', 'why');
}

function saidBy({ by, note }: DecisionOptions) {
  return { by: by ?? operator(), ...(note !== undefined && { note }) };
}
