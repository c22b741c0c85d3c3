import type { Command } from 'commander';
import pc from 'picocolors';
import { isInteractive, refuseInAgentSession } from '../agent-session.ts';
import { cliErrors } from '../errors.ts';
import type { Host } from '../host.ts';
import { askNewPassphrase } from '../new-passphrase.ts';
import { ask, withConnection } from '../operation.ts';
import { askSecret } from '../presence.ts';

/** Presence: a passphrase that an agent with your files does not have. Nothing here runs in an agent's session. */
export function addLoginCommands(program: Command, host: Host): void {
  program
    .command('login')
    .description('Prove with the passphrase that you are at the keyboard; valid for 15 minutes.')
    .action(async () => {
      refuseInAgentSession(host);
      const body = await askOnce(host, 'identity.login', { passphrase: await askSecret('Passphrase') });
      const { token, present_until } = body as { token?: string; present_until: string };
      process.stdout.write(`${pc.green('Presence confirmed')} until ${present_until}.\n`);
      if (token) process.stdout.write(`${pc.dim('For this shell:')} export BATON_TOKEN=${token}\n`);
    });
  const command = program
    .command('passphrase')
    .description('Set or change the passphrase that proves presence.')
    .option('--change', 'ask for the current one too')
    .action(async ({ change }: { change?: boolean }) => {
      refuseInAgentSession(host);
      const current = change ? await askSecret('Current passphrase') : undefined;
      const passphrase = await askNewPassphrase();
      await askOnce(host, 'identity.passphrase_set', {
        passphrase,
        ...(current !== undefined && { current }),
      });
      process.stdout.write(`${pc.green('Set.')} High-risk decisions ask for it from now on.\n`);
    });
  command
    .command('reset')
    .description(
      'Replace a lost passphrase, on the machine that has the store. Removes passkeys, ends logins, and is recorded.',
    )
    .option('--actor <id>', 'the person', 'owner')
    .action(({ actor }: { actor: string }) => reset(host, actor));
}

/** Straight on the store: whoever can run this could change the file itself, but not without a trace. */
async function reset(host: Host, actor: string): Promise<void> {
  refuseInAgentSession(host);
  if (!isInteractive()) {
    throw cliErrors.bad_arguments({
      message: 'A passphrase is reset at a terminal.',
      next: 'Run this in your own terminal, on the machine that has the store.',
    });
  }
  if (host.settings.url !== undefined) {
    throw cliErrors.bad_arguments({
      message: 'A passphrase is reset on the machine that has the store, not through a server.',
      next: 'Run it there, without BATON_URL.',
    });
  }
  process.stdout.write(
    `This replaces the passphrase of ${actor}, removes their passkeys and ends their logins. The journal records it.\n`,
  );
  const { passkeysRemoved, loginsEnded } = await host.resetPresence(
    host.settings,
    actor,
    await askNewPassphrase(),
  );
  process.stdout.write(
    `${pc.green('Reset.')} Passkeys removed: ${passkeysRemoved}. Logins ended: ${loginsEnded}.\n`,
  );
}

async function askOnce(host: Host, name: string, flat: Record<string, unknown>): Promise<unknown> {
  return withConnection(host, async (connection) => {
    return await ask(connection, host, name, flat);
  });
}
