import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../../storage/database.ts';
import type { Grant } from '../credentials/grant.ts';

export interface Client {
  readonly clientId: string;
  readonly name: string;
  readonly redirects: readonly string[];
}

export interface AuthorizationRequest {
  readonly requestHash: string;
  readonly loginId: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly challenge: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly expires: Micros;
}

/** What a person let a client do. */
export interface OAuthGrant extends Grant {
  readonly grantId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly resource: string;
  readonly grantedBy: string;
  readonly grantedAt: string;
  readonly revokedAt: string | null;
}

export interface Code {
  readonly grantId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly expires: Micros;
}

export interface Token {
  readonly grantId: string;
  readonly expires: Micros;
  readonly used: Micros | null;
}

export async function insertClient(uow: UnitOfWork, client: Client, at: string, now: Micros): Promise<void> {
  await uow.run(
    'insert into oauth_clients (client_id, name, redirect_uris, created_at, created_us) values (?, ?, ?, ?, ?)',
    [client.clientId, client.name, JSON.stringify(client.redirects), at, now],
  );
}

export async function selectClient(reader: Reader, clientId: string): Promise<Client | undefined> {
  const row = await reader.get<{ name: string; redirect_uris: string }>(
    'select name, redirect_uris from oauth_clients where client_id = ?',
    [clientId],
  );
  return row && { clientId, name: row.name, redirects: JSON.parse(row.redirect_uris) as string[] };
}

const UNUSED =
  'not exists (select 1 from oauth_grants where oauth_grants.client_id = oauth_clients.client_id)';

/** Clients that nobody let do anything: forgotten after a while, and never many. */
export async function forgetUnusedClients(uow: UnitOfWork, before: Micros): Promise<number> {
  await uow.run(`delete from oauth_clients where created_us < ? and ${UNUSED}`, [before]);
  const row = await uow.get<{ n: number }>(`select count(*) as n from oauth_clients where ${UNUSED}`);
  return Number(row?.n ?? 0);
}

export async function insertRequest(
  uow: UnitOfWork,
  request: AuthorizationRequest,
  now: Micros,
): Promise<void> {
  await uow.run('delete from oauth_requests where expires_us < ? or login_id = ?', [now, request.loginId]);
  await uow.run(
    `insert into oauth_requests (request_hash, login_id, client_id, redirect_uri, state, challenge, resource, scopes, expires_us)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      request.requestHash,
      request.loginId,
      request.clientId,
      request.redirectUri,
      request.state,
      request.challenge,
      request.resource,
      JSON.stringify(request.scopes),
      request.expires,
    ],
  );
}

/** Once: a form that is sent twice finds nothing. */
export async function takeRequest(
  uow: UnitOfWork,
  requestHash: string,
  loginId: string,
): Promise<AuthorizationRequest | undefined> {
  const row = await uow.get<{
    client_id: string;
    redirect_uri: string;
    state: string | null;
    challenge: string;
    resource: string;
    scopes: string;
    expires_us: number;
  }>(
    `select client_id, redirect_uri, state, challenge, resource, scopes, expires_us from oauth_requests
     where request_hash = ? and login_id = ?`,
    [requestHash, loginId],
  );
  if (!row) return undefined;
  await uow.run('delete from oauth_requests where request_hash = ?', [requestHash]);
  return {
    requestHash,
    loginId,
    clientId: row.client_id,
    redirectUri: row.redirect_uri,
    state: row.state,
    challenge: row.challenge,
    resource: row.resource,
    scopes: JSON.parse(row.scopes) as string[],
    expires: row.expires_us,
  };
}

export async function insertGrant(uow: UnitOfWork, grant: OAuthGrant, now: Micros): Promise<void> {
  await uow.run(
    `insert into oauth_grants (grant_id, client_id, client_name, actor_id, scopes, project_id, resource, granted_by,
       granted_at, granted_us) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      grant.grantId,
      grant.clientId,
      grant.clientName,
      grant.actor.id,
      JSON.stringify(grant.scopes),
      grant.defaultProject,
      grant.resource,
      grant.grantedBy,
      grant.grantedAt,
      now,
    ],
  );
}

interface GrantRow {
  readonly grant_id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly actor_id: string;
  readonly scopes: string;
  readonly project_id: string;
  readonly resource: string;
  readonly granted_by: string;
  readonly granted_at: string;
  readonly revoked_at: string | null;
}

const GRANT_COLUMNS =
  'grant_id, client_id, client_name, actor_id, scopes, project_id, resource, granted_by, granted_at, revoked_at';

function grantOf(row: GrantRow): OAuthGrant {
  return {
    grantId: row.grant_id,
    clientId: row.client_id,
    clientName: row.client_name,
    actor: { id: row.actor_id, type: 'agent' },
    scopes: JSON.parse(row.scopes) as string[],
    projects: [row.project_id],
    defaultProject: row.project_id,
    speaksFor: [],
    resource: row.resource,
    grantedBy: row.granted_by,
    grantedAt: row.granted_at,
    revokedAt: row.revoked_at,
  };
}

export async function selectGrant(reader: Reader, grantId: string): Promise<OAuthGrant | undefined> {
  const row = await reader.get<GrantRow>(`select ${GRANT_COLUMNS} from oauth_grants where grant_id = ?`, [
    grantId,
  ]);
  return row && grantOf(row);
}

export async function selectGrants(reader: Reader, limit: number): Promise<OAuthGrant[]> {
  const rows = await reader.all<GrantRow>(
    `select ${GRANT_COLUMNS} from oauth_grants order by granted_us desc limit ?`,
    [limit],
  );
  return rows.map(grantOf);
}

export async function revokeGrant(
  uow: UnitOfWork,
  grantId: string,
  at: string,
  reason: string,
): Promise<boolean> {
  const changed = await uow.run(
    'update oauth_grants set revoked_at = ?, revoked_reason = ? where grant_id = ? and revoked_at is null',
    [at, reason, grantId],
  );
  return changed === 1;
}

export async function insertCode(uow: UnitOfWork, codeHash: string, code: Code): Promise<void> {
  await uow.run(
    'insert into oauth_codes (code_hash, grant_id, redirect_uri, challenge, expires_us) values (?, ?, ?, ?, ?)',
    [codeHash, code.grantId, code.redirectUri, code.challenge, code.expires],
  );
}

/** The code, and whether this use of it is the first. */
export async function useCode(
  uow: UnitOfWork,
  codeHash: string,
  now: Micros,
): Promise<{ readonly code: Code; readonly first: boolean } | undefined> {
  const row = await uow.get<{
    grant_id: string;
    redirect_uri: string;
    challenge: string;
    expires_us: number;
  }>('select grant_id, redirect_uri, challenge, expires_us from oauth_codes where code_hash = ?', [codeHash]);
  if (!row) return undefined;
  const first =
    (await uow.run('update oauth_codes set used_us = ? where code_hash = ? and used_us is null', [
      now,
      codeHash,
    ])) === 1;
  const code = {
    grantId: row.grant_id,
    redirectUri: row.redirect_uri,
    challenge: row.challenge,
    expires: row.expires_us,
  };
  return { code, first };
}

export type TokenKind = 'access' | 'refresh';

export async function insertToken(
  uow: UnitOfWork,
  token: {
    readonly hash: string;
    readonly kind: TokenKind;
    readonly grantId: string;
    readonly expires: Micros;
  },
): Promise<void> {
  await uow.run('insert into oauth_tokens (token_hash, kind, grant_id, expires_us) values (?, ?, ?, ?)', [
    token.hash,
    token.kind,
    token.grantId,
    token.expires,
  ]);
}

export async function selectToken(reader: Reader, kind: TokenKind, hash: string): Promise<Token | undefined> {
  const row = await reader.get<{ grant_id: string; expires_us: number; used_us: number | null }>(
    'select grant_id, expires_us, used_us from oauth_tokens where token_hash = ? and kind = ?',
    [hash, kind],
  );
  return row && { grantId: row.grant_id, expires: row.expires_us, used: row.used_us };
}

/** False if somebody used it before. */
export async function useToken(uow: UnitOfWork, hash: string, now: Micros): Promise<boolean> {
  const changed = await uow.run(
    'update oauth_tokens set used_us = ? where token_hash = ? and used_us is null',
    [now, hash],
  );
  return changed === 1;
}

/** What can no longer be used, nor tell anything of a theft. */
export async function forgetExpired(uow: UnitOfWork, before: Micros): Promise<void> {
  await uow.run('delete from oauth_tokens where expires_us < ?', [before]);
  await uow.run('delete from oauth_codes where expires_us < ?', [before]);
}
