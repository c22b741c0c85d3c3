import type { IncomingMessage } from 'node:http';

/**
 * The body of a message that has come whole and of which nothing was read yet: a short one comes in one piece with its
 * headers, and to wait for the stream's events would cost time. Undefined where it is empty, longer, or still coming.
 */
export function wholeAlready(incoming: IncomingMessage, most: number): Uint8Array | undefined {
  const { complete, readableLength } = incoming;
  return complete && readableLength > 0 && readableLength <= most ? incoming.read() : undefined;
}
