import type { PlainAnswer } from '../../../spine/operations/plain.ts';
import { type Addressee, errorResponse, ownRpcError, RPC } from '../a2a/reply.ts';
import type { DeferredWrites } from '../deferred-writes.ts';

/** How much the relay takes on, whichever way it comes. */
export interface Capacity {
  readonly open: number;
  /** Does the work, or answers that there is too much of it. */
  within(work: () => Promise<PlainAnswer>, overloaded: () => PlainAnswer): Promise<PlainAnswer>;
}

/** How long a request waits for the store to catch up. */
const ROOM_SECONDS = 10;

export function createCapacity(mostOpen: number, deferred: DeferredWrites): Capacity {
  let open = 0;
  return {
    get open() {
      return open;
    },
    async within(work, overloaded) {
      if (open >= mostOpen) return overloaded();
      open += 1;
      try {
        const room = deferred.room();
        if (room && !(await inTime(room, ROOM_SECONDS))) return overloaded();
        return await work();
      } finally {
        open -= 1;
      }
    },
  };
}

export function overloadAnswer(to: Addressee): PlainAnswer {
  const error = ownRpcError(RPC.peer, 'The relay has as much to do as it takes.', 'relay_overload');
  return errorResponse(to, error, 503);
}

/** Whether it comes about in time. */
function inTime(work: Promise<void>, seconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), seconds * 1000);
    void work.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
