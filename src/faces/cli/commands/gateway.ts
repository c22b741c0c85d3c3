import type { Command } from 'commander';
import type { Host } from '../host.ts';
import { readInput } from '../input.ts';

export function addGatewayCommand(program: Command, host: Host): void {
  program
    .command('gateway')
    .description('Run an MCP gateway that exposes only the tools policy allows and traces every call.')
    .requiredOption('--config <file>', 'the servers, the policies and who the agent is')
    .action(async ({ config }: { config: string }) => {
      await readInput(config);
      await host.serveGateway(host.settings, config);
    });
}
