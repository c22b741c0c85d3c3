import pc from 'picocolors';
import type { CallableOperation } from '../../spine/operations/flat-input.ts';
import { jsonTextOf } from '../../spine/operations/handler.ts';
import type { Connection } from './host.ts';

/** Prints a stream until the reader interrupts. */
export async function follow(
  connection: Connection,
  operation: CallableOperation,
  flat: Readonly<Record<string, unknown>>,
  json: boolean,
): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  for await (const item of connection.stream(operation, flat, stop.signal)) {
    const line = json
      ? `{"id":${JSON.stringify(item.id)},"event":${JSON.stringify(item.event)},"data":${jsonTextOf(item.data)}}`
      : `${pc.dim(item.id.padStart(6))}  ${pc.cyan(item.event)}  ${jsonTextOf(item.data)}`;
    process.stdout.write(`${line}\n`);
  }
}
