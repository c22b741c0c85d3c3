/** For tests: a way to the server that can be cut and mended. */
import { createConnection, createServer, type Server, type Socket } from 'node:net';

export interface Proxy {
  readonly url: string;
  /** Breaks every connection and takes no new one. */
  cut(): Promise<void>;
  cutNow(): void;
  mend(): Promise<void>;
}

export async function startProxy(target: string): Promise<Proxy> {
  const address = new URL(target);
  const sockets = new Set<Socket>();
  const connect = (inward: Socket) => {
    const outward = createConnection(Number(address.port || 5432), address.hostname);
    for (const [from, to] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  };
  let server = await listen(0, connect);
  const port = portOf(server);
  const cutNow = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    cutNow,
    cut: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cutNow();
      await closed;
    },
    mend: async () => {
      server = await listen(port, connect);
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function listen(port: number, connect: (socket: Socket) => void): Promise<Server> {
  const server = createServer(connect);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}
