import { createServer, type Server } from 'node:net';
import type { ServerType } from '@hono/node-server';

/**
 * Takes the same port of `::1` for a server on `127.0.0.1`. A browser that is told `localhost` tries both, so whoever
 * took the other one would be served our cookies, and asked for our passkeys, under our own name. Undefined on a machine
 * without IPv6; rejects with EADDRINUSE if the port is taken there.
 */
export async function listenOnOtherLoopback(server: ServerType, port: number): Promise<Server | undefined> {
  const other = createServer((socket) => {
    server.emit('connection', socket);
  });
  try {
    await new Promise<void>((resolve, reject) => {
      other.once('error', reject);
      other.listen(port, '::1', () => {
        other.off('error', reject);
        resolve();
      });
    });
    return other;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw error;
    return undefined;
  }
}
