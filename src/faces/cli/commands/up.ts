import type { Command } from 'commander';
import type { Settings } from '../../../app/settings.ts';
import { inDataDirectory } from '../data-directory.ts';
import { cliErrors } from '../errors.ts';
import type { Host } from '../host.ts';
import { portNumber } from '../port-number.ts';
import { untilStopped } from '../until-stopped.ts';

interface UpOptions {
  readonly port?: number;
  readonly data?: string;
  readonly host?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tlsClientCa?: string;
  readonly behindProxy?: boolean;
  readonly allowedHost?: string[];
}

export function addUpCommand(program: Command, host: Host): void {
  program
    .command('up')
    .description('Start the server and its dashboard.')
    .option('--port <n>', 'port to listen on; 0 picks a free one', portNumber)
    .option('--data <dir>', 'directory for keys and the embedded store')
    .option('--host <address>', 'address to bind (default: loopback)')
    .option('--tls-cert <file>', 'certificate for HTTPS')
    .option('--tls-key <file>', 'its private key')
    .option('--tls-client-ca <file>', 'certificate authority for client certificates (mutual TLS)')
    .option('--behind-proxy', 'a proxy terminates TLS, so binding beyond loopback is intended')
    .option('--allowed-host <names...>', 'additional host names by which requests may address this server')
    .action(async (options: UpOptions) => {
      if ((options.tlsCert === undefined) !== (options.tlsKey === undefined)) {
        throw cliErrors.bad_arguments({
          message: '`--tls-cert` and `--tls-key` mean nothing without each other.',
        });
      }
      await untilStopped(host.serve(applied(host.settings, options)));
    });
}

function applied(settings: Settings, options: UpOptions): Settings {
  return {
    ...inDataDirectory(settings, options.data),
    ...(options.port !== undefined && { port: options.port }),
    ...(options.host !== undefined && { host: options.host }),
    ...(options.tlsCert !== undefined &&
      options.tlsKey !== undefined && {
        tls: {
          cert: options.tlsCert,
          key: options.tlsKey,
          ...(options.tlsClientCa !== undefined && { clientCa: options.tlsClientCa }),
        },
      }),
    ...(options.behindProxy && { behindProxy: true }),
    allowedHosts: [...settings.allowedHosts, ...(options.allowedHost ?? [])],
  };
}
