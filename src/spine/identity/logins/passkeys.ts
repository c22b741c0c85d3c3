import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { encodeBase64Url } from '../../../kernel/base64.ts';
import type { Clock, Micros, Random } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { fromHex } from '../../../kernel/hex.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import type { Database, Reader, UnitOfWork } from '../../storage/database.ts';
import { ensureActor } from '../credentials/actor-store.ts';
import { standingSource } from '../credentials/standing.ts';
import { identityErrors } from '../errors.ts';
import type { RecordEvent } from '../ledger.ts';
import type { Limiter } from '../limits/limiter.ts';
import { hasFactor, requireMayEnrol, requirePerson, requirePresence } from '../presence-rules.ts';
import type { Actor, Principal } from '../principal.ts';
import type { Logins } from './logins.ts';
import { checkProof, checkRegistration } from './passkey-check.ts';
import {
  type Challenge,
  type ChallengePurpose,
  deletePasskey,
  factorsLock,
  insertPasskey,
  markPasskeyUsed,
  type Passkey,
  putChallenge,
  selectFactors,
  selectPasskeys,
  takeChallenge,
} from './passkey-store.ts';
import { type RelyingParty, relyingPartyOf, rpIdOf } from './relying-party.ts';

export interface Passkeys {
  /** Where browsers find this server. Until it is told, and in a process that serves nothing, there are no passkeys. */
  servedAt(origins: readonly string[]): void;
  list(reader: Reader, by: Principal): Promise<readonly Passkey[]>;
  /** What the browser needs to make one. `origin` is the page's, as the browser states it. */
  startRegistration(by: Principal, origin?: string): Promise<PublicKeyCredentialCreationOptionsJSON>;
  register(by: Principal, response: RegistrationResponseJSON, label?: string): Promise<Passkey>;
  startProof(by: Principal, origin?: string): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** Makes the dashboard session present for 15 minutes. */
  prove(by: Principal, response: AuthenticationResponseJSON): Promise<{ readonly presentUntil: Micros }>;
  remove(uow: UnitOfWork, by: Principal, passkeyId: string): Promise<void>;
}

export interface PasskeyDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly record: RecordEvent;
  readonly limiter: Limiter;
  readonly logins: Logins;
  readonly owner: Actor;
}

const CHALLENGE_LIFETIME: Micros = 5 * 60_000_000;
const CHALLENGES = { limit: 60, windowSeconds: 900 };
const MOST_PASSKEYS = 20;

/**
 * A challenge belongs to one dashboard session and one purpose and is used up by the first answer, right or wrong.
 * Checking a signature takes longer than a unit of work may: it happens between the unit that takes the challenge and
 * the one that looks again at what it rests on.
 */
export function createPasskeys(deps: PasskeyDeps): Passkeys {
  const { db, clock, random, hasher, record, limiter, logins, owner } = deps;
  let origins: readonly string[] = [];

  function partyOf(by: Principal, claimed: string | undefined): RelyingParty {
    requirePerson(by);
    requireDashboard(by);
    const party = relyingPartyOf(origins, claimed);
    if (party) return party;
    const [own] = origins;
    throw identityErrors.passkey_unavailable(
      own === undefined ? {} : { next: `Open the dashboard at ${own}, where passkeys work.` },
    );
  }

  async function newChallenge(by: Principal, purpose: ChallengePurpose, origin: string): Promise<string> {
    const taken = await limiter.take(`passkey:${by.actor.id}`, CHALLENGES);
    if (!taken.granted) throw identityErrors.rate_limited({ retryAfterSeconds: taken.retryAfterSeconds });
    const challenge = encodeBase64Url(random.bytes(32));
    await db.write((uow) => {
      const now = clock.now();
      const expiresMicros = now + CHALLENGE_LIFETIME;
      return putChallenge(uow, { loginId: by.credential.id, purpose, challenge, origin, expiresMicros }, now);
    });
    return challenge;
  }

  async function answered(by: Principal, purpose: ChallengePurpose): Promise<Challenge> {
    requirePerson(by);
    requireDashboard(by);
    const taken = await db.write((uow) => takeChallenge(uow, by.credential.id, purpose));
    if (!taken || clock.now() >= taken.expiresMicros) throw identityErrors.passkey_refused();
    return taken;
  }

  return {
    servedAt(own) {
      origins = own;
    },

    list: (reader, by) => selectPasskeys(reader, by.actor.id),

    async startRegistration(by, claimed) {
      const { origin, rpId } = partyOf(by, claimed);
      const [factors, known] = await db.read(async (reader) => [
        await selectFactors(reader, by.actor.id),
        await selectPasskeys(reader, by.actor.id),
      ]);
      requireMayEnrol(by, factors, owner, false);
      const challenge = await newChallenge(by, 'register', origin);
      return {
        challenge,
        rp: { id: rpId, name: 'Baton' },
        user: {
          // The same person is the same account to an authenticator, which then replaces instead of collecting.
          id: encodeBase64Url(fromHex(hasher.hex(`baton-passkey:${by.actor.id}`))!),
          name: by.actor.id,
          displayName: by.actor.id,
        },
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' as const })),
        timeout: CHALLENGE_LIFETIME / 1000,
        attestation: 'none',
        excludeCredentials: known
          .filter((passkey) => passkey.rpId === rpId)
          .map(({ passkeyId }) => ({ id: passkeyId, type: 'public-key' as const })),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      };
    },

    async register(by, response, label) {
      const challenge = await answered(by, 'register');
      const made = await refusing(() => checkRegistration(response, challenge));
      return db.write(async (uow) => {
        await uow.lock(factorsLock(by.actor.id));
        await standingSource(uow, by, clock.now());
        const factors = await selectFactors(uow, by.actor.id);
        requireMayEnrol(by, factors, owner, false);
        if (factors.passkeys >= MOST_PASSKEYS) throw identityErrors.too_many_passkeys();
        const now = clock.now();
        await ensureActor(uow, by.actor, now);
        const passkey: Passkey = {
          ...made,
          actorId: by.actor.id,
          rpId: rpIdOf(challenge.origin),
          label: label ?? null,
          createdAt: formatMicros(now),
          createdMicros: now,
          lastUsedMicros: null,
        };
        if (!(await insertPasskey(uow, passkey))) throw identityErrors.passkey_refused();
        await record(uow, {
          projectId: by.defaultProject,
          actor: by.actor,
          type: 'passkey.registered',
          payload: { passkey_id: passkey.passkeyId, actor_id: by.actor.id, first: !hasFactor(factors) },
        });
        return passkey;
      });
    },

    async startProof(by, claimed) {
      const { origin, rpId } = partyOf(by, claimed);
      const usable = (await db.read((reader) => selectPasskeys(reader, by.actor.id))).filter(
        (passkey) => passkey.rpId === rpId,
      );
      if (usable.length === 0) throw identityErrors.passkey_not_found();
      const challenge = await newChallenge(by, 'prove', origin);
      return {
        challenge,
        rpId,
        timeout: CHALLENGE_LIFETIME / 1000,
        userVerification: 'required',
        allowCredentials: usable.map(({ passkeyId }) => ({ id: passkeyId, type: 'public-key' as const })),
      };
    },

    async prove(by, response) {
      const challenge = await answered(by, 'prove');
      const own = await db.read((reader) => selectPasskeys(reader, by.actor.id));
      const passkey = own.find(
        ({ passkeyId, rpId }) => passkeyId === response.id && rpId === rpIdOf(challenge.origin),
      );
      if (!passkey) throw identityErrors.passkey_refused();
      const counter = await refusing(() => checkProof(response, challenge, passkey));
      return db.write(async (uow) => {
        if (!(await markPasskeyUsed(uow, passkey, counter, clock.now()))) {
          throw identityErrors.passkey_refused();
        }
        const { presentUntil } = await logins.unlock(uow, by);
        return { presentUntil };
      });
    },

    async remove(uow, by, passkeyId) {
      await uow.lock(factorsLock(by.actor.id));
      const factors = await selectFactors(uow, by.actor.id);
      requirePresence(by, factors);
      // Without any, the next to come could set up the first one.
      if (!factors.passphrase && factors.passkeys === 1) throw identityErrors.last_passkey_stays();
      if (!(await deletePasskey(uow, by.actor.id, passkeyId))) throw identityErrors.passkey_not_found();
      await record(uow, {
        projectId: by.defaultProject,
        actor: by.actor,
        type: 'passkey.removed',
        payload: { passkey_id: passkeyId, actor_id: by.actor.id },
      });
    },
  };
}

/** A proof marks the session that it was given in, and only a browser has both. */
function requireDashboard({ credential }: Principal): void {
  if (credential.kind !== 'dashboard') {
    throw identityErrors.passkey_unavailable({
      message: 'Passkeys are used in the dashboard.',
      next: 'Open it with `baton open`; in a terminal, `baton login` takes the passphrase.',
    });
  }
}

/** Whatever was wrong with it, the answer is the same. */
async function refusing<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (cause) {
    throw identityErrors.passkey_refused({ cause });
  }
}
