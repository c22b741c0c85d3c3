import { isCancel, password } from '@clack/prompts';
import type { Command } from 'commander';
import pc from 'picocolors';
import { cliErrors } from '../errors.ts';
import type { Host } from '../host.ts';
import { ask, withConnection } from '../operation.ts';

/** Presence: a passphrase that an agent with your files does not have. */
export function addLoginCommands(program: Command, host: Host): void {
  program
    .command('login')
    .description('Prove with the passphrase that you are at the keyboard, for 15 minutes.')
    .action(async () => {
      const body = await askOnce(host, 'identity.login', { passphrase: await secret('Passphrase') });
      const { token, present_until } = body as { token?: string; present_until: string };
      process.stdout.write(`${pc.green('You are present')} until ${present_until}.\n`);
      if (token) process.stdout.write(`${pc.dim('For this shell:')} export BATON_TOKEN=${token}\n`);
    });
  program
    .command('passphrase')
    .description('Set or change the passphrase that proves presence.')
    .option('--change', 'ask for the present one too')
    .action(async ({ change }: { change?: boolean }) => {
      const current = change ? await secret('Present passphrase') : undefined;
      const passphrase = await secret('New passphrase');
      if (passphrase !== (await secret('Once more'))) {
        throw cliErrors.bad_arguments({
          message: 'The two differ; nothing was changed.',
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

async function secret(message: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw cliErrors.bad_arguments({
      message: 'A passphrase is typed at a terminal.',
      next: 'Run this in a terminal of your own, or use the dashboard.',
    });
  }
  const given = await password({ message });
  if (isCancel(given))
    throw cliErrors.bad_arguments({ message: 'Given up; nothing was changed.', next: 'Try again.' });
  return given;
}

async function askOnce(host: Host, name: string, flat: Record<string, unknown>): Promise<unknown> {
  return withConnection(host, async (connection) => {
    return await ask(connection, host, name, flat);
  });
}
