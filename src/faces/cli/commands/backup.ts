import type { Command } from 'commander';
import pc from 'picocolors';
import type { Host } from '../host.ts';

export function addBackupCommand(program: Command, host: Host): void {
  program
    .command('backup')
    .description('Copy the embedded store to a file while it is in use.')
    .argument('<file>', 'a file that does not exist yet')
    .action(async (file: string) => {
      const shown = process.stdout.isTTY
        ? (await import('@clack/prompts')).progress({ max: 100 })
        : undefined;
      shown?.start('Copying the store');
      let reached = 0;
      await host.backup(host.settings, file, (done, total) => {
        const percent = total > 0 ? Math.floor((100 * done) / total) : 100;
        if (percent > reached) shown?.advance(percent - reached);
        reached = Math.max(reached, percent);
      });
      shown?.stop('Copied');
      process.stdout.write(
        `${pc.green('done')}: ${file}\n${pc.dim('The keys are stored separately: back up owner.key and journal.key from the data directory too.')}\n`,
      );
    });
}
