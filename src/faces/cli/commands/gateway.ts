import type { Command } from 'commander';
import type { Host } from '../host.ts';
import { readInput } from '../input.ts';

export function addGatewayCommand(program: Command, host: Host): void {
  program
    .command('gateway')
    .description(
      'Stand before MCP servers: show an agent only the tools that policy allows, and trace what it does.',
    )
    .requiredOption('--config <file>', 'the servers, the policies and who the agent is')
    .action(async ({ config }: { config: string }) => {
      await readInput(config);
      await host.serveGateway(host.settings, config);
    });
}
