import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { createPrivateFile, makePrivateFolder, protectFile } from '../../../platform/private-files.ts';
import { unavailable } from './sqlite-error.ts';

/** We create the file instead of SQLite, so that nobody else can ever read it; its WAL gets the same mode. */
export function createDataFile(path: string): void {
  try {
    if (existsSync(path)) {
      for (const suffix of ['', '-wal', '-shm']) protectFile(path + suffix);
      return;
    }
    makePrivateFolder(dirname(path));
    if (createPrivateFile(path)) flush(dirname(path));
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** So that a power failure cannot take the new file away from under its first commits. */
function flush(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** A file that vanished must not come back empty. */
export function requireDataFile(path: string): void {
  if (!existsSync(path)) throw unavailable(new Error(`${path} is gone`));
}
