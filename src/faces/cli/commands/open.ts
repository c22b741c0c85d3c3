import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import pc from 'picocolors';
import { pageUrl } from '../../../kernel/page-url.ts';
import { refuseInAgentSession } from '../agent-session.ts';
import { cliErrors } from '../errors.ts';
import type { Host } from '../host.ts';
import { ask, withConnection } from '../operation.ts';

export function addOpenCommand(program: Command, host: Host): void {
  program
    .command('open')
    .description('Open the dashboard, signed in with a one-time link.')
    .option('--print', 'only print the link')
    .action(async (options: { print?: boolean }) => {
      // The link signs whoever opens it in as the person.
      refuseInAgentSession(host, 'Run `baton open` in a terminal of your own.');
      await withConnection(host, async (connection) => {
        if (connection.where === 'embedded') throw cliErrors.server_unreachable();
        const { path } = (await ask(connection, host, 'identity.dashboard_link', {})) as { path: string };
        const link = pageUrl(`${connection.where}${path}`);
        process.stdout.write(`${pc.bold(link)}\n${pc.dim('It works once, within five minutes.')}\n`);
        if (!options.print) openInBrowser(link);
      });
    });
}

function openInBrowser(link: string): void {
  const [command, args] =
    process.platform === 'darwin'
      ? ['open', [link]]
      : process.platform === 'win32'
        ? ['cmd', ['/c', 'start', '', link]]
        : ['xdg-open', [link]];
  spawn(command as string, args as string[], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
