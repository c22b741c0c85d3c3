import type { Micros } from '../../kernel/clock.ts';
import type { Database, UnitOfWork } from '../../storage/database.ts';

/**
 * Writes "last used" and "last seen" beside the requests, never in them, and at most once for each grain of time.
 * A write that fails is not repeated: the next request after the grain tries again.
 */
export interface Touches {
  touch(
    id: string,
    last: Micros | null,
    now: Micros,
    grain: Micros,
    mark: (uow: UnitOfWork, now: Micros) => Promise<void>,
  ): void;
  /** Resolves when no write is under way. */
  settled(): Promise<void>;
}

export function createTouches(db: Database): Touches {
  const under = new Map<string, Promise<void>>();
  return {
    touch(id, last, now, grain, mark) {
      if (last !== null && now - last < grain) return;
      if (under.has(id)) return;
      const write = db
        .write((uow) => mark(uow, now))
        .catch(() => undefined)
        .finally(() => under.delete(id));
      under.set(id, write);
    },
    async settled() {
      await Promise.all(under.values());
    },
  };
}
