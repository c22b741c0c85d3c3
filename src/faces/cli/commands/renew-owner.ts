import type { Command } from 'commander';
import pc from 'picocolors';
import { refuseInAgentSession } from '../agent-session.ts';
import type { Host } from '../host.ts';

export function addRenewOwnerCommand(program: Command, host: Host): void {
  const keys = program.commands.find((command) => command.name() === 'keys') ?? program.command('keys');
  keys
    .command('renew-owner')
    .description('Revoke the owner key and every login created with it, and write a new key.')
    .action(async () => {
      refuseInAgentSession(host, 'Run `baton keys renew-owner` in a terminal of your own.');
      const path = await host.renewOwner(host.settings);
      process.stdout.write(`${pc.green('done')}: ${path}\n`);
    });
}
