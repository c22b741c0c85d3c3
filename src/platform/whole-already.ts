import type { IncomingMessage } from 'node:http';

/**
 * The body of a message that has come whole and of which nothing was read yet: a short one comes in one piece with its
 * headers, and to wait for the stream's events would cost time. Undefined if it is empty, longer, or still coming.
 */
export function wholeAlready(incoming: IncomingMessage, most: number): Uint8Array | undefined {
  const { readableLength } = incoming;
  if (readableLength === 0 || readableLength > most) return undefined;
  // `complete` is set a little after the last byte; the length tells earlier.
  if (!incoming.complete && readableLength !== Number(incoming.headers['content-length'])) return undefined;
  const bytes: Uint8Array = incoming.read();
  // Its end is still to come, and the connection waits for somebody to see it.
  incoming.resume();
  return bytes;
}
