import type { Clock, Random } from '../../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import { ensureActor } from '../credentials/actor-store.ts';
import { standingSource } from '../credentials/standing.ts';
import { identityErrors } from '../errors.ts';
import type { RecordEvent } from '../ledger.ts';
import type { Limiter } from '../limits/limiter.ts';
import { requireMayEnrol, requirePerson } from '../presence-rules.ts';
import type { Actor, Principal } from '../principal.ts';
import { endPresenceOf, replacePassphrase, selectPassphrase } from './login-store.ts';
import type { Logins } from './logins.ts';
import { factorsLock, selectFactors } from './passkey-store.ts';
import { checkPassphrase, hashPassphrase, isStrongEnough } from './passphrase.ts';

export interface Presence {
  /**
   * Sets the caller's own passphrase: the first one with no other proof, every later one with the current one or with
   * presence. What was proved before ends, except in the session at hand.
   */
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
  readonly owner: Actor;
}

const ATTEMPTS = { limit: 10, windowSeconds: 900 };

/** Hashing takes longer than a unit of work may: it happens between a read and a write that checks again. */
export function createPresence(deps: PresenceDeps): Presence {
  const { db, clock, random, record, limiter, logins, passphraseCost, owner } = deps;

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
      // One that was given must be right, also where presence would have done without.
      if (stored && !right && (current !== undefined || !by.present)) {
        throw identityErrors.passphrase_wrong({ pointer: '/current' });
      }
      const next = await hashPassphrase(random, passphrase, passphraseCost);
      await db.write(async (uow) => {
        await uow.lock(factorsLock(by.actor.id));
        await standingSource(uow, by, clock.now());
        requireMayEnrol(by, await selectFactors(uow, by.actor.id), owner, right);
        const now = clock.now();
        await ensureActor(uow, by.actor, now);
        if (!(await replacePassphrase(uow, by.actor.id, stored, next, now))) {
          throw identityErrors.passphrase_wrong({ pointer: '/current' });
        }
        await endPresenceOf(uow, by.actor.id, by.credential.id, now);
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
