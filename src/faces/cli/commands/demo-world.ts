import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import pc from 'picocolors';
import type { Settings } from '../../../app/settings.ts';
import { pageUrl } from '../../../kernel/page-url.ts';
import type { ProjectName } from '../demo-world/world.ts';
import { cliErrors } from '../errors.ts';
import type { Connection, Host, RunningServer } from '../host.ts';
import { ask } from '../operation.ts';
import { portNumber } from '../port-number.ts';
import { parentCommand } from './parent.ts';

interface WorldOptions {
  readonly here?: boolean;
  readonly port?: number;
}

export function addDemoWorldCommand(program: Command, host: Host): void {
  parentCommand(program, 'demo', 'Try Baton without keys or setup.')
    .command('world')
    .description('Look around three projects at work, on a server of its own that is gone when you stop it.')
    .option('--here', 'fill the running server instead; a journal cannot be un-written')
    .option('--port <n>', 'the port of the server of its own; a free one by default', portNumber)
    .action((options: WorldOptions) => (options.here ? fillHere(host) : fillElsewhere(host, options)));
}

const say = (words: string) => process.stdout.write(pc.dim(`  ${words}\n`));

/** A store in a folder of its own, which goes with the server, whatever ends it. */
async function fillElsewhere(host: Host, { port = 0 }: WorldOptions): Promise<void> {
  const stop = stopSignal();
  const dataDir = await mkdtemp(join(tmpdir(), 'baton-world-'));
  const settings = ownSettings(host.settings, dataDir, port);
  let server: RunningServer | undefined;
  let owner: Connection | undefined;
  let close: (() => Promise<void>) | undefined;
  try {
    const { fillWorld } = await import('../demo-world/world.ts');
    process.stdout.write(`${pc.bold('A team at work, in a store of its own')}\n`);
    server = await host.serve(settings, { quiet: true });
    owner = await host.connect(settings);
    const filling = { owner, folder: dataDir, dataDir, prefix: '', signal: stop, say };
    close = await fillWorld({ ...host, settings }, filling);
    process.stdout.write(await greeting(host, owner));
    await aborted(stop);
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    await close?.();
    await owner?.close();
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
  process.stdout.write(pc.dim('stopped; nothing of it is left\n'));
}

/** Into the store that runs, in projects whose ids and names say what they are. */
async function fillHere(host: Host): Promise<void> {
  const { fillWorld } = await import('../demo-world/world.ts');
  const { dataDir } = host.settings;
  const owner = await host.connect(host.settings);
  try {
    if (owner.where === 'embedded') throw cliErrors.server_unreachable();
    process.stdout.write(`${pc.bold(`A team at work, at ${owner.where}`)}\n`);
    const folder = join(dataDir, 'demo-world');
    const close = await fillWorld(host, {
      owner,
      folder,
      dataDir,
      prefix: 'demo-',
      signal: stopSignal(),
      say,
    });
    await close();
    process.stdout.write('\nThe projects are demo-webshop, demo-support and demo-platform.\n');
  } finally {
    await owner.close();
  }
}

/** Nothing of the settings of the machine's own server but how it works. */
function ownSettings(settings: Settings, dataDir: string, port: number): Settings {
  return {
    ...settings,
    dataDir,
    databaseUrl: `sqlite:${join(dataDir, 'baton.db')}`,
    host: '127.0.0.1',
    port,
    tls: undefined,
    behindProxy: false,
    url: undefined,
    token: undefined,
    checkpointFolder: undefined,
    witnesses: [],
    payloadKeys: undefined,
    logLevel: 'error',
  };
}

/** Where whoever looks around has most to see at once. */
const BUSIEST: ProjectName = 'support';

async function greeting(host: Host, owner: Connection): Promise<string> {
  const { path } = await ask(owner, host, 'identity.dashboard_link', {});
  return [
    '',
    `  dashboard  ${pc.bold(pageUrl(`${owner.where}${path.replace('#', `?project=${BUSIEST}#`)}`))}`,
    `             ${pc.dim('opens once, within five minutes')}`,
    '',
    pc.dim('Press Ctrl+C to stop. Its store is removed then.'),
    '',
  ].join('\n');
}

function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
