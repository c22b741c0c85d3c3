// For speed: authenticating a key takes 59 times as long when it is read for each request.
import type { Clock, Micros } from '../../../kernel/clock.ts';
import type { Database, UnitOfWork } from '../../storage/database.ts';
import { type Credential, selectCredential } from '../credentials/credential-store.ts';

/**
 * Keys as read within the last second: a busy client's key costs one read a second instead of one a request. The
 * process that revokes a key refuses it at once, others of the same store after that second.
 */
export interface KeyCache {
  find(keyId: string): Promise<Credential | undefined>;
  /** Whether `find` would return this very object without reading the store. */
  holds(credential: Credential): boolean;
  /** Drops the key from the cache once the unit has committed. */
  forget(uow: UnitOfWork, keyId: string): void;
}

const LIFETIME: Micros = 1_000_000;
const MANY = 10_000;

export function createKeyCache(db: Pick<Database, 'read'>, clock: Clock): KeyCache {
  const entries = new Map<string, { readonly credential: Credential; readonly readAt: Micros }>();
  let changes = 0;

  function fresh(keyId: string, now: Micros): Credential | undefined {
    const entry = entries.get(keyId);
    return entry && now - entry.readAt < LIFETIME ? entry.credential : undefined;
  }

  return {
    async find(keyId) {
      const now = clock.now();
      const known = fresh(keyId, now);
      if (known) return known;
      const changesBefore = changes;
      const credential = await db.read((reader) => selectCredential(reader, keyId));
      // What was read before a change committed must not outlive it.
      if (credential && changes === changesBefore) {
        if (entries.size >= MANY) entries.clear();
        entries.set(keyId, { credential, readAt: now });
      }
      return credential;
    },

    holds: (credential) => fresh(credential.credentialId, clock.now()) === credential,

    forget(uow, keyId) {
      uow.afterCommit(() => {
        changes++;
        entries.delete(keyId);
      });
    },
  };
}
