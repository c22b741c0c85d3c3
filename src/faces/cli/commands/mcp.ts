import type { Command } from 'commander';
import { settingsAs } from '../connect/connection-record.ts';
import { inDataDirectory } from '../data-directory.ts';
import type { Host } from '../host.ts';

interface McpOptions {
  readonly as?: string;
  readonly data?: string;
}

export function addMcpCommand(program: Command, host: Host): void {
  program
    .command('mcp')
    .description('Serve the MCP tools over standard input and output; agents start this.')
    .option('--as <connection>', 'use the key of a connection created by `baton connect`')
    .option('--data <dir>', 'directory for keys and the embedded store')
    .action(async (options: McpOptions) => {
      const settings = inDataDirectory(host.settings, options.data);
      await host.serveMcp(options.as === undefined ? settings : await settingsAs(settings, options.as));
    });
}
