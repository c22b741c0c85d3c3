import { existsSync, realpathSync } from 'node:fs';
import type { Command } from 'commander';
import pc from 'picocolors';
import { named } from '../../../kernel/quoted.ts';
import { visibleJson } from '../../../kernel/visible-text.ts';
import { requirePerson } from '../agent-session.ts';
import { listBoundRepositories, type Unbound, unbindRepository } from '../connect/bound-repositories.ts';
import { type Ended, endConnection, foundConnections } from '../connect/end-connection.ts';
import { connectErrors } from '../connect/errors.ts';
import { withConnectionsLock } from '../connect/lock.ts';
import { diffText, shownPath } from '../connect/summary.ts';
import type { Host } from '../host.ts';
import { repositoryHere } from './connect.ts';

interface DisconnectOptions {
  readonly project?: string;
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addDisconnectCommand(program: Command, host: Host): void {
  program
    .command('disconnect')
    .description('Disconnect a client, or all of them, from this folder: give its files back as they were.')
    .argument('[client]', 'the name given to `baton connect`; all clients of this folder without one')
    .option('--all', 'everywhere, not only in this folder')
    .option('--project <id>', 'only the connection to this project')
    .option('--dry-run', 'show what would change without changing anything')
    .option('--json', 'print JSON')
    .action((name: string | undefined, options: DisconnectOptions) => disconnect(host, name, options));
}

async function disconnect(
  given: Host,
  client: string | undefined,
  options: DisconnectOptions,
): Promise<void> {
  const host = await requirePerson(given);
  const { dataDir } = host.settings;
  const folder = repositoryHere(host)?.root ?? realpathSync(process.cwd());
  await withConnectionsLock(dataDir, async () => {
    const { project, all = false } = options;
    const found = await foundConnections(dataDir, { client, project, folder, all });
    const unbound = client === undefined ? await unbindHere(dataDir, folder, options) : [];
    if (found.here.length === 0 && unbound.length === 0) {
      const elsewhere = [...new Set(found.elsewhere)].map((each) => shownPath(each));
      throw connectErrors.connection_unknown({
        message: `${client === undefined ? 'No client is' : `${client} is not`} connected in ${folder}${elsewhere.length > 0 ? `; it is in ${elsewhere.join(', ')}` : '.'}`,
        ...(elsewhere.length > 0 && { next: 'Run this there, or everywhere with `--all`.' }),
      });
    }
    const ended: Ended[] = [];
    for (const record of found.here) {
      const one = await endConnection(host, record, all ? undefined : folder, options.dryRun === true);
      ended.push(one);
      if (options.dryRun) process.stdout.write(diffText(one.edits));
    }
    for (const { edits } of unbound) if (options.dryRun) process.stdout.write(diffText(edits));
    if (options.dryRun) return;
    const text = options.json
      ? visibleJson(JSON.stringify(jsonOf(ended, unbound)))
      : [...ended.map(endedText), ...unbound.map(unboundText)].join('\n');
    process.stdout.write(`${text}\n`);
  });
}

/** Repositories that were set up without a client. */
async function unbindHere(
  dataDir: string,
  folder: string,
  { project, all = false, dryRun = false }: DisconnectOptions,
): Promise<Unbound[]> {
  const bound = (await listBoundRepositories(dataDir)).filter(
    (each) => (all || each.root === folder) && (project === undefined || each.project === project),
  );
  const unbound: Unbound[] = [];
  for (const each of bound) unbound.push(await unbindRepository(dataDir, each, dryRun));
  return unbound;
}

/** One object for one connection, as scripts know it; a list where several went. */
function jsonOf(ended: readonly Ended[], unbound: readonly Unbound[]) {
  const views = [
    ...ended.map(({ connection, changed, revoked }) => ({ connection, files: changed, revoked })),
    ...unbound.map(({ project, changed }) => ({ project, files: changed })),
  ];
  return views.length === 1 ? views[0] : views;
}

function endedText({ connection, changed, revoked, left }: Ended): string {
  const key =
    revoked.length > 0
      ? `${revoked.length} key revoked`
      : left.length > 0
        ? `its key stays for ${left.map(shownPath).join(', ')}`
        : 'it had no key of this machine';
  return restoredText(`${connection} is disconnected: ${key}.`, changed);
}

function unboundText({ project, changed }: Unbound): string {
  return restoredText(
    `This repository no longer belongs to project ${named(project)}, which stays.`,
    changed,
  );
}

function restoredText(what: string, changed: readonly string[]): string {
  return [
    `${pc.green('✔')} ${what}${changed.length > 0 ? ' As they were before:' : ''}`,
    ...changed.map((path) => `  ${shownPath(path)}${existsSync(path) ? '' : '  (removed)'}`),
  ].join('\n');
}
