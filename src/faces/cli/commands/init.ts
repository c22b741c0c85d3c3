import type { Command } from 'commander';
import pc from 'picocolors';
import { isInteractive } from '../agent-session.ts';
import type { Host } from '../host.ts';
import { askNewPassphrase } from '../new-passphrase.ts';
import { ask, type Body, withConnection } from '../operation.ts';

/** The first command of a new user. Safe to repeat: it makes what is missing. */
export function addInitCommand(program: Command, host: Host): void {
  program
    .command('init')
    .description('Prepare Baton on this machine, and set the passphrase that high-risk decisions need.')
    .action(async () => {
      await withConnection(host, async (connection) => {
        const me: Body = await ask(connection, host, 'identity.whoami', {});
        process.stdout.write(`${pc.green('Ready')}: ${host.settings.dataDir}, as ${me.actor_id}.\n`);
        if (!me.passphrase_set && me.passkeys === 0 && me.actor_type === 'human') {
          const offered = isInteractive() && host.settings.agentSession === undefined;
          if (offered && (await wanted())) {
            await ask(connection, host, 'identity.passphrase_set', { passphrase: await askNewPassphrase() });
            process.stdout.write(`${pc.green('Set.')} Decisions of high risk now ask for it.\n`);
          } else {
            process.stdout.write(
              'No passphrase is set, so that nobody can make decisions of high risk. Set one in a terminal of your own: baton passphrase\n',
            );
          }
        }
        process.stdout.write(
          `${pc.dim('Next: `baton up` starts the server, `baton connect` connects an agent.')}\n`,
        );
      });
    });
}

async function wanted(): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({
    message:
      'Set a passphrase now? Decisions of high risk need it, so that no agent on this machine can make them for you.',
  });
  return !isCancel(answer) && answer;
}
