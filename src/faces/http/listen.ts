import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket, Server as SocketServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { createAdaptorServer, type ServerType, type WebSocketServerLike } from '@hono/node-server';
import type { Hono } from 'hono';
import { WebSocketServer } from 'ws';
import { listenOnOtherLoopback } from './both-loopbacks.ts';
import { OpenRequests } from './open-requests.ts';
import type { HttpEnv } from './routes.ts';

export interface ListenSettings {
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string; readonly clientCa?: string };
}

export interface Listener {
  readonly url: string;
  readonly port: number;
  readonly server: ServerType;
  /**
   * Goes on serving, and has every connection closed with its next response, so that clients and proxies go elsewhere. Ends
   * once nobody asks any more, or after this time.
   */
  drain(mostMs: number): Promise<void>;
  /** Stops accepting, lets running requests finish, then closes what is left. */
  close(graceMs: number): Promise<void>;
}

/** Returns whether it handles the request. */
export type FirstListener = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

export async function listen(
  app: Hono<HttpEnv>,
  first: FirstListener,
  settings: ListenSettings,
): Promise<Listener> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    // The two packages describe the same object in types that differ.
    websocket: {
      server: new WebSocketServer({
        noServer: true,
        maxPayload: 64 * 1024,
      }) as unknown as WebSocketServerLike,
    },
    hostname: settings.host,
    ...(settings.tls
      ? {
          createServer: createHttpsServer,
          serverOptions: {
            cert: settings.tls.cert,
            key: settings.tls.key,
            ...(settings.tls.clientCa && {
              ca: settings.tls.clientCa,
              requestCert: true,
              rejectUnauthorized: false,
            }),
            ...TIMEOUTS,
          },
        }
      : { createServer: createHttpServer, serverOptions: TIMEOUTS }),
  });
  const sockets = socketsOf(server);
  const requests = new OpenRequests();
  putFirst(server, first, requests);
  refuseOtherUpgrades(server);
  const { port, other } = await bind(server, settings);
  const shownHost = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  return {
    url: `${settings.tls ? 'https' : 'http'}://${shownHost}:${port}`,
    port,
    server,
    drain: (mostMs) => requests.drain(mostMs),
    close: (graceMs) =>
      new Promise<void>((resolve) => {
        const force = setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, graceMs);
        // Connections become idle one by one, as their last responses end.
        const sweep = setInterval(() => closeIdle(server), IDLE_SWEEP_MS);
        void Promise.all([closed(server), other && closed(other)]).then(() => {
          clearTimeout(force);
          clearInterval(sweep);
          resolve();
        });
        closeIdle(server);
      }),
  };
}

const FREE_PORT_TRIES = 10;

/** A free port is one that is free on both loopback addresses. */
async function bind(
  server: ServerType,
  { host, port: wanted }: ListenSettings,
): Promise<{ readonly port: number; readonly other: SocketServer | undefined }> {
  for (let tries = 1; ; tries += 1) {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(wanted, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
    const { port } = server.address() as AddressInfo;
    if (host !== '127.0.0.1') return { port, other: undefined };
    try {
      return { port, other: await listenOnOtherLoopback(server, port) };
    } catch (error) {
      await closed(server);
      if (wanted !== 0 || tries === FREE_PORT_TRIES) throw error;
    }
  }
}

function closed(server: ServerType | SocketServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

function putFirst(server: ServerType, first: FirstListener, requests: OpenRequests): void {
  const others = server.listeners('request') as ((
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) => void)[];
  server.removeAllListeners('request');
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    requests.add(outgoing);
    if (first(incoming, outgoing)) return;
    for (const listener of others) listener(incoming, outgoing);
  });
}

/**
 * Node hands over the socket of every upgrade. One that nobody takes would stay open for good, and keep the server from
 * ending. There must be one listener: the library leaves what it refuses to others if there are any.
 */
function refuseOtherUpgrades(server: ServerType): void {
  const others = server.listeners('upgrade') as ((
    incoming: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ) => void)[];
  server.removeAllListeners('upgrade');
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined);
    if (incoming.headers.upgrade?.toLowerCase() === 'websocket') {
      for (const listener of others) listener(incoming, socket, head);
      return;
    }
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n', () =>
      socket.destroy(),
    );
  });
}

/** Headers must come at once; a body may take its time, within the idle limit that reads it. */
const TIMEOUTS = { headersTimeout: 15_000, requestTimeout: 0, keepAliveTimeout: 65_000 };

const IDLE_SWEEP_MS = 20;

function closeIdle(server: ServerType): void {
  if ('closeIdleConnections' in server) server.closeIdleConnections();
}

/** Node forgets a connection once it is upgraded, and one whose other end does not answer would stay for good. */
function socketsOf(server: ServerType): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}
