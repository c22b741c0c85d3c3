import pc from 'picocolors';
import type { Operation } from '../operations/define.ts';
import type { Connection } from './host.ts';

/** Prints a stream until the reader interrupts. */
export async function follow(
  connection: Connection,
  operation: Operation,
  flat: Readonly<Record<string, unknown>>,
  json: boolean,
): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  for await (const item of connection.stream(operation, flat, stop.signal)) {
    const line = json ? JSON.stringify(item) : `${pc.dim(item.id.padStart(6))}  ${pc.cyan(item.event)}  ${JSON.stringify(item.data)}`;
    process.stdout.write(`${line}\n`);
  }
}
