import { type Dispatcher, errors } from 'undici';
import { BatonError } from '../../../kernel/error.ts';
import type { PlainRequest } from '../../../spine/operations/plain.ts';
import type { Reach } from '../../../spine/outbound/address-guard.ts';
import { createGuardedPools, type TlsIdentity } from '../../../spine/outbound/guarded-pools.ts';
import type { GrpcCalls } from '../grpc/call-peer.ts';
import type { Source } from '../streams/hub.ts';
import { createEchoFilter, type EchoFilter, hideEcho } from './credentials/hide-echo.ts';
import { failureOf, neverSent, PeerFailure } from './failure.ts';

export interface PeerRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly timeoutMs: number;
  /** How long a body may pause between two pieces. */
  readonly idleMs: number;
  readonly tls?: TlsIdentity | undefined;
  /** It changes nothing at the peer: where a used connection breaks before the answer, it is sent again. */
  readonly repeatable: boolean;
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

/** Kept-alive connections to peers: a new one for each message would cost more than all the rest of the relay. */
export function createPeerConnections(): PeerConnections {
  const pools = createGuardedPools(PEER_REACH);
  let byGrpc: Promise<GrpcCalls> | undefined;
  return {
    send(request) {
      if (request.url.protocol.startsWith('grpc')) {
        // Most relays never need it, and it takes as long to load as all the rest.
        byGrpc ??= import('../grpc/call-peer.ts').then(({ createGrpcCalls }) => createGrpcCalls());
        return byGrpc.then((calls) => calls.send(request));
      }
      let pool: Dispatcher;
      try {
        pool = pools.poolOf(request.url, request.tls);
      } catch (cause) {
        return Promise.reject(failureBy(cause));
      }
      return sendBy(pool, request);
    },
    close() {
      pools.close();
      void byGrpc?.then((calls) => calls.close());
    },
  };
}

function failureBy(thrown: unknown): PeerFailure {
  return thrown instanceof BatonError
    ? new PeerFailure('peer_disconnect', 'The address of the peer is refused.', undefined, thrown)
    : failureOf(thrown);
}

function sendBy(pool: Dispatcher, request: PeerRequest): Promise<PeerResponse> {
  const { url, method, headers, body = null, timeoutMs, idleMs, onGone } = request;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let response: PeerResponse | undefined;
    let stopped: PeerFailure | undefined;
    let stay: (() => void) | undefined;
    const settle = () => {
      clearTimeout(timer);
      stay?.();
    };
    /** A request that still waits for a connection is ended once it has one; nobody waits for that. */
    const stop = (failure: PeerFailure) => {
      stopped = failure;
      settle();
      reject(failure);
      controller?.abort(failure);
    };
    const timer = setTimeout(
      () => stop(new PeerFailure('timeout', 'The peer did not answer in time.')),
      timeoutMs,
    );
    stay = onGone?.(() => stop(new PeerFailure('client_disconnect', 'The caller left.')));
    const path = `${url.pathname}${url.search}`;
    pool.dispatch(
      { path, method: method as Dispatcher.HttpMethod, headers, body },
      {
        onRequestStart(given) {
          controller = given;
          if (stopped) given.abort(stopped);
        },
        onResponseStart(given, status, answered) {
          settle();
          response = new PeerResponse(given, status, answered, idleMs);
          resolve(response);
        },
        onResponseData: (_, piece) => response?.add(piece),
        onResponseEnd: () => response?.finish(undefined),
        onResponseError(_, error) {
          settle();
          if (response) response.finish(error instanceof errors.SocketError ? brokenOff() : failureOf(error));
          else if (!stopped && request.repeatable && wasUsed(error))
            sendBy(pool, request).then(resolve, reject);
          else
            reject(
              controller || error instanceof BatonError ? failureBy(error) : neverSent(failureOf(error)),
            );
        },
      },
    );
  });
}

/**
 * A used connection that the peer may have closed while it was idle. Whether the request had reached it nobody can tell,
 * so a message is not sent again: the agent might do its work twice.
 */
function wasUsed(error: Error): boolean {
  return error instanceof errors.SocketError && (error.socket?.bytesRead ?? 0) > 0;
}

/** How much may come before anybody reads; the peer then waits. */
const MOST_EARLY_BYTES = 1024 * 1024;

/** What an answer needs of whatever brings it. */
type Steering = Pick<Dispatcher.DispatchController, 'abort' | 'pause' | 'resume'>;

/** An answer of a peer. Its body is read once: all of it, or followed as it comes. */
export class PeerResponse implements Source {
  readonly status: number;
  headers: Readonly<Record<string, string>>;
  readonly #controller: Steering;
  readonly #idleMs: number;
  /** What came before anybody read. */
  #early: Uint8Array[] = [];
  #earlyBytes = 0;
  #take: ((piece: Uint8Array) => void) | undefined;
  #over: ((failure: PeerFailure | undefined) => void) | undefined;
  #end: { readonly failure: PeerFailure | undefined } | undefined;
  #silence: NodeJS.Timeout | undefined;
  #filter: EchoFilter | undefined;

  constructor(
    controller: Steering,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    idleMs: number,
  ) {
    this.#controller = controller;
    this.status = status;
    this.headers = joined(headers);
    this.#idleMs = idleMs;
  }

  /** To be called before anybody reads: whoever does is not told these. */
  hide(secrets: readonly string[]): void {
    const filter = createEchoFilter(secrets);
    if (!filter) return;
    this.#filter = filter();
    this.headers = Object.fromEntries(
      Object.entries(this.headers).map(([name, value]) => [name, hideEcho(value, filter)]),
    );
  }

  add(piece: Uint8Array): void {
    this.#silence?.refresh();
    if (this.#take) {
      this.#take(piece);
      return;
    }
    this.#early.push(piece);
    this.#earlyBytes += piece.byteLength;
    if (this.#earlyBytes > MOST_EARLY_BYTES) this.#controller.pause();
  }

  finish(failure: PeerFailure | undefined): void {
    clearTimeout(this.#silence);
    this.#end ??= { failure };
    this.#over?.(failure);
    this.#over = undefined;
  }

  /** All of a body that is expected to be whole; throws a PeerFailure where it breaks off, is too long or takes too long. */
  bytes(most: number, withinMs?: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const late = () => {
        const failure = new PeerFailure('timeout', 'The peer did not end its answer in time.');
        reject(failure);
        this.#controller.abort(failure);
      };
      const timer = this.#end || withinMs === undefined ? undefined : setTimeout(late, withinMs);
      const all: Uint8Array[] = [];
      let size = 0;
      const take = (piece: Uint8Array) => {
        size += piece.byteLength;
        if (size <= most) {
          all.push(piece);
          return;
        }
        const failure = new PeerFailure(
          'peer_disconnect',
          'The answer of the peer is larger than the limit.',
        );
        reject(failure);
        this.#controller.abort(failure);
      };
      this.follow(take, (failure) => {
        clearTimeout(timer);
        if (failure) reject(failure);
        else resolve(all.length === 1 ? (all[0] as Uint8Array) : Buffer.concat(all));
      });
    });
  }

  follow(takeAll: (piece: Uint8Array) => void, overAll: (failure: PeerFailure | undefined) => void): void {
    const filter = this.#filter;
    const take = filter
      ? (piece: Uint8Array) => {
          const told = filter.push(piece);
          if (told.length > 0) takeAll(told);
        }
      : takeAll;
    const over = filter
      ? (failure: PeerFailure | undefined) => {
          const held = filter.rest();
          if (held.length > 0) takeAll(held);
          overAll(failure);
        }
      : overAll;
    for (const piece of this.#early) take(piece);
    this.#early = [];
    // An answer that came in one piece is whole before anybody reads it.
    if (this.#end) {
      over(this.#end.failure);
      return;
    }
    this.#take = take;
    this.#over = over;
    this.#awaitNext();
    if (this.#earlyBytes > MOST_EARLY_BYTES) this.#controller.resume();
  }

  #awaitNext(): void {
    this.#silence = setTimeout(() => {
      this.#controller.abort(new PeerFailure('timeout', 'The peer fell silent in the middle of its answer.'));
    }, this.#idleMs);
  }

  /** A peer that is made to wait is not silent. */
  pause(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
    this.#controller.pause();
  }

  resume(): void {
    if (!this.#end) this.#awaitNext();
    this.#controller.resume();
  }

  destroy(): void {
    this.#controller.abort(brokenOff());
  }
}

/** A header that came several times is one with several values, as everywhere else. */
function joined(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) all[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return all;
}

function brokenOff(): PeerFailure {
  return new PeerFailure('peer_disconnect', 'The peer broke off in the middle of its answer.');
}
