import type { Command } from 'commander';
import pc from 'picocolors';
import type { Host } from '../host.ts';

export function addRenewOwnerCommand(program: Command, host: Host): void {
  const keys = program.commands.find((command) => command.name() === 'keys') ?? program.command('keys');
  keys
    .command('renew-owner')
    .description('Revoke the owner key and every login created with it, and write a new key.')
    .action(async () => {
      const path = await host.renewOwner(host.settings);
      process.stdout.write(`${pc.green('done')}: ${path}\n`);
    });
}
