import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { BatonError } from '../../kernel/error.ts';
import { guardedLookup, type Reach, requireReachable } from '../../outbound/address-guard.ts';
import { failureOf, PeerFailure } from '../rules/failure.ts';

export interface UpstreamRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly timeoutMs: number;
  /** How long a body may pause between two pieces. */
  readonly idleMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface UpstreamResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they arrive; throws a PeerFailure where they break off. */
  readonly body: AsyncIterable<Uint8Array>;
  destroy(): void;
}

export interface Upstream {
  /** Throws a PeerFailure, never anything else. */
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
  close(): void;
}

/** Peers are named by whoever manages the relay and mostly run beside it, so private addresses are what they have. */
export const PEER_REACH: Reach = { extent: 'local' };

/** Kept-alive connections to peers: a new one for each message would cost more than all the rest of the relay. */
export function createUpstream(): Upstream {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, maxSockets: 1024 }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: 1024 }),
  };
  return {
    async send(request) {
      try {
        requireReachable(request.url, PEER_REACH);
      } catch (cause) {
        throw refusedPeer(cause);
      }
      return open(request, agents[request.url.protocol as 'http:' | 'https:']);
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

function open(given: UpstreamRequest, agent: HttpAgent | HttpsAgent): Promise<UpstreamResponse> {
  const { url, method, headers, body, timeoutMs, idleMs, signal } = given;
  return new Promise((resolve, reject) => {
    let reused = false;
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const outgoing = start(url, {
      method,
      agent,
      lookup: guardedLookup(url, PEER_REACH),
      headers: { ...headers, ...(body && { 'content-length': body.byteLength }) },
    });
    const timer = setTimeout(
      () => outgoing.destroy(new PeerFailure('timeout', 'The peer did not answer in time.')),
      timeoutMs,
    );
    const abort = () => outgoing.destroy(new PeerFailure('client_disconnect', 'The caller left.'));
    signal?.addEventListener('abort', abort, { once: true });
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    outgoing.once('socket', () => {
      reused = outgoing.reusedSocket;
    });
    outgoing.once('response', (incoming) => {
      settle();
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        body: pieces(incoming, idleMs),
        destroy: () => outgoing.destroy(),
      });
    });
    outgoing.on('error', (error) => {
      settle();
      // An idle connection that the peer had closed already: nothing was sent, so it is tried anew.
      if (reused && (error as NodeJS.ErrnoException).code === 'ECONNRESET' && !signal?.aborted) {
        open(given, agent).then(resolve, reject);
      } else reject(error instanceof BatonError ? refusedPeer(error) : failureOf(error));
    });
    outgoing.end(body);
  });
}

async function* pieces(incoming: IncomingMessage, idleMs: number): AsyncGenerator<Uint8Array> {
  incoming.setTimeout(idleMs, () =>
    incoming.destroy(new PeerFailure('timeout', 'The peer fell silent in the middle of its answer.')),
  );
  try {
    for await (const piece of incoming) yield piece as Uint8Array;
  } catch (error) {
    throw failureOf(error);
  }
  if (!incoming.complete)
    throw new PeerFailure('peer_disconnect', 'The peer broke off in the middle of its answer.');
}

export async function readAll(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.byteLength;
    if (size > maxBytes)
      throw new PeerFailure('peer_disconnect', 'The answer of the peer is larger than the limit.');
    all.push(piece);
  }
  return all.length === 1 ? (all[0] as Uint8Array) : Buffer.concat(all);
}
