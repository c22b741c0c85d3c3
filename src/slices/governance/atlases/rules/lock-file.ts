import { z } from 'zod';
import type { Locked } from './dependencies.ts';

export const LOCK_FILE = 'cra.atlases.lock';

const lockSchema = z.strictObject({
  lock_version: z.literal('1'),
  atlases: z.record(z.string(), z.strictObject({ version: z.string(), digest: z.string() })),
});

/** Sorted and pretty, so that two locks differ only where a choice differs. */
export function writeLock(locked: readonly Locked[]): string {
  const atlases = Object.fromEntries(
    [...locked]
      .sort((a, b) => (a.atlasId < b.atlasId ? -1 : 1))
      .map(({ atlasId, version, digest }) => [atlasId, { version, digest }]),
  );
  return `${JSON.stringify({ lock_version: '1', atlases }, null, 2)}\n`;
}

/** Undefined when the text is no lock file. */
export function readLock(value: unknown): Locked[] | undefined {
  const parsed = lockSchema.safeParse(value);
  if (!parsed.success) return undefined;
  return Object.entries(parsed.data.atlases).map(([atlasId, entry]) => ({ atlasId, ...entry }));
}

export interface LockDrift {
  readonly atlasId: string;
  readonly locked: string | undefined;
  readonly found: string | undefined;
}

/** What would change if the lock were written anew: also a version whose content is no longer the same. */
export function lockDrift(lock: readonly Locked[], found: readonly Locked[]): LockDrift[] {
  const before = new Map(lock.map((entry) => [entry.atlasId, entry]));
  const after = new Map(found.map((entry) => [entry.atlasId, entry]));
  const show = (entry: Locked | undefined) => entry && `${entry.version} ${entry.digest}`;
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .filter((id) => show(before.get(id)) !== show(after.get(id)))
    .map((atlasId) => ({ atlasId, locked: show(before.get(atlasId)), found: show(after.get(atlasId)) }));
}
