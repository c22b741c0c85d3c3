import type { Command } from 'commander';
import type { Host } from '../host.ts';

export function addMcpCommand(program: Command, host: Host): void {
  program
    .command('mcp')
    .description('Serve the MCP tools over standard input and output, for an agent to start.')
    .action(() => host.serveMcp(host.settings));
}
