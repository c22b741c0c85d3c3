import { storageErrors } from '../errors.ts';
import { inThread } from './thread.ts';

/** Reads every page, and leaves one file without a WAL. */
const SCRIPT = `
  const db = new DatabaseSync(path);
  const faults = db.prepare('pragma integrity_check').all().map((row) => row.integrity_check);
  db.exec('pragma journal_mode = delete');
  db.close();
  return faults;
`;

export async function finishCopy(path: string): Promise<void> {
  const faults = await inThread<readonly string[]>(path, SCRIPT);
  if (faults.length !== 1 || faults[0] !== 'ok') {
    throw storageErrors.storage_unavailable({
      message: `The copy is damaged, and so may the data file be: ${faults.slice(0, 3).join('; ')}.`,
      next: 'Check the disk, and keep the last good backup.',
      details: { faults },
    });
  }
}
