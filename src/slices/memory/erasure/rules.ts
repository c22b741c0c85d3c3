import type { Leftover } from '../../../spine/storage/database.ts';
import { memoryErrors } from '../errors.ts';

/** What to erase: one memory, everything from one agent, everything in one category, or the whole profile. */
export type ErasureScope =
  | { readonly what: 'memory' | 'agent' | 'category'; readonly target: string }
  | { readonly what: 'profile'; readonly target: '' };

/**
 * `removing`: rows and their places in the index are being deleted, in steps that each commit. `removed`: all are gone,
 * nobody can read them; their bytes may be left in the store's files. `done`: not even those.
 */
export const ERASURE_STATES = ['removing', 'removed', 'done'] as const;
export type ErasureState = (typeof ERASURE_STATES)[number];

export interface ErasureRequest {
  readonly memory?: string | undefined;
  readonly agent?: string | undefined;
  readonly category?: string | undefined;
  readonly everything?: boolean | undefined;
}

/** Exactly one: an ambiguous request erases nothing. */
export function scopeOf({ memory, agent, category, everything }: ErasureRequest): ErasureScope {
  const scopes: ErasureScope[] = [];
  if (memory !== undefined) scopes.push({ what: 'memory', target: memory });
  if (agent !== undefined) scopes.push({ what: 'agent', target: agent });
  if (category !== undefined) scopes.push({ what: 'category', target: category });
  if (everything === true) scopes.push({ what: 'profile', target: '' });
  const [only] = scopes;
  if (!only || scopes.length > 1)
    throw memoryErrors.A2P006({ message: 'Give exactly one of memory, agent, category or everything.' });
  return only;
}

const WHY: Readonly<Record<Leftover, string>> = {
  wal: 'Another process is reading the data file, so its write-ahead log cannot be emptied yet.',
  file: 'The data file could not be rewritten: another process writes to it, or the disk is full.',
  dead_rows:
    'A transaction is open in PostgreSQL that may still read the deleted rows, so VACUUM must leave them.',
};

export const remainsBody = (remains: readonly Leftover[]) =>
  remains.map((where) => ({ where, why: WHY[where] }));

/** What no state of an erasure speaks for. */
export const OUTSIDE: Readonly<Record<'sqlite' | 'postgres', readonly string[]>> = {
  sqlite: ['Backups and exports made before: delete them yourself.'],
  postgres: [
    'Backups and exports made before: delete them yourself.',
    'Freed space in PostgreSQL’s files until it is reused (VACUUM FULL rewrites them), its WAL and its replicas.',
  ],
};
