import { type Command, InvalidArgumentError, Option } from 'commander';
import { BACKENDS } from '../../../../packages/conformance/src/relay/backend.ts';
import type { RelayOptions } from '../../../../packages/conformance/src/suites.ts';
import { cliErrors } from '../errors.ts';
import type { Host } from '../host.ts';
import { ask } from '../operation.ts';
import { parentCommand } from './parent.ts';

interface HarnessOptions extends RelayOptions {
  readonly url?: string;
}

export function addRelayHarnessCommand(program: Command, host: Host): void {
  parentCommand(program, 'relay', 'What agents say to each other.')
    .command('harness')
    .description('Play an example through a running relay, then query its collector to check what was kept.')
    .option('--url <url>', 'the relay (default: the running server)')
    .addOption(
      new Option('--backend <name>', 'where its spans are exported').choices(BACKENDS).default('baton'),
    )
    .option(
      '--collector <url>',
      'where that takes OTLP/HTTP; the relay itself, or its usual port on this machine',
    )
    .option(
      '--collector-token <token>',
      'a key for the collector; for Baton, one with trace:read and trace:write',
    )
    .option('--query <url>', 'where to query it, if that is another address')
    .option('--project <name>', "Phoenix's project", 'default')
    .option('--timeout <seconds>', 'how long spans may take to appear', seconds, 60)
    .option('--json', 'print JSON')
    .action(async (options: HarnessOptions) => {
      process.exitCode = await harness(host, options);
    });
}

/** Ends with 0 where all holds, with 1 where something does not. */
async function harness(host: Host, options: HarnessOptions): Promise<number> {
  const { judgeRelay } = await import('../../../../packages/conformance/src/suites.ts');
  const connection = await host.connect({ ...host.settings, url: options.url ?? host.settings.url });
  try {
    if (connection.where === 'embedded')
      throw cliErrors.server_unreachable({ message: 'No relay is running here, and none was named.' });
    const call = (name: string, input: object) => ask(connection, host, name, { ...input });
    const { passed, text } = await judgeRelay(connection.where, call, options);
    process.stdout.write(text);
    return passed ? 0 : 1;
  } finally {
    await connection.close();
  }
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('Expected a number of seconds.');
  return value;
}
