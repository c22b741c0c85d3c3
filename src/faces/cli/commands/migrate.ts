import type { Command } from 'commander';
import pc from 'picocolors';
import { requirePerson } from '../agent-session.ts';
import { inDataDirectory } from '../data-directory.ts';
import type { Host } from '../host.ts';
import { print } from '../output.ts';
import { type Progress, progress } from '../progress.ts';

interface MigrateOptions {
  readonly to: string;
  readonly data?: string;
  readonly json?: boolean;
}

const TITLES = {
  copying: 'Copying rows',
  comparing: 'Comparing rows',
  verifying: 'Verifying the journal',
} as const;

export function addMigrateCommand(program: Command, host: Host): void {
  program
    .command('migrate')
    .description('Move the whole store to another database, with its journal, keys and proofs; resumable.')
    .requiredOption('--to <url>', 'an empty database: postgres://USER:PASSWORD@HOST/NAME or sqlite:PATH')
    .option('--data <dir>', 'directory for keys and the embedded store')
    .option('--json', 'print JSON')
    .action(async ({ to, data, json }: MigrateOptions) => {
      await requirePerson(host);
      const bars = new Map<string, Progress>();
      let last: Progress | undefined;
      const opened = await Promise.all(
        Object.entries(TITLES).map(async ([phase, title]) => [phase, await progress(title)] as const),
      );
      for (const [phase, bar] of opened) bars.set(phase, bar);
      const moved = await host.migrateStore(
        inDataDirectory(host.settings, data),
        to,
        (phase, done, total) => {
          const bar = bars.get(phase);
          if (bar !== last) last?.done();
          last = bar;
          bar?.step(done, total, `${done} of ${total}`);
        },
      );
      last?.done();
      const rows = moved.tables.reduce((sum, table) => sum + table.rows, 0);
      print({ ...moved, rows }, json, () =>
        [
          `${pc.green('moved')}: ${rows} rows in ${moved.tables.length} tables, each compared with the original`,
          ...(moved.journal
            ? [`journal: ${moved.journal.events} events, root ${moved.journal.root}, verified`]
            : []),
          `From now on start Baton with BATON_DATABASE_URL set to the new address, and with the same data directory:`,
          'it holds the keys. The old store cannot be opened any more; keep it as a backup, or remove it.',
        ].join('\n'),
      );
    });
}
