import type { Compaction } from '../database.ts';
import { type DatabaseOptions, lockWait } from '../options.ts';
import { unavailable } from './sqlite-error.ts';
import { inThread } from './thread.ts';

type Answer = 'done' | 'busy';

/**
 * Deleted content is overwritten where it stood (`secure_delete`); copies of its pages are in the WAL until that is
 * emptied. So the WAL comes first, and as long as somebody reads there the file is not rewritten: each rewriting would
 * add a copy of the whole file to a WAL that cannot be emptied.
 */
export async function compact(path: string, options: DatabaseOptions): Promise<Compaction> {
  const waitMs = lockWait(options);
  const step = (script: string) =>
    inThread<Answer>(path, script).catch((cause: unknown) => {
      throw unavailable(cause);
    });
  if ((await step(emptyWal(waitMs))) === 'busy') return { remains: ['wal'] };
  options.faults?.('compact.emptied');
  if ((await step(rewrite(waitMs))) === 'busy') return { remains: ['file'] };
  options.faults?.('compact.rewritten');
  return (await step(emptyWal(waitMs))) === 'busy' ? { remains: ['wal'] } : { remains: [] };
}

const guarded = (timeout: number, script: string) => `
  const db = new DatabaseSync(path, { timeout: ${timeout} });
  try {
    ${script}
  } catch (error) {
    if ((error.errcode & 255) === 5) return 'busy';
    throw error;
  } finally {
    db.close();
  }
`;

/**
 * The WAL can be emptied only between the reads of others, and whoever waits for them holds the write lock: many short
 * tries let writers in between.
 */
const emptyWal = (waitMs: number) =>
  guarded(
    Math.min(50, waitMs),
    `
    const until = performance.now() + ${waitMs};
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (;;) {
      if (db.prepare('pragma wal_checkpoint(truncate)').get().busy === 0) return 'done';
      if (performance.now() > until) return 'busy';
      Atomics.wait(pause, 0, 0, 10);
    }`,
  );

const rewrite = (waitMs: number) => guarded(waitMs, `db.exec('vacuum'); return 'done';`);
