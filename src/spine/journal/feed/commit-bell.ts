import type { Database } from '../../storage/database.ts';

/** Remembers a ring until it is reset, so that a reader who resets, reads and then waits misses nothing. */
export interface BellListener {
  reset(): void;
  /** Resolves at the first ring since `reset`, when the signal fires, or after the time given. */
  rung(signal: AbortSignal, atMostMs?: number): Promise<void>;
  close(): void;
}

export interface CommitBell {
  listen(): BellListener;
}

/**
 * One commit listener for many readers. `first` runs before any of them wakes. The database is listened to only while
 * someone waits, because noticing other processes' commits costs it a poll.
 */
export function createCommitBell(db: Database, first: () => void): CommitBell {
  const ringers = new Set<() => void>();
  let stop: (() => void) | undefined;

  return {
    listen() {
      let rang = false;
      let wake: (() => void) | undefined;
      const ring = () => {
        rang = true;
        wake?.();
      };
      ringers.add(ring);
      stop ??= db.onCommit(() => {
        first();
        for (const each of [...ringers]) each();
      });
      return {
        reset() {
          rang = false;
        },
        rung(signal, atMostMs) {
          if (rang || signal.aborted) return Promise.resolve();
          return new Promise((resolve) => {
            const timer =
              atMostMs === undefined ? undefined : setTimeout(() => wake?.(), Math.ceil(atMostMs));
            wake = () => {
              wake = undefined;
              clearTimeout(timer);
              signal.removeEventListener('abort', ring);
              resolve();
            };
            signal.addEventListener('abort', ring, { once: true });
          });
        },
        close() {
          ringers.delete(ring);
          if (ringers.size > 0) return;
          stop?.();
          stop = undefined;
        },
      };
    },
  };
}
