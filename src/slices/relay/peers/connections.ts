import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { BatonError } from '../../../kernel/error.ts';
import type { PlainRequest } from '../../../spine/operations/plain.ts';
import { guardedLookup, type Reach, requireReachable } from '../../../spine/outbound/address-guard.ts';
import { closeIdle, type IdleConnections, lendIdle } from '../../../spine/outbound/idle-connections.ts';
import { failureOf, PeerFailure } from './failure.ts';
import { PeerResponse } from './received.ts';

export interface PeerRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly timeoutMs: number;
  /** How long a body may pause between two pieces. */
  readonly idleMs: number;
  /** Whose request it is, where that one's leaving ends it. */
  readonly onGone?: PlainRequest['onGone'] | undefined;
}

export interface PeerConnections {
  /** Throws a PeerFailure, never anything else. */
  send(request: PeerRequest): Promise<PeerResponse>;
  close(): void;
}

/** Peers are named by whoever manages the relay and mostly run beside it, so private addresses are what they have. */
export const PEER_REACH: Reach = { extent: 'local' };

/** How a server is connected to, once its address was found to be allowed. */
interface Server {
  readonly start: typeof httpRequest;
  readonly agent: HttpAgent;
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
  readonly lookup: LookupFunction;
  readonly idle: IdleConnections;
}

const SERVERS_KEPT = 1_000;

/** Kept-alive connections to peers: a new one for each message would cost more than all the rest of the relay. */
export function createPeerConnections(): PeerConnections {
  const agents = {
    'http:': lendIdle(new HttpAgent({ keepAlive: true, maxSockets: 1024 })),
    'https:': lendIdle(new HttpsAgent({ keepAlive: true, maxSockets: 1024 })),
  };
  const servers = new Map<string, Server>();

  /** What is judged of an address does not change; what a name leads to is judged at each connection. */
  function serverOf(url: URL): Server {
    const known = servers.get(url.origin);
    if (known && url.username === '' && url.password === '') return known;
    requireReachable(url, PEER_REACH);
    const server: Server = {
      start: url.protocol === 'https:' ? httpsRequest : httpRequest,
      agent: agents[url.protocol as 'http:' | 'https:'],
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      lookup: guardedLookup(url, PEER_REACH),
      idle: [],
    };
    if (servers.size >= SERVERS_KEPT) forgetAll();
    servers.set(url.origin, server);
    return server;
  }

  function forgetAll(): void {
    for (const { idle } of servers.values()) closeIdle(idle);
    servers.clear();
  }

  return {
    send(request) {
      let server: Server;
      try {
        server = serverOf(request.url);
      } catch (cause) {
        return Promise.reject(refusedPeer(cause));
      }
      return open(request, server);
    },
    close() {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

function refusedPeer(cause: unknown): PeerFailure {
  return new PeerFailure('peer_disconnect', 'The address of the peer is refused.', undefined, cause);
}

function open(given: PeerRequest, server: Server): Promise<PeerResponse> {
  const { url, method, body, timeoutMs, idleMs, onGone } = given;
  return new Promise((resolve, reject) => {
    let left = false;
    const options = {
      agent: server.agent,
      protocol: server.protocol,
      hostname: server.hostname,
      port: server.port,
      lookup: server.lookup,
      idle: server.idle,
      path: `${url.pathname}${url.search}`,
      method,
      headers: headerLines(given),
    };
    const outgoing = server.start(options);
    const timer = setTimeout(
      () => outgoing.destroy(new PeerFailure('timeout', 'The peer did not answer in time.')),
      timeoutMs,
    );
    const stay = onGone?.(() => {
      left = true;
      outgoing.destroy(new PeerFailure('client_disconnect', 'The caller left.'));
    });
    const settle = () => {
      clearTimeout(timer);
      stay?.();
    };
    outgoing.once('response', (incoming) => {
      settle();
      resolve(new PeerResponse(incoming, idleMs));
    });
    outgoing.on('error', (error) => {
      settle();
      // An idle connection that the peer had closed already: nothing was sent, so it is tried anew.
      if (outgoing.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET' && !left) {
        open(given, server).then(resolve, reject);
      } else reject(error instanceof BatonError ? refusedPeer(error) : failureOf(error));
    });
    outgoing.end(body);
  });
}

/** As they go out: Node takes a list as it is, where it looks at each member of an object several times. */
function headerLines({ url, method, headers, body }: PeerRequest): string[] {
  const lines = ['host', url.host];
  for (const name in headers) lines.push(name, headers[name] as string);
  if (body) lines.push('content-length', String(body.byteLength));
  else if (method === 'POST') lines.push('content-length', '0');
  return lines;
}
