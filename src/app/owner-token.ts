import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The owner key of a data directory; undefined where there is none. Read here and not by the room that makes it, which
 * would bring its cryptography into every command.
 */
export function readOwnerToken(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, 'owner.key'), 'utf8').trim();
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fault;
  }
}
