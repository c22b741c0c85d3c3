import { dispatchErrors } from '../../spine/dispatch/errors.ts';
import type { Host } from './host.ts';
import { ask, withConnection } from './operation.ts';
import { askSecret } from './presence.ts';

/*
 * An agent with a shell runs commands as its user, with the user's files and the user's credential. What it decides is
 * no person's decision, so inside its session a person has to type their passphrase, whatever the risk: a login token
 * that the shell was started with proves nothing there.
 */

/** The host that a decision is made with. An agent's own credential stays: what it may decide, the server says. */
export async function asPerson(host: Host): Promise<Host> {
  if (host.settings.agentSession === undefined) return host;
  const me = await withConnection(host, (connection) => ask(connection, host, 'identity.whoami', {}));
  return me.actor_type === 'human' ? proved(host, me.passphrase_set) : host;
}

/** For what is decided on files and with no credential at all. */
export async function requirePerson(host: Host): Promise<void> {
  if (host.settings.agentSession === undefined) return;
  if (!isInteractive()) throw refusal(host);
  const me = await withConnection(host, (connection) => ask(connection, host, 'identity.whoami', {}));
  if (me.actor_type !== 'human') throw refusal(host);
  await proved(host, me.passphrase_set);
}

/** For what would hand the agent a proof, or a person's next one. */
export function refuseInAgentSession(host: Host): void {
  if (host.settings.agentSession !== undefined) throw refusal(host);
}

export function withToken(host: Host, token: string): Host {
  return { ...host, settings: { ...host.settings, token } };
}

/** Read from a terminal and written to one: what is typed there, somebody types. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

async function proved(host: Host, passphraseSet: boolean): Promise<Host> {
  if (!isInteractive() || !passphraseSet) throw refusal(host);
  process.stdout.write(`This runs in an agent’s session (${host.settings.agentSession} is set).\n`);
  const passphrase = await askSecret('Passphrase');
  const { token } = await withConnection(host, (connection) =>
    ask(connection, host, 'identity.login', { passphrase }),
  );
  return withToken(host, token);
}

function refusal({ settings }: Host) {
  return dispatchErrors.agent_session({
    message: `This is a person’s decision, and the command runs in an agent’s session (${settings.agentSession} is set).`,
    next: 'Decide in the dashboard (`baton open`) or in a terminal of your own; inside the session, a terminal and your passphrase are needed. An agent decides with a key of its own (BATON_TOKEN).',
  });
}
