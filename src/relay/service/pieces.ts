import type { IncomingMessage } from 'node:http';
import { wholeAlready } from '../../platform/whole-already.ts';
import { failureOf, PeerFailure } from '../rules/failure.ts';

/** So much may wait for its reader before the peer is made to wait. */
const MOST_WAITING = 1024 * 1024;

/**
 * The bytes of an answer as they arrive; throws a PeerFailure where they break off. Built on the stream's events: its
 * own iterator takes several turns of the queue for each piece, and a caller waits for all of them.
 */
export function piecesOf(incoming: IncomingMessage, idleMs: number): AsyncIterable<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let end: { readonly failure: PeerFailure | undefined } | undefined;
  let wake: (() => void) | undefined;

  const finish = (failure: PeerFailure | undefined) => {
    end ??= { failure };
    wake?.();
  };
  follow(incoming, idleMs, finish, (piece) => {
    waiting.push(piece);
    waitingBytes += piece.byteLength;
    if (waitingBytes > MOST_WAITING) incoming.pause();
    wake?.();
  });

  async function next(): Promise<IteratorResult<Uint8Array>> {
    while (waiting.length === 0) {
      if (end?.failure) throw end.failure;
      if (end) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const piece = waiting.shift() as Uint8Array;
    waitingBytes -= piece.byteLength;
    if (waitingBytes <= MOST_WAITING && incoming.isPaused()) incoming.resume();
    return { done: false, value: piece };
  }

  return {
    [Symbol.asyncIterator]: () => ({
      next,
      async return() {
        incoming.destroy();
        return { done: true, value: undefined };
      },
    }),
  };
}

/** All of an answer that is expected to be whole. */
export async function bytesOf(incoming: IncomingMessage, idleMs: number, most: number): Promise<Uint8Array> {
  return wholeAlready(incoming, most) ?? gathered(incoming, idleMs, most);
}

function gathered(incoming: IncomingMessage, idleMs: number, most: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const all: Uint8Array[] = [];
    let size = 0;
    const finish = (failure: PeerFailure | undefined) => {
      if (failure) reject(failure);
      else resolve(all.length === 1 ? (all[0] as Uint8Array) : Buffer.concat(all));
    };
    follow(incoming, idleMs, finish, (piece) => {
      size += piece.byteLength;
      if (size <= most) all.push(piece);
      else
        incoming.destroy(
          new PeerFailure('peer_disconnect', 'The answer of the peer is larger than the limit.'),
        );
    });
  });
}

/** `finish` is called when the answer is over, perhaps more than once. */
function follow(
  incoming: IncomingMessage,
  idleMs: number,
  finish: (failure: PeerFailure | undefined) => void,
  take: (piece: Uint8Array) => void,
): void {
  // An answer that came in one piece is whole before anybody reads it.
  if (!incoming.complete) {
    incoming.setTimeout(idleMs, () =>
      incoming.destroy(new PeerFailure('timeout', 'The peer fell silent in the middle of its answer.')),
    );
  }
  incoming.on('data', take);
  incoming.once('end', () => finish(incoming.complete ? undefined : brokenOff()));
  incoming.once('error', (error) => finish(failureOf(error)));
  incoming.once('close', () => finish(incoming.complete ? undefined : brokenOff()));
}

function brokenOff(): PeerFailure {
  return new PeerFailure('peer_disconnect', 'The peer broke off in the middle of its answer.');
}
