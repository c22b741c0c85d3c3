import type { Command } from 'commander';
import pc from 'picocolors';
import { refuseInAgentSession } from '../agent-session.ts';
import type { Host } from '../host.ts';

interface RekeyOptions {
  readonly known?: readonly string[];
  readonly payloads?: boolean;
}

export function addJournalRekeyCommand(program: Command, host: Host): void {
  const journal =
    program.commands.find((command) => command.name() === 'journal') ?? program.command('journal');
  journal
    .command('rekey')
    .description(
      'Go on without a lost key: sign with a new `journal.key`, or leave encrypted payloads unread.',
    )
    .option('--known <key...>', 'public keys that signed before, if `journal.pub` is lost too')
    .option('--payloads', 'the payload key is lost: what it encrypted stays unreadable')
    .action(async ({ known = [], payloads = false }: RekeyOptions) => {
      refuseInAgentSession(host, 'Run `baton journal rekey` in a terminal of your own.');
      const lost = payloads ? { payloads } : { signing: { known } };
      const key = await host.rekeyJournal(host.settings, lost);
      process.stdout.write(`${pc.green('done')}, and on record; checkpoints are signed by ${key}\n`);
    });
}
