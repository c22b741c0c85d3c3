import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { wholeAlready } from '../../../platform/whole-already.ts';
import type { Source } from '../streams/hub.ts';
import { failureOf, PeerFailure } from './failure.ts';

/** An answer of a peer. Its body is read once: all of it, or followed as it comes. */
export class PeerResponse implements Source {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly #incoming: IncomingMessage;
  readonly #idleMs: number;

  constructor(incoming: IncomingMessage, idleMs: number) {
    this.status = incoming.statusCode ?? 0;
    this.headers = incoming.headers;
    this.#incoming = incoming;
    this.#idleMs = idleMs;
  }

  /** All of a body that is expected to be whole; throws a PeerFailure where it breaks off. */
  async bytes(most: number): Promise<Uint8Array> {
    return wholeAlready(this.#incoming, most) ?? this.#gathered(most);
  }

  #gathered(most: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const all: Uint8Array[] = [];
      let size = 0;
      const over = (failure: PeerFailure | undefined) => {
        if (failure) reject(failure);
        else resolve(all.length === 1 ? (all[0] as Uint8Array) : Buffer.concat(all));
      };
      this.follow((piece) => {
        size += piece.byteLength;
        if (size <= most) all.push(piece);
        else
          this.#incoming.destroy(
            new PeerFailure('peer_disconnect', 'The answer of the peer is larger than the limit.'),
          );
      }, over);
    });
  }

  follow(take: (piece: Uint8Array) => void, over: (failure: PeerFailure | undefined) => void): void {
    const incoming = this.#incoming;
    // What came with the headers is taken as it is: the stream's events would bring it only after other work.
    const first: Uint8Array | null = incoming.read();
    if (first) take(first);
    let isOver = false;
    const finish = (failure: PeerFailure | undefined) => {
      if (isOver) return;
      isOver = true;
      over(failure);
    };
    // An answer that came in one piece is whole before anybody reads it.
    if (!incoming.complete) {
      incoming.setTimeout(this.#idleMs, () =>
        incoming.destroy(new PeerFailure('timeout', 'The peer fell silent in the middle of its answer.')),
      );
    }
    incoming.on('data', take);
    incoming.once('end', () => finish(incoming.complete ? undefined : brokenOff()));
    incoming.once('error', (error) => finish(failureOf(error)));
    incoming.once('close', () => finish(incoming.complete ? undefined : brokenOff()));
  }

  /** A peer that is made to wait is not silent. */
  pause(): void {
    this.#incoming.setTimeout(0);
    this.#incoming.pause();
  }

  resume(): void {
    if (!this.#incoming.complete) this.#incoming.setTimeout(this.#idleMs);
    this.#incoming.resume();
  }

  destroy(): void {
    this.#incoming.destroy();
  }
}

function brokenOff(): PeerFailure {
  return new PeerFailure('peer_disconnect', 'The peer broke off in the middle of its answer.');
}
