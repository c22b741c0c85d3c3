import pc from 'picocolors';
import type { RunningServer } from '../faces/cli/host.ts';
import { pageUrl } from '../kernel/page-url.ts';
import { type App, openApp } from './compose.ts';
import { appErrors } from './errors.ts';
import { limitErrors } from './limited-log.ts';
import { createProcessLog } from './log.ts';
import { requireOpenFiles } from './open-files.ts';
import { ownerKeyLost } from './owner-token.ts';
import { runningServer } from './running-server.ts';
import { serveApp } from './serve.ts';
import { findListeningServer } from './server-file.ts';
import type { Settings } from './settings.ts';
import { VERSION } from './version.ts';

/** `baton up`: the server, and the greeting that says where it is. */
export async function serveUp(
  settings: Settings,
  { quiet = false }: { readonly quiet?: boolean } = {},
): Promise<RunningServer> {
  requireOpenFiles();
  const other = await findListeningServer(settings.dataDir);
  if (other) throw appErrors.already_running({ message: `A server is already running at ${other.url}.` });
  const log = limitErrors(createProcessLog(settings.logLevel));
  for (const { name, problem } of settings.unknown) log.warn({ setting: name }, `${name} ${problem}`);
  const app = await openApp(settings, { log });
  if (app.ownerKey.state === 'lost') {
    await app.close();
    throw ownerKeyLost(app.ownerKey.path);
  }
  const server = await serveApp(app, settings).catch(async (error) => {
    await app.close();
    throw error;
  });
  try {
    const forPerson = settings.agentSession === undefined;
    if (!quiet) process.stdout.write(await greeting(server.url, app, forPerson));
  } catch (error) {
    await server.close();
    throw error;
  }
  return runningServer(server);
}

/**
 * The sign-in link is for the person who looks at this terminal. Where output goes to a file or another program, the link
 * would lie in a log for whoever reads it first; where an agent started the server, the terminal is the agent's.
 */
async function greeting(url: string, app: App, forPerson: boolean): Promise<string> {
  const page = pageUrl(url);
  const shown =
    process.stdout.isTTY && forPerson
      ? [
          `  dashboard  ${pc.bold(`${page}${await app.dashboardLink()}`)}`,
          `             ${pc.dim('opens once, within five minutes; `npx baton-ledger open` makes another link')}`,
        ]
      : [`  dashboard  ${page} ${pc.dim('(`npx baton-ledger open` signs you in)')}`];
  return [
    `${pc.bold('Baton')} ${VERSION} is up at ${pc.cyan(url)}`,
    '',
    ...shown,
    ...((await app.ownerCanProvePresence())
      ? []
      : [
          `  presence   ${pc.yellow('not set up')}${pc.dim(': high-risk decisions need it; set a passphrase with `npx baton-ledger passphrase`')}`,
          `             ${pc.dim('until then, whoever can read owner.key can also make keys in the name of people')}`,
        ]),
    `  data       ${app.settings.dataDir}`,
    `  store      ${app.db.engine}`,
    '',
    pc.dim('Press Ctrl+C to stop.'),
    '',
  ].join('\n');
}
