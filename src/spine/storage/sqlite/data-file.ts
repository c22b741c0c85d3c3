import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { unavailable } from './sqlite-error.ts';

/** We create the file instead of SQLite, so that nobody else can ever read it; its WAL gets the same mode. */
export function createDataFile(path: string): void {
  try {
    if (existsSync(path)) return;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
    flush(dirname(path));
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
