import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RpcError } from '../a2a/translate/error.ts';
import { createSseFrameReader, type SseFrame } from '../rules/sse-frames.ts';

/** How a subscriber gets a frame: as it came, or in its own version and under its own request id. */
export type FrameEncoder = (frame: SseFrame) => Uint8Array | undefined;

export interface HubOptions {
  readonly body: AsyncIterable<Uint8Array>;
  /** Called a moment after the frame has gone out: no subscriber waits for what is made of it. */
  readonly onFrame: (frame: SseFrame) => void;
  /** The stream is over; with an error where it broke off. */
  readonly onEnd: (error: unknown) => RpcError | undefined;
  readonly onAlone: () => void;
  /** Ends the upstream: nobody came back for it. */
  readonly giveUp: () => void;
  readonly waitSeconds: number;
}

export interface StreamHub {
  readonly ended: boolean;
  /** Where this caller was when it dropped, if it did. */
  droppedAt(caller: string): number | undefined;
  /** The position after the frame with this id. */
  positionAfter(id: string): number | undefined;
  framesBefore(position: number): readonly SseFrame[];
  subscribe(options: {
    readonly caller: string;
    readonly from: number;
    readonly encode: FrameEncoder;
    readonly encodeError: (error: RpcError) => Uint8Array;
    readonly before?: readonly Uint8Array[];
  }): AsyncIterable<Uint8Array>;
}

const MAX_AHEAD_BYTES = 4 * 1024 * 1024;
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

interface Subscriber {
  readonly caller: string;
  position: number;
  wake: (() => void) | undefined;
}

/**
 * One upstream stream for any number of callers, all of which see the same frames in the same order. It is read on
 * while nobody listens, for a while, so that a caller that dropped can come back and has missed nothing.
 */
export function createStreamHub(options: HubOptions): StreamHub {
  const frames: SseFrame[] = [];
  let firstKept = 0;
  let keptBytes = 0;
  let ended = false;
  let failure: RpcError | undefined;
  let tail: Uint8Array | undefined;
  const subscribers = new Set<Subscriber>();
  const dropped = new Map<string, number>();
  let drained: (() => void) | undefined;
  let alone: NodeJS.Timeout | undefined;
  let unseen: SseFrame[] = [];
  let looking: NodeJS.Immediate | undefined;
  let fault: unknown;

  function look(): void {
    clearImmediate(looking);
    looking = undefined;
    const fresh = unseen;
    unseen = [];
    try {
      for (const frame of fresh) options.onFrame(frame);
    } catch (thrown) {
      fault ??= thrown;
      options.giveUp();
    }
  }

  function wakeAll(): void {
    for (const subscriber of subscribers) {
      subscriber.wake?.();
      subscriber.wake = undefined;
    }
  }

  function ahead(): number {
    let slowest = firstKept + frames.length;
    for (const { position } of subscribers) slowest = Math.min(slowest, position);
    let bytes = 0;
    for (let at = Math.max(slowest - firstKept, 0); at < frames.length; at += 1)
      bytes += frames[at]?.bytes.length ?? 0;
    return bytes;
  }

  function keep(frame: SseFrame): void {
    frames.push(frame);
    keptBytes += frame.bytes.length;
    while (keptBytes > MAX_KEPT_BYTES && frames.length > 1) {
      keptBytes -= frames.shift()?.bytes.length ?? 0;
      firstKept += 1;
    }
  }

  async function read(): Promise<void> {
    const reader = createSseFrameReader();
    let error: unknown;
    try {
      for await (const piece of options.body) {
        for (const frame of reader.push(piece)) {
          keep(frame);
          unseen.push(frame);
        }
        wakeAll();
        looking ??= setImmediate(look);
        if (keptBytes > MAX_AHEAD_BYTES && subscribers.size > 0 && ahead() > MAX_AHEAD_BYTES) {
          await new Promise<void>((resolve) => {
            drained = resolve;
          });
        }
      }
    } catch (thrown) {
      error = thrown;
    }
    const rest = reader.rest();
    if (rest.length > 0) tail = rest;
    // Of a stream that came at once, too, the frames go out before anything is made of them.
    if (unseen.length > 0) await nextTurn();
    look();
    failure = options.onEnd(fault ?? error);
    ended = true;
    clearTimeout(alone);
    wakeAll();
  }
  void read();

  function left(subscriber: Subscriber): void {
    if (!subscribers.delete(subscriber)) return;
    dropped.set(subscriber.caller, subscriber.position);
    drained?.();
    if (ended || subscribers.size > 0) return;
    options.onAlone();
    alone = setTimeout(options.giveUp, options.waitSeconds * 1000);
    alone.unref();
  }

  return {
    get ended() {
      return ended;
    },
    droppedAt: (caller) => dropped.get(caller),
    positionAfter(id) {
      const at = frames.findIndex((frame) => frame.id === id);
      return at < 0 ? undefined : firstKept + at + 1;
    },
    framesBefore: (position) => frames.slice(0, Math.max(0, position - firstKept)),
    subscribe({ caller, from, encode, encodeError, before = [] }) {
      const subscriber: Subscriber = { caller, position: Math.max(from, firstKept), wake: undefined };
      subscribers.add(subscriber);
      dropped.delete(caller);
      clearTimeout(alone);
      const first = [...before];
      let done = false;
      const over = { done: true, value: undefined } as const;

      async function next(): Promise<IteratorResult<Uint8Array>> {
        while (!done) {
          const opening = first.shift();
          if (opening) return { done: false, value: opening };
          const frame = frames[subscriber.position - firstKept];
          if (frame) {
            subscriber.position += 1;
            drained?.();
            const bytes = encode(frame);
            if (bytes !== undefined) return { done: false, value: bytes };
          } else if (ended) {
            done = true;
            subscribers.delete(subscriber);
            const last = failure ? encodeError(failure) : tail;
            if (last) return { done: false, value: last };
          } else {
            await new Promise<void>((resolve) => {
              subscriber.wake = resolve;
            });
          }
        }
        return over;
      }

      async function leave(): Promise<IteratorResult<Uint8Array>> {
        if (!done) {
          done = true;
          left(subscriber);
          subscriber.wake?.();
        }
        return over;
      }

      return { [Symbol.asyncIterator]: () => ({ next, return: leave }) };
    },
  };
}
