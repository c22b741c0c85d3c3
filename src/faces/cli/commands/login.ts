import type { Command } from 'commander';
import pc from 'picocolors';
import { cliErrors } from '../errors.ts';
import type { Host } from '../host.ts';
import { ask, withConnection } from '../operation.ts';
import { askSecret } from '../presence.ts';

/** Presence: a passphrase that an agent with your files does not have. */
export function addLoginCommands(program: Command, host: Host): void {
  program
    .command('login')
    .description('Prove with the passphrase that you are at the keyboard; valid for 15 minutes.')
    .action(async () => {
      const body = await askOnce(host, 'identity.login', { passphrase: await askSecret('Passphrase') });
      const { token, present_until } = body as { token?: string; present_until: string };
      process.stdout.write(`${pc.green('Presence confirmed')} until ${present_until}.\n`);
      if (token) process.stdout.write(`${pc.dim('For this shell:')} export BATON_TOKEN=${token}\n`);
    });
  program
    .command('passphrase')
    .description('Set or change the passphrase that proves presence.')
    .option('--change', 'ask for the current one too')
    .action(async ({ change }: { change?: boolean }) => {
      const current = change ? await askSecret('Current passphrase') : undefined;
      const passphrase = await askSecret('New passphrase');
      if (passphrase !== (await askSecret('Once more'))) {
        throw cliErrors.bad_arguments({
          message: 'The passphrases differ; nothing was changed.',
          next: 'Try again.',
        });
      }
      await askOnce(host, 'identity.passphrase_set', {
        passphrase,
        ...(current !== undefined && { current }),
      });
      process.stdout.write(`${pc.green('Set.')} Decisions of high risk now ask for it.\n`);
    });
}

async function askOnce(host: Host, name: string, flat: Record<string, unknown>): Promise<unknown> {
  return withConnection(host, async (connection) => {
    return await ask(connection, host, name, flat);
  });
}
