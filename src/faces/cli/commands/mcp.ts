import type { Command } from 'commander';
import { bindingOf } from '../connect/binding.ts';
import { requireConnection, settingsAs } from '../connect/connection-settings.ts';
import { inDataDirectory } from '../data-directory.ts';
import type { Host } from '../host.ts';

interface McpOptions {
  readonly as?: string;
  readonly client?: string;
  readonly data?: string;
}

export function addMcpCommand(program: Command, host: Host): void {
  program
    .command('mcp')
    .description('Serve the MCP tools over standard input and output; agents start this.')
    .option('--as <connection>', 'use the key of a connection created by `baton connect`')
    .option('--client <name>', 'use the key of this client’s connection in the repository around this folder')
    .option('--data <dir>', 'directory for keys and the embedded store')
    .action(async (options: McpOptions) => {
      const settings = inDataDirectory(host.settings, options.data);
      if (options.as !== undefined) {
        return host.serveMcp(settingsAs(settings, await requireConnection(settings.dataDir, options.as)));
      }
      if (options.client === undefined) return host.serveMcp(settings);
      const binding = bindingOf(settings.dataDir, options.client, process.cwd());
      if (binding.state === 'bound') return host.serveMcp(settingsAs(settings, binding.record));
      // One entry of a user's file serves all folders: where it has nothing to offer, it must not look broken.
      return host.serveNoTools(
        binding.state === 'none'
          ? 'This folder belongs to no project of Baton. A person connects it with `baton init`.'
          : `This folder names the project ${binding.project}, but nobody has bound it on this machine. A person does so with \`baton init\`.`,
      );
    });
}
