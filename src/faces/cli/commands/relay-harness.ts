import { type Command, InvalidArgumentError, Option } from 'commander';
import { BACKENDS, type BackendName } from '../../../../packages/conformance/src/relay/backend.ts';
import { toHex } from '../../../kernel/hex.ts';
import { nodeRandom, systemClock } from '../../../platform/index.ts';
import { cliErrors } from '../errors.ts';
import type { Host } from '../host.ts';
import { ask } from '../operation.ts';
import { parentCommand } from './parent.ts';

interface HarnessOptions {
  readonly url?: string;
  readonly backend: BackendName;
  readonly collector?: string;
  readonly collectorToken?: string;
  readonly query?: string;
  readonly project?: string;
  readonly timeout: number;
  readonly json?: boolean;
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
    .option('--timeout <seconds>', 'how long spans may take to appear', seconds, 10)
    .option('--json', 'print JSON')
    .action(async (options: HarnessOptions) => {
      process.exitCode = await harness(host, options);
    });
}

/** Ends with 0 where all holds, with 1 where something does not. */
async function harness(host: Host, options: HarnessOptions): Promise<number> {
  const { harnessText, openBackend, runHarness } = await import(
    '../../../../packages/conformance/src/relay/index.ts'
  );
  const connection = await host.connect({ ...host.settings, url: options.url ?? host.settings.url });
  try {
    if (connection.where === 'embedded')
      throw cliErrors.server_unreachable({ message: 'No relay is running here, and none was named.' });
    const call = (name: string, input: object) => ask(connection, host, name, { ...input });
    const speaker = `harness-${toHex(nodeRandom.bytes(4))}`;
    const key = await call('keys.create', {
      actor_id: speaker,
      actor_type: 'agent',
      scopes: ['relay:send', 'trace:read', 'trace:write'],
    });
    try {
      const isBaton = options.backend === 'baton';
      const token = options.collectorToken ?? (isBaton ? key.token : undefined);
      const backend = openBackend(options.backend, {
        collector: options.collector ?? (isBaton ? connection.where : undefined),
        asked: options.query,
        project: options.project,
        headers: token ? { authorization: `Bearer ${token}` } : {},
        since: systemClock.now(),
      });
      const report = await runHarness({
        relay: connection.where,
        headers: { 'x-baton-key': key.token },
        ...backend,
        clock: systemClock,
        random: nodeRandom,
        speaker,
        register: async (id, url) => {
          await call('relay.peer.register', { id, url, role: 'worker' });
          return () => call('relay.peer.remove', { id });
        },
        timeoutMs: options.timeout * 1000,
      });
      process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : harnessText(report));
      return report.passed ? 0 : 1;
    } finally {
      await call('keys.revoke', { key_id: key.key_id });
    }
  } finally {
    await connection.close();
  }
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('Expected a number of seconds.');
  return value;
}
