import type { Engine } from './database.ts';

/**
 * Ends a `select` so that the row stays ours until the unit ends. SQLite needs nothing: its units never overlap.
 *
 * Chosen over optimistic retries on `unique (chain_id, sequence)`: writers of a busy chain queue up and each
 * succeeds at its first attempt, and an event's time is read while the chain stands still.
 */
export function rowLock(engine: Engine): string {
  return engine === 'postgres' ? ' for update' : '';
}
