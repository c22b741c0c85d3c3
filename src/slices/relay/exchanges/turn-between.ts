import { setImmediate as nextTurn } from 'node:timers/promises';

/** To read, hash or write down more than that at once takes a turn of the event loop by itself. */
const LARGE_BYTES = 1024 * 1024;

/** Between two steps with so many bytes, others get a turn. Undefined where nobody notices. */
export function turnBetween(bytes: Uint8Array | undefined): Promise<void> | undefined {
  return bytes !== undefined && bytes.length > LARGE_BYTES ? nextTurn() : undefined;
}
