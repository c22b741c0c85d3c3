/** For speed: a commit of its own for each write takes 8.7 times as long. */
import { BatonError } from '../../kernel/error.ts';
import type { Database, UnitOfWork } from '../../spine/storage/database.ts';

interface Work {
  readonly run: (uow: UnitOfWork) => Promise<void>;
  /** Whether there is nothing left to do by the time that it comes up. */
  readonly isMoot?: (() => boolean) | undefined;
}

export interface DeferredWrites {
  /** Done soon, together with what else waits, unless it is moot by then. */
  add(run: Work['run'], isMoot?: Work['isMoot']): void;
  /** Run when the answers of this turn of the event loop are out: what costs time and nobody waits for. */
  afterAnswer(step: () => void): void;
  /**
   * Undefined while the store keeps up. Otherwise a promise that whoever brings new work has to await first: what was
   * answered and is not stored yet stays within bounds, however many ask.
   */
  room(): Promise<void> | undefined;
  settled(): Promise<void>;
}

/** What is gathered for a tenth of a second costs little more than one exchange would by itself. */
const WAIT_MS = 100;
const AGAIN_MS = 500;
/** So many at once that a commit stays short, and few enough commits that the pages all of them change are written once. */
const BATCH = 128;
/** A few tenths of a second's worth of exchanges on a slow disk. */
const MOST_PENDING = 256;

/**
 * Gathers small writes that nobody waits for into one commit, so that they do not stand in the way of those that
 * somebody does. Where one of them fails, the others are done by themselves; what the store cannot take now waits.
 */
export function createDeferredWrites(
  db: Database,
  onError: (error: unknown, what: string) => void,
): DeferredWrites {
  let waiting: Work[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let pending = 0;
  let failing = false;
  let waitingForRoom: (() => void)[] = [];
  const steps = new Set<() => void>();

  function done(count: number): void {
    pending -= count;
    if (pending >= MOST_PENDING) return;
    const waiters = waitingForRoom;
    waitingForRoom = [];
    for (const go of waiters) go();
  }

  async function doAll(works: readonly Work[]): Promise<void> {
    try {
      await db.write(async (uow) => {
        for (const { run } of works) await run(uow);
      });
      failing = false;
      done(works.length);
    } catch (error) {
      if (error instanceof BatonError && error.status >= 500) {
        onError(error, 'what the relay saw waits for the store');
        waiting = [...works, ...waiting];
        failing = true;
        timer ??= setTimeout(start, AGAIN_MS);
        return;
      }
      if (works.length === 1) {
        done(1);
        return onError(error, 'what the relay saw was not recorded');
      }
      for (const work of works) await doAll([work]);
    }
  }

  function start(): void {
    timer = undefined;
    const works = waiting.filter(({ isMoot }) => !isMoot?.());
    done(waiting.length - works.length);
    waiting = [];
    for (let at = 0; at < works.length; at += BATCH) {
      const some = works.slice(at, at + BATCH);
      running = running.then(() => doAll(some));
    }
  }

  function runStep(step: () => void): void {
    if (!steps.delete(step)) return;
    try {
      step();
    } catch (error) {
      onError(error, 'what the relay saw was not recorded');
    }
  }

  return {
    add(run, isMoot) {
      pending += 1;
      waiting.push({ run, isMoot });
      timer ??= setTimeout(start, WAIT_MS);
    },
    afterAnswer(step) {
      steps.add(step);
      setImmediate(runStep, step);
    },
    room() {
      if (pending < MOST_PENDING) return undefined;
      // What waits for its tenth of a second has waited long enough.
      if (timer && !failing) {
        clearTimeout(timer);
        start();
      }
      return new Promise((resolve) => waitingForRoom.push(resolve));
    },
    async settled() {
      for (const step of steps) runStep(step);
      clearTimeout(timer);
      start();
      await running;
    },
  };
}
