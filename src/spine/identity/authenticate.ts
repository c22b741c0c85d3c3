// For speed, `proved`: authenticating takes 5 times as long when the token is parsed and hashed for each request.
import type { Clock } from '../../kernel/clock.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import type { Database } from '../storage/database.ts';
import {
  isValidAt,
  type PeerCertificate,
  principalByRule,
  readFingerprint,
} from './credentials/certificate.ts';
import { type Credential, markUsed, selectByCertificate } from './credentials/credential-store.ts';
import { principalFrom } from './credentials/grant.ts';
import type { VerifyJwt } from './credentials/jwt.ts';
import { hashSecret, sameText } from './credentials/secret.ts';
import { readToken } from './credentials/token.ts';
import type { Touches } from './credentials/touches.ts';
import { identityErrors } from './errors.ts';
import type { KeyCache } from './keys/key-cache.ts';
import { readSessionCookie } from './logins/cookie.ts';
import { isFromOwner, isLive, isPresent, SEEN_GRAIN } from './logins/login-rules.ts';
import { type Login, markSeen, selectLoginBySecret } from './logins/login-store.ts';
import type { Authorization } from './oauth/authorization.ts';
import type { Principal } from './principal.ts';
import type { CertificateRule } from './settings.ts';

/** The parts of a request that can identify its caller: header values as received. */
export interface CredentialsOfRequest {
  readonly authorization?: string | undefined;
  /** `X-API-Key`, or `X-Baton-Key` where `Authorization` belongs to someone else. */
  readonly apiKey?: string | undefined;
  readonly cookie?: string | undefined;
  readonly peerCertificate?: PeerCertificate | undefined;
  /** `X-CSRF-Token`: what a dashboard page sends beside its cookie. */
  readonly csrfToken?: string | undefined;
  /** The protected resource that is asked: tokens of OAuth are for one and no other. */
  readonly resource?: string | undefined;
  /** The request changes nothing (GET, HEAD), so a cookie alone is enough. */
  readonly safe?: boolean | undefined;
}

export type Authenticate = (request: CredentialsOfRequest) => Promise<Principal>;

export interface AuthenticatorDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly hasher: Hasher;
  readonly keys: KeyCache;
  readonly touches: Touches;
  readonly verifyJwt: VerifyJwt;
  readonly oauthGrant: Authorization['grantOf'];
  readonly cookieName: string;
  readonly certificateRules: readonly CertificateRule[];
}

const USED_GRAIN = 3_600_000_000;

const MANY_PROVED = 10_000;

/** Compared when the key is unknown, so that timing does not reveal whether a key id exists. */
const NO_HASH = '0'.repeat(64);

/**
 * The first credential a request has decides alone: header, then cookie, then certificate. A bad one is refused even
 * if another would do. Every refusal is the same `unauthorized`, whatever was wrong.
 */
export function createAuthenticator(deps: AuthenticatorDeps): Authenticate {
  const { db, clock, hasher, touches } = deps;
  const proved = new Map<string, Credential>();

  /**
   * The key that a whole token proved while this reading of the key lasts: it is not taken apart and hashed again. That
   * a table finds a token, or does not, tells of a secret only whether all of it was right.
   */
  function provedBy(text: string): Credential | undefined {
    const credential = proved.get(text);
    if (credential === undefined || deps.keys.holds(credential)) return credential;
    proved.delete(text);
    return undefined;
  }

  async function byToken(text: string, resource: string | undefined): Promise<Principal> {
    const token = readToken(text);
    if (token === undefined) throw identityErrors.unauthorized();
    if (token.kind === 'jwt') return deps.verifyJwt(token.text);
    if (token.kind === 'oauth') return byGrant(token.secret, resource);
    if (token.kind === 'login') return (await byLogin('login', token.secret)).principal;
    const credential = await deps.keys.find(token.keyId);
    const isRight = sameText(hashSecret(hasher, token.secret), credential?.secretHash ?? NO_HASH);
    if (!isRight || !credential || credential.kind === 'mtls') throw identityErrors.unauthorized();
    if (proved.size >= MANY_PROVED) proved.clear();
    proved.set(text, credential);
    return byCredential(credential);
  }

  async function byGrant(secret: string, resource: string | undefined): Promise<Principal> {
    const grant = await deps.oauthGrant(secret, resource);
    if (!grant) throw identityErrors.unauthorized();
    return principalFrom(grant, { kind: 'oauth', id: grant.grantId });
  }

  function byCredential(credential: Credential): Principal {
    const now = clock.now();
    const expired = credential.expiresMicros !== null && now >= credential.expiresMicros;
    if (credential.revokedAt !== null || expired) throw identityErrors.unauthorized();
    const id = credential.credentialId;
    touches.touch(id, credential.lastUsedMicros, now, USED_GRAIN, (uow, at) => markUsed(uow, id, at));
    return principalFrom(credential, { kind: credential.kind, id }, { owner: credential.kind === 'owner' });
  }

  async function byLogin(
    kind: 'dashboard' | 'login',
    secret: string,
  ): Promise<{ login: Login; principal: Principal }> {
    const login = await db.read((reader) => selectLoginBySecret(reader, kind, hashSecret(hasher, secret)));
    const now = clock.now();
    if (!login || !isLive(login, now)) throw identityErrors.unauthorized();
    const id = login.loginId;
    touches.touch(id, login.seenMicros, now, SEEN_GRAIN, (uow, at) => markSeen(uow, id, at));
    return {
      login,
      principal: principalFrom(
        login,
        { kind, id },
        { owner: isFromOwner(login.source), present: isPresent(login, now) },
      ),
    };
  }

  async function byCookie(secret: string, request: CredentialsOfRequest): Promise<Principal> {
    const { login, principal } = await byLogin('dashboard', secret);
    if (!request.safe && !sameText(request.csrfToken ?? '', login.csrfToken ?? NO_HASH)) {
      throw identityErrors.csrf_failed();
    }
    return principal;
  }

  async function byCertificate(certificate: PeerCertificate): Promise<Principal> {
    const fingerprint = readFingerprint(certificate.fingerprint);
    if (fingerprint === undefined || !isValidAt(certificate, clock.now()))
      throw identityErrors.unauthorized();
    const credential = await db.read((reader) => selectByCertificate(reader, fingerprint));
    if (credential) return byCredential(credential);
    const principal = principalByRule(deps.certificateRules, { ...certificate, fingerprint });
    if (!principal) throw identityErrors.unauthorized();
    return principal;
  }

  return async (request) => {
    const text = tokenText(request);
    const known = text === undefined ? undefined : provedBy(text);
    if (known) return byCredential(known);
    if (text !== undefined) return byToken(text, request.resource);
    const cookie = request.cookie && readSessionCookie(request.cookie, deps.cookieName);
    if (cookie) return byCookie(cookie, request);
    if (request.peerCertificate) return byCertificate(request.peerCertificate);
    throw identityErrors.unauthorized();
  };
}

function tokenText({ authorization, apiKey }: CredentialsOfRequest): string | undefined {
  if (authorization === undefined) return apiKey;
  const bearer = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  if (bearer === undefined) {
    if (apiKey !== undefined) return apiKey;
    throw identityErrors.unauthorized();
  }
  if (apiKey !== undefined && apiKey !== bearer) throw identityErrors.ambiguous_credentials();
  return bearer;
}
