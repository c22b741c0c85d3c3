import type { Micros } from '../../../kernel/clock.ts';
import type { Database, UnitOfWork } from '../../storage/database.ts';

/**
 * Writes "last used" and "last seen" beside the requests, never in them, and at most once for each grain of time.
 * A write that fails is not repeated: the next request tries again.
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

const MANY = 10_000;

export function createTouches(db: Pick<Database, 'write'>): Touches {
  const touched = new Map<string, Micros>();
  const under = new Set<Promise<void>>();
  return {
    touch(id, last, now, grain, mark) {
      if (now - Math.max(last ?? 0, touched.get(id) ?? 0) < grain) return;
      if (touched.size >= MANY) touched.clear();
      touched.set(id, now);
      const write = db
        .write((uow) => mark(uow, now))
        .catch(() => {
          touched.delete(id);
        })
        .finally(() => under.delete(write));
      under.add(write);
    },
    async settled() {
      await Promise.all(under);
    },
  };
}
