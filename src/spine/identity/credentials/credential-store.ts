import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, SqlValue, UnitOfWork } from '../../storage/database.ts';
import { rowLock } from '../../storage/sql-text.ts';
import { type Grant, type GrantColumns, grantColumns, grantOf } from './grant.ts';

export type StoredKind = 'owner' | 'key' | 'mtls';

export interface Credential extends Grant {
  readonly credentialId: string;
  readonly kind: StoredKind;
  readonly label: string | null;
  /** Of a key the SHA-256 of its secret, of a certificate its fingerprint. */
  readonly secretHash: string;
  readonly createdAt: string;
  readonly createdMicros: Micros;
  /** The id of the actor that created it. */
  readonly createdBy: string;
  readonly expiresAt: string | null;
  readonly expiresMicros: Micros | null;
  readonly revokedAt: string | null;
  /** To the hour. */
  readonly lastUsedMicros: Micros | null;
}

interface CredentialRow extends GrantColumns {
  readonly credential_id: string;
  readonly kind: StoredKind;
  readonly label: string | null;
  readonly secret_hash: string;
  readonly created_at: string;
  readonly created_us: number;
  readonly created_by: string;
  readonly expires_at: string | null;
  readonly expires_us: number | null;
  readonly revoked_at: string | null;
  readonly last_used_us: number | null;
}

const SELECT = `select c.credential_id, c.kind, c.label, c.secret_hash, c.actor_id, a.actor_type, c.scopes, c.projects,
  c.default_project, c.speaks_for, c.created_at, c.created_us, c.created_by, c.expires_at, c.expires_us, c.revoked_at, c.last_used_us
  from credentials c join actors a on a.actor_id = c.actor_id`;

function credentialOf(row: CredentialRow): Credential {
  return {
    ...grantOf(row),
    credentialId: row.credential_id,
    kind: row.kind,
    label: row.label,
    secretHash: row.secret_hash,
    createdAt: row.created_at,
    createdMicros: row.created_us,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    expiresMicros: row.expires_us,
    revokedAt: row.revoked_at,
    lastUsedMicros: row.last_used_us,
  };
}

async function one(
  reader: Reader,
  where: string,
  params: readonly SqlValue[],
): Promise<Credential | undefined> {
  const row = await reader.get<CredentialRow>(`${SELECT} where ${where}`, params);
  return row && credentialOf(row);
}

export function selectCredential(reader: Reader, credentialId: string): Promise<Credential | undefined> {
  return one(reader, 'c.credential_id = ?', [credentialId]);
}

/** The same, and nobody ends it before this unit does. */
export function holdCredential(uow: UnitOfWork, credentialId: string): Promise<Credential | undefined> {
  return one(uow, `c.credential_id = ?${rowLock(uow.engine)}`, [credentialId]);
}

export function selectOwnerCredential(reader: Reader): Promise<Credential | undefined> {
  return one(reader, `c.kind = 'owner' and c.revoked_us is null`, []);
}

export function selectByCertificate(reader: Reader, fingerprint: string): Promise<Credential | undefined> {
  return one(reader, `c.kind = 'mtls' and c.revoked_us is null and c.secret_hash = ?`, [fingerprint]);
}

/** Those of an actor that count at an instant. */
export async function selectLiveCredentialsOf(
  reader: Reader,
  actorId: string,
  now: Micros,
): Promise<Credential[]> {
  const rows = await reader.all<CredentialRow>(
    `${SELECT} where c.actor_id = ? and c.revoked_us is null and (c.expires_us is null or c.expires_us > ?)
     order by c.created_us, c.credential_id limit 50`,
    [actorId, now],
  );
  return rows.map(credentialOf);
}

/** Oldest first. */
export async function selectCredentials(
  reader: Reader,
  page: {
    readonly limit: number;
    readonly after?: { readonly micros: number; readonly id: string } | undefined;
  },
): Promise<Credential[]> {
  const after = page.after;
  const rows = await reader.all<CredentialRow>(
    `${SELECT} ${after ? 'where (c.created_us, c.credential_id) > (?, ?)' : ''}
     order by c.created_us, c.credential_id limit ?`,
    after ? [after.micros, after.id, page.limit] : [page.limit],
  );
  return rows.map(credentialOf);
}

export async function insertCredential(uow: UnitOfWork, credential: Credential): Promise<void> {
  const { actor_type: _kept, ...grant } = grantColumns(credential);
  const values: Record<string, SqlValue> = {
    credential_id: credential.credentialId,
    kind: credential.kind,
    label: credential.label,
    secret_hash: credential.secretHash,
    ...grant,
    created_at: credential.createdAt,
    created_us: credential.createdMicros,
    created_by: credential.createdBy,
    expires_at: credential.expiresAt,
    expires_us: credential.expiresMicros,
  };
  const columns = Object.keys(values);
  await uow.run(
    `insert into credentials (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    Object.values(values),
  );
}

/** Returns false if it was already revoked. */
export async function markRevoked(
  uow: UnitOfWork,
  credentialId: string,
  at: string,
  micros: Micros,
): Promise<boolean> {
  const changed = await uow.run(
    'update credentials set revoked_at = ?, revoked_us = ? where credential_id = ? and revoked_us is null',
    [at, micros, credentialId],
  );
  return changed === 1;
}

export async function markUsed(uow: UnitOfWork, credentialId: string, micros: Micros): Promise<void> {
  await uow.run('update credentials set last_used_us = ? where credential_id = ?', [micros, credentialId]);
}
