import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../../storage/database.ts';
import type { Factors } from '../presence-rules.ts';

export interface Passkey {
  /** The authenticator's own id of it, base64url. */
  readonly passkeyId: string;
  readonly actorId: string;
  /** The host name it works for. */
  readonly rpId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** How often the authenticator says it has signed; zero if it does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly label: string | null;
  readonly createdAt: string;
  readonly createdMicros: Micros;
  readonly lastUsedMicros: Micros | null;
}

interface PasskeyRow {
  readonly passkey_id: string;
  readonly actor_id: string;
  readonly rp_id: string;
  readonly public_key: string;
  readonly counter: number;
  readonly transports: string;
  readonly label: string | null;
  readonly created_at: string;
  readonly created_us: number;
  readonly last_used_us: number | null;
}

const SELECT = `select passkey_id, actor_id, rp_id, public_key, counter, transports, label, created_at, created_us,
  last_used_us from passkeys`;

function passkeyOf(row: PasskeyRow): Passkey {
  return {
    passkeyId: row.passkey_id,
    actorId: row.actor_id,
    rpId: row.rp_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: JSON.parse(row.transports) as string[],
    label: row.label,
    createdAt: row.created_at,
    createdMicros: row.created_us,
    lastUsedMicros: row.last_used_us,
  };
}

export async function selectPasskeys(reader: Reader, actorId: string): Promise<Passkey[]> {
  const rows = await reader.all<PasskeyRow>(`${SELECT} where actor_id = ? order by created_us, passkey_id`, [
    actorId,
  ]);
  return rows.map(passkeyOf);
}

/** Returns false if this authenticator's passkey is known already, be it another person's. */
export async function insertPasskey(uow: UnitOfWork, passkey: Passkey): Promise<boolean> {
  const inserted = await uow.run(
    `insert into passkeys (passkey_id, actor_id, rp_id, public_key, counter, transports, label, created_at, created_us,
       last_used_us)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    [
      passkey.passkeyId,
      passkey.actorId,
      passkey.rpId,
      passkey.publicKey,
      passkey.counter,
      JSON.stringify(passkey.transports),
      passkey.label,
      passkey.createdAt,
      passkey.createdMicros,
      passkey.lastUsedMicros,
    ],
  );
  return inserted === 1;
}

/** Returns false if it is gone, or was used since it was read: a counter moves from where it was seen, and only so. */
export async function markPasskeyUsed(
  uow: UnitOfWork,
  passkey: Passkey,
  counter: number,
  now: Micros,
): Promise<boolean> {
  const changed = await uow.run(
    'update passkeys set counter = ?, last_used_us = ? where passkey_id = ? and actor_id = ? and counter = ?',
    [counter, now, passkey.passkeyId, passkey.actorId, passkey.counter],
  );
  return changed === 1;
}

export async function deletePasskey(uow: UnitOfWork, actorId: string, passkeyId: string): Promise<boolean> {
  return (
    (await uow.run('delete from passkeys where actor_id = ? and passkey_id = ?', [actorId, passkeyId])) === 1
  );
}

export async function deletePasskeysOf(uow: UnitOfWork, actorId: string): Promise<number> {
  return uow.run('delete from passkeys where actor_id = ?', [actorId]);
}

/** What one person can prove presence with. */
export async function selectFactors(reader: Reader, actorId: string): Promise<Factors> {
  const row = await reader.get<{ passphrases: number; passkeys: number }>(
    `select (select count(*) from passphrases where actor_id = ?) as passphrases,
            (select count(*) from passkeys where actor_id = ?) as passkeys`,
    [actorId, actorId],
  );
  return { passphrase: (row?.passphrases ?? 0) > 0, passkeys: row?.passkeys ?? 0 };
}

/** What units name that look at a person's factors and change them. */
export function factorsLock(actorId: string): string {
  return `presence:${actorId}`;
}

export type ChallengePurpose = 'register' | 'prove';

export interface Challenge {
  readonly loginId: string;
  readonly purpose: ChallengePurpose;
  readonly challenge: string;
  /** Of the page that asked: the only one that may answer. */
  readonly origin: string;
  readonly expiresMicros: Micros;
}

/** One open challenge for each login and purpose: the newest. */
export async function putChallenge(uow: UnitOfWork, challenge: Challenge, now: Micros): Promise<void> {
  await uow.run('delete from passkey_challenges where expires_us < ?', [now]);
  await uow.run('delete from passkey_challenges where login_id = ? and purpose = ?', [
    challenge.loginId,
    challenge.purpose,
  ]);
  await uow.run(
    'insert into passkey_challenges (login_id, purpose, challenge, origin, expires_us) values (?, ?, ?, ?, ?)',
    [challenge.loginId, challenge.purpose, challenge.challenge, challenge.origin, challenge.expiresMicros],
  );
}

/** Uses it up: of two answers to one challenge, also at once, one finds it. */
export async function takeChallenge(
  uow: UnitOfWork,
  loginId: string,
  purpose: ChallengePurpose,
): Promise<Challenge | undefined> {
  const row = await uow.get<{ challenge: string; origin: string; expires_us: number }>(
    'select challenge, origin, expires_us from passkey_challenges where login_id = ? and purpose = ?',
    [loginId, purpose],
  );
  const taken =
    row &&
    (await uow.run('delete from passkey_challenges where login_id = ? and purpose = ? and challenge = ?', [
      loginId,
      purpose,
      row.challenge,
    ]));
  if (!row || taken !== 1) return undefined;
  return { loginId, purpose, challenge: row.challenge, origin: row.origin, expiresMicros: row.expires_us };
}
