import type { Command } from 'commander';
import pc from 'picocolors';
import { visibleJson } from '../../../kernel/visible-text.ts';
import { isInteractive, requirePerson } from '../agent-session.ts';
import { editors } from '../connect/editors.ts';
import { connectErrors } from '../connect/errors.ts';
import { withConnectionsLock } from '../connect/lock.ts';
import { onThisMachine } from '../connect/open-connection.ts';
import { placesHere } from '../connect/places.ts';
import type { Host } from '../host.ts';
import { findClients } from '../init/find-clients.ts';
import { type Initialised, initRepository } from '../init/init-repository.ts';
import { initText } from '../init/init-text.ts';
import { offerImport } from '../init/offer-import.ts';
import { askNewPassphrase } from '../new-passphrase.ts';
import { ask, type Body, withConnection } from '../operation.ts';
import { repositoryHere } from './connect.ts';

interface InitOptions {
  readonly yes?: boolean;
  readonly team?: boolean;
  readonly project?: string;
  readonly clients?: string[];
  readonly hooks: boolean;
  readonly prompts: boolean;
  readonly json?: boolean;
}

/** The first command of a new user. Safe to repeat: it makes what is missing. */
export function addInitCommand(program: Command, host: Host): void {
  program
    .command('init')
    .description(
      'Set Baton up in this repository: project, rules, tools and hooks of every coding agent found. Elsewhere: prepare the machine.',
    )
    .option('--yes', 'ask nothing')
    .option('--team', 'write client settings to the files that the repository shares')
    .option('--project <id>', 'the project, created if it is missing (default: named after the repository)')
    .option('--clients <names...>', 'connect only these')
    .option('--no-hooks', 'connect the tools alone: nothing is guarded or recorded by itself')
    .option('--no-prompts', 'leave the words of prompts out of what is recorded')
    .option('--json', 'print JSON')
    .action(async (options: InitOptions, command: Command) => {
      const repository = repositoryHere(host);
      if (!repository) return prepareMachine(host, options);
      const by = await requirePerson(host);
      const chosen = (flag: string) =>
        command.getOptionValueSource(flag) === 'cli' ? (command.getOptionValue(flag) as boolean) : undefined;
      const clients = options.clients ? options.clients.map(clientNamed) : await findClients(placesHere());
      const { team, project } = options;
      const done = await withConnectionsLock(by.settings.dataDir, () =>
        onThisMachine(by, (to) =>
          initRepository(to, by, {
            repository,
            clients,
            team,
            project,
            hooks: chosen('hooks'),
            prompts: chosen('prompts'),
          }),
        ),
      );
      if (options.json) {
        process.stdout.write(`${visibleJson(JSON.stringify(reportOf(done)))}\n`);
        return;
      }
      process.stdout.write(`${initText(done)}\n`);
      const connected = done.connected.map(({ client }) => client.name);
      await offerImport(by, done.project, connected, !options.yes);
      await offerPassphrase(by, options);
    });
}

function clientNamed(name: string) {
  const editor = editors.find((each) => each.name === name);
  if (editor) return editor;
  throw connectErrors.editor_unknown({
    message: `Baton does not know ${name}: ${editors.map((each) => each.name).join(', ')}.`,
  });
}

function reportOf(done: Initialised) {
  const { project, createdProject, made, rules, profile, changedRules, connected, failed } = done;
  return {
    project,
    created: createdProject,
    made: made.map(({ path }) => path),
    rules,
    ...(profile && { profile: profile.did }),
    ...(changedRules !== undefined && { changed_rules: changedRules }),
    clients: connected.map(({ record, written }) => ({ connection: record.name, written })),
    failed: failed.map(({ client, reason }) => ({ client: client.name, reason })),
  };
}

/** Outside a repository there is no project to bind. */
async function prepareMachine(host: Host, options: InitOptions): Promise<void> {
  const me: Body = await withConnection(host, (connection) => ask(connection, host, 'identity.whoami', {}));
  process.stdout.write(
    `${pc.green('Ready')}: ${host.settings.dataDir}, as ${me.actor_id}. This folder is in no git repository: nothing was connected.\n`,
  );
  await offerPassphrase(host, options);
  process.stdout.write(
    `${pc.dim('Next: `baton init` in a repository connects the agents there; `baton up` starts the server.')}\n`,
  );
}

async function offerPassphrase(host: Host, { yes }: InitOptions): Promise<void> {
  await withConnection(host, async (connection) => {
    const me: Body = await ask(connection, host, 'identity.whoami', {});
    if (me.passphrase_set || me.passkeys > 0 || me.actor_type !== 'human') return;
    const offered = !yes && isInteractive() && host.settings.agentSession === undefined;
    if (offered && (await wanted())) {
      await ask(connection, host, 'identity.passphrase_set', { passphrase: await askNewPassphrase() });
      process.stdout.write(`${pc.green('Set.')} High-risk decisions ask for it from now on.\n`);
    } else {
      process.stdout.write(
        'No passphrase is set, so nobody can make high-risk decisions yet. Set one in a terminal of your own: `baton passphrase`\n',
      );
    }
  });
}

async function wanted(): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({
    message:
      'Set a passphrase now? High-risk decisions need it, so that no agent on this machine can make them for you.',
  });
  return !isCancel(answer) && answer;
}
