import { isDecision } from '../../spine/operations/decides.ts';
import { agentRefusal } from './agent-refusal.ts';
import type { CommandOperation } from './command-operation.ts';
import type { Connection, Host } from './host.ts';
import { forPeople, printText } from './output.ts';

/** An operation that a verb of its own is built on. */
export function operationNamed(host: Host, name: string): CommandOperation {
  const found = host.operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`there is no operation ${name}`);
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: each caller knows the shape of the operation it asks.
export type Body = any;

/** A verb that decides asks for the person first (`agent-session.ts`); one that forgot to is refused here. */
export async function ask(
  connection: Connection,
  host: Host,
  name: string,
  flat: Readonly<Record<string, unknown>>,
): Promise<Body> {
  const operation = operationNamed(host, name);
  if (host.settings.agentSession !== undefined && isDecision(operation, flat)) throw agentRefusal(host);
  const { body } = await connection.call(operation, flat);
  return body === '' ? undefined : JSON.parse(body);
}

/** A verb's own connection: closed whatever becomes of the verb. */
export async function withConnection<T>(
  host: Host,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await host.connect(host.settings);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** JSON for scripts, words for people. */
export function printBody(body: string, json: boolean): void {
  printText(body, json, forPeople);
}
