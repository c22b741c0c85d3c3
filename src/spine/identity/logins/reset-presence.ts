import type { Clock, Random } from '../../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import { selectActor } from '../credentials/actor-store.ts';
import { identityErrors } from '../errors.ts';
import type { RecordEvent } from '../ledger.ts';
import { DEFAULT_PROJECT, SYSTEM_ACTOR } from '../settings.ts';
import { deletePassphrase, endLoginsOfActor, replacePassphrase } from './login-store.ts';
import { deletePasskeysOf, factorsLock } from './passkey-store.ts';
import { hashPassphrase, isStrongEnough } from './passphrase.ts';

export interface ResetDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly record: RecordEvent;
  readonly passphraseCost: number | undefined;
}

export interface PresenceReset {
  readonly passkeysRemoved: number;
  readonly loginsEnded: number;
}

/**
 * For whoever has the machine and no longer the passphrase: in one unit the person's passphrase is replaced, their
 * passkeys are removed and their logins end. There is no operation for it, so that no credential reaches it: only a
 * command that opens the store itself. The journal says that it was done.
 */
export type ResetPresence = (actorId: string, passphrase: string) => Promise<PresenceReset>;

export function createPresenceReset({ db, clock, random, record, passphraseCost }: ResetDeps): ResetPresence {
  return async (actorId, passphrase) => {
    if (!isStrongEnough(passphrase)) throw identityErrors.passphrase_weak({ pointer: '/passphrase' });
    const next = await hashPassphrase(random, passphrase, passphraseCost);
    return db.write(async (uow) => {
      await uow.lock(factorsLock(actorId));
      const actor = await selectActor(uow, actorId);
      if (actor?.type !== 'human') throw identityErrors.person_not_found({ details: { actor_id: actorId } });
      const now = clock.now();
      await deletePassphrase(uow, actorId);
      await replacePassphrase(uow, actorId, undefined, next, now);
      const passkeysRemoved = await deletePasskeysOf(uow, actorId);
      const loginsEnded = await endLoginsOfActor(uow, actorId, now);
      await record(uow, {
        projectId: DEFAULT_PROJECT,
        actor: SYSTEM_ACTOR,
        type: 'passphrase.reset',
        payload: { actor_id: actorId, passkeys_removed: passkeysRemoved, logins_ended: loginsEnded },
      });
      return { passkeysRemoved, loginsEnded };
    });
  };
}
