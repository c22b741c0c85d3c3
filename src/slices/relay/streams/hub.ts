import type { Flow, Outlet } from '../../../spine/operations/flow.ts';
import { createSseFrameReader, type SseFrame } from '../a2a/sse-frames.ts';
import type { RpcError } from '../a2a/translate/error.ts';

/** How a subscriber gets a frame: as it came, or in its own version and under its own request id. */
export type FrameEncoder = (frame: SseFrame) => Uint8Array | undefined;

/** Where a stream comes from. */
export interface Source {
  /** Gives each piece to `take`, and calls `over` once, with what broke it off if something did. */
  follow(take: (piece: Uint8Array) => void, over: (failure: unknown) => void): void;
  pause(): void;
  resume(): void;
  /** Nobody wants the rest. */
  destroy(): void;
}

export interface HubOptions {
  readonly source: Source;
  /** Called a moment after the frame has gone out: no subscriber waits for what is made of it. */
  readonly onFrame: (frame: SseFrame) => void;
  /** Of such a frame something must be written down before anybody gets it: it is looked at first. */
  readonly mustBeSeen: (frame: SseFrame) => boolean;
  /** The stream is over; with an error where it broke off. */
  readonly onEnd: (error: unknown) => RpcError | undefined;
  readonly onAlone: () => void;
  readonly waitSeconds: number;
}

export interface Subscription {
  readonly caller: string;
  readonly from: number;
  readonly encode: FrameEncoder;
  readonly encodeError: (error: RpcError) => Uint8Array;
  /** Goes out ahead of the frames. */
  readonly opening?: Uint8Array | undefined;
}

export interface StreamHub {
  readonly ended: boolean;
  /** Where this caller was when it dropped, if it did and all that came since is still there. */
  droppedAt(caller: string): number | undefined;
  /** The position after the frame with this id. */
  positionAfter(id: string): number | undefined;
  framesBefore(position: number): readonly SseFrame[];
  subscribe(subscription: Subscription): Flow;
}

const MAX_AHEAD_BYTES = 4 * 1024 * 1024;
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
/** What a frame takes besides its bytes: a stream of very many small ones is not small. */
const OF_A_FRAME = 512;

interface Subscriber {
  position: number;
  /** Gives it all that it has room for. */
  serve(): void;
}

/**
 * One upstream stream for any number of callers, all of which see the same frames in the same order. It is read on
 * while nobody listens, for a while, so that a caller that dropped can come back and has missed nothing.
 */
export function createStreamHub(options: HubOptions): StreamHub {
  const { source, onFrame, mustBeSeen, onEnd, onAlone, waitSeconds } = options;
  const reader = createSseFrameReader();
  let frames: SseFrame[] = [];
  /** How much came up to the end of each of them. */
  let ends: number[] = [];
  let firstKept = 0;
  let came = 0;
  let forgotten = 0;
  let ended = false;
  let failure: RpcError | undefined;
  const subscribers = new Set<Subscriber>();
  const dropped = new Map<string, number>();
  let paused = false;
  let alone: NodeJS.Timeout | undefined;
  let unseen: SseFrame[] = [];
  let looking: NodeJS.Immediate | undefined;
  let fault: unknown;

  function stopBy(thrown: unknown): void {
    fault ??= thrown;
    source.destroy();
  }

  function look(): void {
    looking = undefined;
    const fresh = unseen;
    unseen = [];
    try {
      for (const frame of fresh) onFrame(frame);
    } catch (thrown) {
      stopBy(thrown);
    }
  }

  function serveAll(): void {
    for (const subscriber of subscribers) subscriber.serve();
  }

  function slowest(): number {
    let least = firstKept + frames.length;
    for (const { position } of subscribers) least = Math.min(least, position);
    return least;
  }

  function ahead(): number {
    return came - (ends[slowest() - firstKept - 1] ?? forgotten);
  }

  /** The peer waits while the slowest of its readers is far behind. */
  function pace(): void {
    const tooFar = ahead() > MAX_AHEAD_BYTES;
    if (tooFar === paused) return;
    paused = tooFar;
    if (paused) source.pause();
    else source.resume();
  }

  function keep(frame: SseFrame): void {
    came += frame.bytes.length + OF_A_FRAME;
    frames.push(frame);
    ends.push(came);
    if (came - forgotten > MAX_KEPT_BYTES) forget();
  }

  /** The oldest quarter at once, since each time moves all that stay; nothing that a reader has not had. */
  function forget(): void {
    const most = forgotten + (came - forgotten) / 4;
    const old = Math.max(
      ends.findIndex((end) => end > most),
      1,
    );
    const count = Math.min(old, slowest() - firstKept, frames.length - 1);
    if (count <= 0) return;
    forgotten = ends[count - 1] ?? forgotten;
    frames = frames.slice(count);
    ends = ends.slice(count);
    firstKept += count;
  }

  function take(piece: Uint8Array): void {
    let isUrgent = false;
    try {
      for (const frame of reader.push(piece)) {
        keep(frame);
        unseen.push(frame);
        isUrgent ||= mustBeSeen(frame);
      }
    } catch (thrown) {
      stopBy(thrown);
    }
    if (isUrgent) look();
    serveAll();
    looking ??= setImmediate(look);
    pace();
  }

  function end(error: unknown): void {
    failure = onEnd(fault ?? error);
    ended = true;
    clearTimeout(alone);
    serveAll();
  }

  // Of a stream that came at once, too, the frames go out before anything is made of them.
  source.follow(take, (error) => {
    if (looking) setImmediate(end, error);
    else end(error);
  });

  function left(caller: string, subscriber: Subscriber): void {
    if (!subscribers.delete(subscriber)) return;
    dropped.set(caller, subscriber.position);
    pace();
    if (ended || subscribers.size > 0) return;
    onAlone();
    alone = setTimeout(() => source.destroy(), waitSeconds * 1000);
    alone.unref();
  }

  function flowTo({ caller, from, encode, encodeError, opening }: Subscription): Flow {
    let outlet: Outlet | undefined;
    let full = false;
    const subscriber: Subscriber = { position: Math.max(from, firstKept), serve };
    subscribers.add(subscriber);

    function write(bytes: Uint8Array | undefined): void {
      if (bytes !== undefined && outlet) full = !outlet.write(bytes);
    }

    function serve(): void {
      try {
        while (outlet && !full) {
          const frame = frames[subscriber.position - firstKept];
          if (!frame) break;
          subscriber.position += 1;
          write(encode(frame));
        }
        if (outlet && !full && ended) finish(outlet);
      } catch (thrown) {
        outlet?.end(thrown);
        outlet = undefined;
      }
    }

    function finish(to: Outlet): void {
      subscribers.delete(subscriber);
      const last = failure ? encodeError(failure) : reader.rest();
      if (last.length > 0) write(last);
      outlet = undefined;
      to.end();
    }

    return {
      into(given) {
        outlet = given;
        write(opening);
        serve();
      },
      more() {
        full = false;
        serve();
        pace();
      },
      leave() {
        outlet = undefined;
        left(caller, subscriber);
      },
    };
  }

  return {
    get ended() {
      return ended;
    },
    droppedAt(caller) {
      const position = dropped.get(caller);
      return position !== undefined && position >= firstKept ? position : undefined;
    },
    positionAfter(id) {
      const at = frames.findIndex((frame) => frame.read().id === id);
      return at < 0 ? undefined : firstKept + at + 1;
    },
    framesBefore: (position) => frames.slice(0, Math.max(0, position - firstKept)),
    subscribe(subscription) {
      dropped.delete(subscription.caller);
      clearTimeout(alone);
      return flowTo(subscription);
    },
  };
}
