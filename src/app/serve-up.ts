import pc from 'picocolors';
import type { RunningServer } from '../faces/cli/host.ts';
import { type App, openApp } from './compose.ts';
import { appErrors } from './errors.ts';
import { createLog } from './log.ts';
import { ownerKeyLost } from './owner-token.ts';
import { logWhatIsPrinted } from './printed-lines.ts';
import { runningServer } from './running-server.ts';
import { serveApp } from './serve.ts';
import { findServer } from './server-file.ts';
import type { Settings } from './settings.ts';
import { VERSION } from './version.ts';

/** `baton up`: the server, and the greeting that says where it is. */
export async function serveUp(settings: Settings): Promise<RunningServer> {
  const other = findServer(settings.dataDir);
  if (other) throw appErrors.already_running({ message: `A server is already running at ${other.url}.` });
  const log = createLog(settings.logLevel);
  logWhatIsPrinted(log);
  const app = await openApp(settings, { log });
  if (app.ownerKey.state === 'lost') {
    await app.close();
    throw ownerKeyLost(app.ownerKey.path);
  }
  const server = await serveApp(app, settings).catch(async (error) => {
    await app.close();
    throw error;
  });
  process.stdout.write(await greeting(server.url, app));
  return runningServer(server);
}

async function greeting(url: string, app: App): Promise<string> {
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
