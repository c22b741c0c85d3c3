import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Host } from '../host.ts';
import { untilStopped } from '../until-stopped.ts';
import { parentCommand } from './parent.ts';

interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  readonly grpcPort?: string;
  readonly peer: Readonly<Record<string, string>>;
  readonly export?: string;
  readonly star?: boolean;
  readonly content?: string;
  readonly trace?: string;
}

export function addRelayServeCommand(program: Command, host: Host): void {
  parentCommand(program, 'relay', 'What agents say to each other.')
    .command('serve')
    .description(
      'Run only the relay: it forwards messages between agents unchanged and records them as spans.',
    )
    .option('--port <n>', 'port to listen on (default: 8080); 0 picks a free one')
    .option('--host <address>', 'address to bind (default: loopback)')
    .option('--grpc-port <n>', 'also listen to gRPC, on this port (default: not at all)')
    .option('--peer <name=url>', 'an agent and its address; can be repeated', addPeer, {})
    .option(
      '--export <url>',
      'also send the spans to an OTLP collector; `phoenix` means the one on this machine',
    )
    .option('--star', 'let agents talk only to and from the orchestrator')
    .addOption(
      new Option('--content <mode>', 'how much of the message text is kept').choices([
        'full',
        'redacted',
        'none',
      ]),
    )
    .addOption(
      new Option('--trace <policy>', 'how the relay treats a caller’s trace').choices([
        'continue',
        'burst',
        'restart',
        'drop',
      ]),
    )
    .action(async (options: ServeOptions) => {
      await untilStopped(host.serveRelay(host.settings, { named: namedIn(options), peers: options.peer }));
    });
}

/** A flag is the same setting as its variable, and goes before it. */
function namedIn(options: ServeOptions): Record<string, string> {
  return {
    ...(options.port !== undefined && { OTEL_A2A_RELAY_PORT: options.port }),
    ...(options.host !== undefined && { OTEL_A2A_RELAY_HOST: options.host }),
    ...(options.grpcPort !== undefined && { BATON_RELAY_GRPC_PORT: options.grpcPort }),
    ...(options.export !== undefined && {
      OTEL_EXPORTER_OTLP_ENDPOINT: options.export,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '',
    }),
    ...(options.star && { OTEL_A2A_RELAY_STAR_ENFORCE: 'on' }),
    ...(options.content !== undefined && { BATON_RELAY_CONTENT: options.content }),
    ...(options.trace !== undefined && { BATON_RELAY_TRACE_POLICY: options.trace }),
  };
}

function addPeer(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const [, name, url = ''] = /^([A-Za-z0-9][\w.-]{0,63})=(.+)$/.exec(text) ?? [];
  if (name === undefined || !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new InvalidArgumentError('Expected a name and an address: writer=http://127.0.0.1:4000');
  return { ...before, [name]: url };
}
