import { storageErrors } from '../errors.ts';
import { unavailable } from './sqlite-error.ts';
import { inThread } from './thread.ts';

/** The WAL can be emptied only between the reads of others. */
const script = (waitMs: number) => `
  const db = new DatabaseSync(path, { timeout: ${waitMs} });
  try {
    db.exec('vacuum');
    const until = performance.now() + ${waitMs};
    for (;;) {
      if (db.prepare('pragma wal_checkpoint(truncate)').get().busy === 0) return 'done';
      if (performance.now() > until) return 'busy';
    }
  } catch (error) {
    if ((error.errcode & 255) === 5) return 'busy';
    throw error;
  } finally {
    db.close();
  }
`;

export async function compact(path: string, waitMs: number): Promise<void> {
  const answer = await inThread<'done' | 'busy'>(path, script(waitMs)).catch((cause: unknown) => {
    throw unavailable(cause);
  });
  if (answer === 'busy') throw storageErrors.storage_locked();
}
