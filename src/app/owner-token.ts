import { identityErrors } from '../spine/identity/errors.ts';
import { ownerKeyPath, readOwnerKey } from '../spine/identity/keys/read-owner-key.ts';
import type { Settings } from './settings.ts';

/** The owner key of a data directory; undefined where there is none. */
export function readOwnerToken(dataDir: string): string | undefined {
  return readOwnerKey(ownerKeyPath(dataDir));
}

/** The credential of a process that acts for whoever started it: the one given, else the owner's. */
export function tokenOf({ token, dataDir }: Pick<Settings, 'token' | 'dataDir'>): string | undefined {
  return token ?? readOwnerToken(dataDir);
}

export const ownerKeyLost = (path: string) =>
  identityErrors.owner_key_lost({
    message: `${path} is missing or holds another key than this store’s.`,
    details: { path },
  });
