import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'hooks.log';
const LARGEST = 256 * 1024;

/** A line for whoever wonders why a hook did nothing. It never fails, and holds nobody's words. */
export function logFailure(dataDir: string, what: string, error: unknown): void {
  try {
    const path = join(dataDir, NAME);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LARGEST) renameSync(path, `${path}.1`);
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const line = JSON.stringify({ at: new Date().toISOString(), what, reason: reason.slice(0, 500) });
    appendFileSync(path, `${line}\n`, { mode: 0o600 });
  } catch {
    // There is nowhere left to say it.
  }
}
