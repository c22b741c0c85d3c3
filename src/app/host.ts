import pc from 'picocolors';
import { operations } from '../../packages/client/src/operations.ts';
import type { Host, RunningServer } from '../faces/cli/host.ts';
import type { Operation } from '../spine/operations/define.ts';
import { appErrors } from './errors.ts';
import { findServer } from './server-file.ts';
import type { Settings } from './settings.ts';
import { VERSION } from './version.ts';

/** What the command line drives. Rooms are loaded only by the verbs that need them: start-up is a feature. */
export function createHost(settings: Settings): Host {
  return {
    settings,
    version: VERSION,
    operations: Object.values(operations) as Operation[],
    connect: async (given) => (await import('./connection.ts')).connect(given),
    serve,
    backup: async (given, file, progress) => {
      const { openDatabase } = await import('../spine/storage/open.ts');
      const db = await openDatabase(given.databaseUrl);
      await db.backup(file, progress).finally(() => db.close());
    },
    renewOwner: async (given) => {
      const { openApp } = await import('./compose.ts');
      const app = await openApp(given);
      const { path } = await app.identity.ownerKey.renew(given.dataDir).finally(() => app.close());
      return path;
    },
    serveRelay: async (given, relay) => (await import('./serve-relay.ts')).serveRelay(given, relay),
    serveMcp: async (given) => (await import('./serve-mcp.ts')).serveMcp(given),
    serveGateway: async (given, config) => (await import('./serve-gateway.ts')).serveGateway(given, config),
  };
}

async function serve(settings: Settings): Promise<RunningServer> {
  const other = findServer(settings.dataDir);
  if (other) throw appErrors.already_running({ message: `A server is already running at ${other.url}.` });
  const [{ openApp }, { serveApp }, { createLog }, { runningServer }] = await Promise.all([
    import('./compose.ts'),
    import('./serve.ts'),
    import('./log.ts'),
    import('./running-server.ts'),
  ]);
  const app = await openApp(settings, { log: createLog(settings.logLevel) });
  const server = await serveApp(app, settings).catch(async (error) => {
    await app.close();
    throw error;
  });
  process.stdout.write(await greeting(server.url, app));
  return runningServer(server);
}

async function greeting(
  url: string,
  app: Awaited<ReturnType<typeof import('./compose.ts').openApp>>,
): Promise<string> {
  const link = await app.dashboardLink();
  return [
    `${pc.bold('Baton')} ${VERSION} is up at ${pc.cyan(url)}`,
    '',
    `  dashboard  ${pc.bold(`${url}${link}`)}`,
    `             ${pc.dim('opens once, within five minutes; `npx baton-ledger open` makes another link')}`,
    `  data       ${app.settings.dataDir}`,
    `  store      ${app.db.engine}`,
    '',
    pc.dim('Press Ctrl+C to stop.'),
    '',
  ].join('\n');
}
