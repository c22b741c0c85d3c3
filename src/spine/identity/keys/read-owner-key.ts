import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Apart from what makes the key, so that a command that only reads it loads no cryptography. */
export function ownerKeyPath(dataDirectory: string): string {
  return join(dataDirectory, 'owner.key');
}

/** Undefined where there is none. */
export function readOwnerKey(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fault;
  }
}
