import type { Command } from 'commander';
import { requirePerson } from '../agent-session.ts';
import { EXIT, type Host } from '../host.ts';
import { policyOf } from './run-server.ts';
import { gateText, resultText } from './run-text.ts';
import { dirVerb, openRun, operator, type RunOptions, show } from './run-verb.ts';

interface DecisionOptions extends RunOptions {
  readonly by?: string;
  readonly note?: string;
}

export function addGateVerbs(run: Command, host: Host): void {
  dirVerb(run, 'gate [name]', 'Show whether a gate would open now, and why.').action(
    async (name: string | undefined, options: RunOptions) => {
      const { run: commands, repository } = await openRun(host, options);
      const report = await commands.showGate(repository, name);
      show(options, report, gateText);
      if (report !== null && !report.passesNow) process.exitCode = EXIT.error;
    },
  );
  decisionVerb(run, 'approve', 'Approve the gate that the run is waiting at.').action(
    async (options: DecisionOptions) => {
      await requirePerson(host);
      const { run: commands, repository } = await openRun(host, options);
      const result = await commands.approve(repository, {
        ...saidBy(options),
        resolve: policyOf(host, repository.root),
      });
      show(options, result, resultText);
    },
  );
  decisionVerb(run, 'decline', 'Decline the gate; the phase continues.').action(
    async (options: DecisionOptions) => {
      await requirePerson(host);
      const { run: commands, repository } = await openRun(host, options);
      show(options, await commands.declineGate(repository, saidBy(options)), resultText);
    },
  );
  dirVerb(run, 'escalate <reason...>', 'Stop the run until a person steps in, giving the reason.')
    .option('--by <name>', 'who decides (default: you)')
    .action(async (reason: string[], options: DecisionOptions) => {
      const { run: commands, repository } = await openRun(host, options);
      const result = await commands.escalate(repository, reason.join(' '), options.by ?? operator());
      show(options, result, resultText);
    });
  dirVerb(run, 'resume', 'Resume after a stop.')
    .option('--by <name>', 'who decides (default: you)')
    .action(async (options: DecisionOptions) => {
      await requirePerson(host);
      const { run: commands, repository } = await openRun(host, options);
      show(options, await commands.resume(repository, options.by ?? operator()), resultText);
    });
}

function decisionVerb(run: Command, name: string, description: string): Command {
  return dirVerb(run, name, description)
    .option('--by <name>', 'who decides (default: you)')
    .option('--note <text>', 'why');
}

function saidBy({ by, note }: DecisionOptions) {
  return { by: by ?? operator(), ...(note !== undefined && { note }) };
}
