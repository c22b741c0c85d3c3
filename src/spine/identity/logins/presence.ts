import type { Clock, Random } from '../../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import { ensureActor } from '../credentials/actor-store.ts';
import { identityErrors } from '../errors.ts';
import type { RecordEvent } from '../ledger.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Principal } from '../principal.ts';
import { replacePassphrase, selectPassphrase } from './login-store.ts';
import type { Logins } from './logins.ts';
import { checkPassphrase, hashPassphrase, isStrongEnough } from './passphrase.ts';

export interface Presence {
  /** The first one can be set freely; changing it requires the current one. */
  setPassphrase(by: Principal, passphrase: string, current?: string): Promise<void>;
  /** Proves that a person is there, for 15 minutes; see `Logins.unlock`. */
  login(
    by: Principal,
    passphrase: string,
  ): Promise<{ readonly token: string | undefined; readonly presentUntil: number }>;
}

export interface PresenceDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly record: RecordEvent;
  readonly limiter: Limiter;
  readonly logins: Logins;
  readonly passphraseCost: number | undefined;
}

const ATTEMPTS = { limit: 10, windowSeconds: 900 };

/** Hashing takes longer than a unit of work may: it happens between a read and a write that checks again. */
export function createPresence(deps: PresenceDeps): Presence {
  const { db, clock, random, record, limiter, logins, passphraseCost } = deps;

  async function verified(by: Principal, passphrase: string | undefined) {
    const attempt = await limiter.take(`passphrase:${by.actor.id}`, ATTEMPTS);
    if (!attempt.granted) {
      throw identityErrors.rate_limited({ retryAfterSeconds: attempt.retryAfterSeconds });
    }
    const stored = await db.read((reader) => selectPassphrase(reader, by.actor.id));
    return { stored, right: await checkPassphrase(stored, passphrase ?? '', passphraseCost) };
  }

  return {
    async setPassphrase(by, passphrase, current) {
      requirePerson(by);
      if (!isStrongEnough(passphrase)) throw identityErrors.passphrase_weak({ pointer: '/passphrase' });
      const { stored, right } = await verified(by, current);
      if (stored && !right) throw identityErrors.passphrase_wrong({ pointer: '/current' });
      const next = await hashPassphrase(random, passphrase, passphraseCost);
      await db.write(async (uow) => {
        await ensureActor(uow, by.actor, clock.now());
        if (!(await replacePassphrase(uow, by.actor.id, stored, next, clock.now()))) {
          throw identityErrors.passphrase_wrong({ pointer: '/current' });
        }
        await record(uow, {
          projectId: by.defaultProject,
          actor: by.actor,
          type: 'passphrase.set',
          payload: { actor_id: by.actor.id, first: stored === undefined },
        });
      });
    },

    async login(by, passphrase) {
      requirePerson(by);
      const { stored, right } = await verified(by, passphrase);
      if (!right) throw identityErrors.passphrase_wrong({ pointer: '/passphrase' });
      return db.write(async (uow) => {
        const now = await selectPassphrase(uow, by.actor.id);
        if (now?.hash !== stored?.hash) throw identityErrors.passphrase_wrong({ pointer: '/passphrase' });
        return logins.unlock(uow, by);
      });
    },
  };
}

function requirePerson(by: Principal): void {
  if (by.actor.type !== 'human') {
    throw identityErrors.presence_required({ message: 'Only a person has a passphrase.' });
  }
}
