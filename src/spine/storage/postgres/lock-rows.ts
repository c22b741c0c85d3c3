import { createHash } from 'node:crypto';

/**
 * What units lock are rows, not advisory locks, which poolers and compatible engines may take for nothing. There are at most
 * so many: two keys that share a row wait for each other without need, which is rare enough.
 */
const SLOTS = 65_536;

export const LOCK_TABLE = 'create table if not exists storage_locks (slot integer primary key)';

/**
 * Made where they are missing and then locked, by two statements: the second sees what another transaction has made while
 * the first waited for it. In the order of the slots, so that no two units wait for each other.
 */
export const MAKE_LOCKS = `insert into storage_locks (slot)
  select slot from unnest(cast(? as integer[])) as wanted (slot) order by slot on conflict (slot) do nothing`;
export const TAKE_LOCKS =
  'select slot from storage_locks where slot = any(cast(? as integer[])) order by slot for update';

/** The rows of these keys, as an array of PostgreSQL. */
export function lockSlots(keys: readonly string[]): string {
  const slots = new Set(keys.map((key) => createHash('sha256').update(key).digest().readUInt32BE(0) % SLOTS));
  return `{${[...slots].join(',')}}`;
}
