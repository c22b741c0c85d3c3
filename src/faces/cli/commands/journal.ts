import type { Command } from 'commander';
import { BatonError } from '../../../kernel/error.ts';
import type { Host } from '../host.ts';
import { verificationText } from '../journal-text.ts';
import { ask, withConnection } from '../operation.ts';
import { printError } from '../output.ts';
import { parentCommand } from './parent.ts';

/** What scripts and timers rely on: a verification that could not run has found nothing, good or bad. */
const VERIFIED = { holds: 0, faulty: 1, notRun: 2 } as const;

interface VerifyOptions {
  readonly events?: boolean;
  readonly json?: boolean;
}

export function addJournalCommands(program: Command, host: Host): void {
  const journal = parentCommand(program, 'journal', 'The provable record of every change.');
  journal
    .command('verify')
    .description(
      'Check the whole store. Exits with 0 if it holds, 1 if it does not, 2 if it could not be checked.',
    )
    .option('--events', 'check only the events, not the tables that they speak of')
    .option('--json', 'print JSON, with every fault')
    .action(async (options: VerifyOptions) => {
      process.exitCode = await orNotRun(options, () => verify(host, options));
    });
}

async function verify(host: Host, options: VerifyOptions): Promise<number> {
  const report = await withConnection(host, (connection) =>
    ask(connection, host, 'journal.verify', options.events ? { events: true } : {}),
  );
  process.stdout.write(`${options.json ? JSON.stringify(report) : verificationText(report)}\n`);
  return report.valid ? VERIFIED.holds : VERIFIED.faulty;
}

/** Whatever goes wrong, it must not look like a store that does not hold. */
async function orNotRun({ json }: VerifyOptions, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BatonError) printError(error, json === true);
    else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return VERIFIED.notRun;
  }
}
