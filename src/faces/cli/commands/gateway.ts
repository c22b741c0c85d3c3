import { type Command, InvalidArgumentError } from 'commander';
import type { Host } from '../host.ts';
import { readInput } from '../input.ts';

interface GatewayCommandOptions {
  readonly config: string;
  readonly load?: boolean;
  readonly port?: number;
}

export function addGatewayCommand(program: Command, host: Host): void {
  program
    .command('gateway')
    .description('Run an MCP gateway that exposes only the tools policy allows and traces every call.')
    .requiredOption('--config <file>', 'the servers, the policies and who the agent is')
    .option('--load', 'accept the tools as the servers list them now, load them with the policies, and exit')
    .option('--port <n>', 'serve many clients over HTTP on this port of loopback; 0 picks a free one', portOf)
    .action(async (options: GatewayCommandOptions) => {
      await readInput(options.config);
      await host.serveGateway(host.settings, options);
    });
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('Must be a port from 0 to 65535.');
}
