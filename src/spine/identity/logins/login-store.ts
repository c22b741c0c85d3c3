import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, SqlValue, UnitOfWork } from '../../storage/database.ts';
import { type Grant, type GrantColumns, grantColumns, grantOf } from '../credentials/grant.ts';
import type { PassphraseHash } from './passphrase.ts';

/** A link becomes a dashboard session; a login is a short bearer token that proves presence. */
export type LoginKind = 'link' | 'dashboard' | 'login';

export interface Login extends Grant {
  readonly loginId: string;
  readonly kind: LoginKind;
  readonly secretHash: string;
  /** Of dashboard sessions: what a page must send along with the cookie. */
  readonly csrfToken: string | null;
  /** `kind:id` of the credential it came from, whose end is its end. */
  readonly source: string;
  readonly createdMicros: Micros;
  /** To five minutes. */
  readonly seenMicros: Micros;
  readonly expiresMicros: Micros;
  readonly presentUntilMicros: Micros;
  readonly endedMicros: Micros | null;
}

interface LoginRow extends GrantColumns {
  readonly login_id: string;
  readonly kind: LoginKind;
  readonly secret_hash: string;
  readonly csrf_token: string | null;
  readonly source_credential: string;
  readonly created_us: number;
  readonly seen_us: number;
  readonly expires_us: number;
  readonly present_until_us: number;
  readonly ended_us: number | null;
}

const SELECT = `select login_id, kind, secret_hash, csrf_token, source_credential, actor_id, actor_type,
  scopes, projects, default_project, speaks_for, created_us, seen_us, expires_us, present_until_us, ended_us from logins`;

function loginOf(row: LoginRow): Login {
  return {
    ...grantOf(row),
    loginId: row.login_id,
    kind: row.kind,
    secretHash: row.secret_hash,
    csrfToken: row.csrf_token,
    source: row.source_credential,
    createdMicros: row.created_us,
    seenMicros: row.seen_us,
    expiresMicros: row.expires_us,
    presentUntilMicros: row.present_until_us,
    endedMicros: row.ended_us,
  };
}

export async function selectLogin(reader: Reader, loginId: string): Promise<Login | undefined> {
  const row = await reader.get<LoginRow>(`${SELECT} where login_id = ?`, [loginId]);
  return row && loginOf(row);
}

export async function selectLoginBySecret(
  reader: Reader,
  kind: LoginKind,
  secretHash: string,
): Promise<Login | undefined> {
  const row = await reader.get<LoginRow>(`${SELECT} where secret_hash = ? and kind = ?`, [secretHash, kind]);
  return row && loginOf(row);
}

export async function insertLogin(uow: UnitOfWork, login: Login): Promise<void> {
  const values: Record<string, SqlValue> = {
    login_id: login.loginId,
    kind: login.kind,
    secret_hash: login.secretHash,
    csrf_token: login.csrfToken,
    source_credential: login.source,
    ...grantColumns(login),
    created_us: login.createdMicros,
    seen_us: login.seenMicros,
    expires_us: login.expiresMicros,
    present_until_us: login.presentUntilMicros,
  };
  const columns = Object.keys(values);
  await uow.run(
    `insert into logins (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    Object.values(values),
  );
}

/** Returns false if it had already ended: of two concurrent uses of a link, one succeeds. */
export async function markLoginEnded(uow: UnitOfWork, loginId: string, now: Micros): Promise<boolean> {
  const changed = await uow.run('update logins set ended_us = ? where login_id = ? and ended_us is null', [
    now,
    loginId,
  ]);
  return changed === 1;
}

export async function endLoginsOf(uow: UnitOfWork, source: string, now: Micros): Promise<number> {
  return uow.run('update logins set ended_us = ? where source_credential = ? and ended_us is null', [
    now,
    source,
  ]);
}

export async function markSeen(uow: UnitOfWork, loginId: string, now: Micros): Promise<void> {
  await uow.run('update logins set seen_us = ? where login_id = ?', [now, loginId]);
}

export async function markPresent(uow: UnitOfWork, loginId: string, until: Micros): Promise<void> {
  await uow.run('update logins set present_until_us = ? where login_id = ?', [until, loginId]);
}

/** Ends what was proved before: of one person, in every login but the one that is spared. */
export async function endPresenceOf(
  uow: UnitOfWork,
  actorId: string,
  spared: string,
  now: Micros,
): Promise<void> {
  await uow.run(
    'update logins set present_until_us = ? where actor_id = ? and present_until_us > ? and login_id <> ?',
    [now, actorId, now, spared],
  );
}

/** Every link, dashboard session and login of one person. Returns how many were live. */
export async function endLoginsOfActor(uow: UnitOfWork, actorId: string, now: Micros): Promise<number> {
  return uow.run(
    'update logins set ended_us = ? where actor_id = ? and ended_us is null and expires_us > ?',
    [now, actorId, now],
  );
}

/** The journal keeps what happened; the rows are of no use once they have expired. */
export async function deleteExpiredLogins(uow: UnitOfWork, now: Micros): Promise<void> {
  await uow.run('delete from logins where expires_us < ?', [now]);
}

export async function selectPassphrase(reader: Reader, actorId: string): Promise<PassphraseHash | undefined> {
  return reader.get<PassphraseHash>('select salt, hash, cost from passphrases where actor_id = ?', [actorId]);
}

/** Returns false if the stored passphrase is no longer the expected one. */
export async function replacePassphrase(
  uow: UnitOfWork,
  actorId: string,
  expected: PassphraseHash | undefined,
  next: PassphraseHash,
  now: number,
): Promise<boolean> {
  const changed = expected
    ? await uow.run(
        'update passphrases set salt = ?, hash = ?, cost = ?, set_us = ? where actor_id = ? and hash = ?',
        [next.salt, next.hash, next.cost, now, actorId, expected.hash],
      )
    : await uow.run(
        'insert into passphrases (actor_id, salt, hash, cost, set_us) values (?, ?, ?, ?, ?) on conflict do nothing',
        [actorId, next.salt, next.hash, next.cost, now],
      );
  return changed === 1;
}

export async function deletePassphrase(uow: UnitOfWork, actorId: string): Promise<boolean> {
  return (await uow.run('delete from passphrases where actor_id = ?', [actorId])) === 1;
}
