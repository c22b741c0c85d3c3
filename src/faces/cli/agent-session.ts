import { agentRefusal } from './agent-refusal.ts';
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
  return me.actor_type === 'human' ? proved(host, me.passphrase_set) : decided(host);
}

/** For what is decided on files and with no credential at all. Answers the host of the person who was proved. */
export async function requirePerson(host: Host): Promise<Host> {
  if (host.settings.agentSession === undefined) return host;
  if (!isInteractive()) throw agentRefusal(host);
  const me = await withConnection(host, (connection) => ask(connection, host, 'identity.whoami', {}));
  if (me.actor_type !== 'human') throw agentRefusal(host);
  await proved(host, me.passphrase_set);
  return decided(host);
}

/** For what would hand the agent a proof, or a person's next one. */
export function refuseInAgentSession(host: Host, next?: string): void {
  if (host.settings.agentSession !== undefined) throw agentRefusal(host, next);
}

/** Whose decision it is has been settled. */
function decided(host: Host): Host {
  return { ...host, settings: { ...host.settings, agentSession: undefined } };
}

export function withToken(host: Host, token: string): Host {
  return { ...host, settings: { ...host.settings, token } };
}

/** Read from a terminal and written to one: what is typed there, somebody types. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

async function proved(host: Host, passphraseSet: boolean): Promise<Host> {
  if (!isInteractive() || !passphraseSet) throw agentRefusal(host);
  process.stdout.write(`This runs in an agent’s session (${host.settings.agentSession} is set).\n`);
  const passphrase = await askSecret('Passphrase');
  const { token } = await withConnection(host, (connection) =>
    ask(connection, host, 'identity.login', { passphrase }),
  );
  return withToken(decided(host), token);
}
