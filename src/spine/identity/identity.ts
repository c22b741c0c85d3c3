import type { Clock, Random } from '../../kernel/clock.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import type { Journal } from '../journal/journal.ts';
import type { Database } from '../storage/database.ts';
import { type Authenticate, createAuthenticator } from './authenticate.ts';
import { createJwtVerifier } from './credentials/jwt.ts';
import { createTouches } from './credentials/touches.ts';
import { createInvitations, type Invitations } from './invitations/invitations.ts';
import { createKeyCache } from './keys/key-cache.ts';
import { createKeys, type Keys } from './keys/keys.ts';
import { createOwnerKey, type OwnerKey } from './keys/owner-key.ts';
import { createRecorder, type RecordEvent } from './ledger.ts';
import { createLimiter, type Limiter } from './limits/limiter.ts';
import type { CookieSettings } from './logins/cookie.ts';
import { createLogins, type Logins } from './logins/logins.ts';
import { createPasskeys, type Passkeys } from './logins/passkeys.ts';
import { createPresence, type Presence } from './logins/presence.ts';
import { createPresenceReset, type ResetPresence } from './logins/reset-presence.ts';
import { type Authorization, createAuthorization } from './oauth/authorization.ts';
import { createProjects, type Projects } from './projects/projects.ts';
import { createSessions, type Sessions } from './sessions/sessions.ts';
import type { IdentitySettings } from './settings.ts';

export interface IdentityDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly ids: () => string;
  readonly journal: Journal;
  readonly settings?: IdentitySettings;
}

export interface Identity extends Sessions, Projects, Keys {
  readonly authenticate: Authenticate;
  readonly ownerKey: OwnerKey;
  readonly authorization: Authorization;
  readonly logins: Logins;
  readonly invitations: Invitations;
  readonly presence: Presence;
  readonly passkeys: Passkeys;
  readonly resetPresence: ResetPresence;
  readonly limiter: Limiter;
  readonly record: RecordEvent;
  readonly cookies: CookieSettings;
  /** Resolves when no background writes are pending. Await it before closing the store. */
  settled(): Promise<void>;
}

export function createIdentity(deps: IdentityDeps): Identity {
  const { db, clock, random, hasher, ids, journal, settings = {} } = deps;
  const sessions = createSessions({ clock, random, ids, journal, redact: settings.redact });
  const record = createRecorder(journal, sessions);
  const projects = createProjects(clock, record);
  const limiter = createLimiter(db, clock);
  const logins = createLogins({ clock, random, hasher, record });
  const touches = createTouches(db);
  const cache = createKeyCache(db, clock);
  const authorization = createAuthorization({ db, clock, random, hasher, record });
  const owner = settings.ownerActor ?? { id: 'owner', type: 'human' };
  const cookies = { name: settings.cookieName ?? 'baton_session', secure: settings.secureCookies ?? false };
  const keys = createKeys({ clock, random, hasher, record, cache });
  return {
    ...sessions,
    ...projects,
    ...keys,
    authenticate: createAuthenticator({
      db,
      clock,
      hasher,
      keys: cache,
      touches,
      oauthGrant: authorization.grantOf,
      verifyJwt: createJwtVerifier(settings.jwt ?? [], clock),
      cookieName: cookies.name,
      certificateRules: settings.certificates ?? [],
    }),
    ownerKey: createOwnerKey({
      db,
      clock,
      random,
      hasher,
      record,
      projects,
      cache,
      actor: owner,
    }),
    authorization,
    logins,
    invitations: createInvitations({
      db,
      clock,
      random,
      hasher,
      record,
      limiter,
      keys,
      logins,
      passphraseCost: settings.passphraseCost,
    }),
    presence: createPresence({
      db,
      clock,
      random,
      record,
      limiter,
      logins,
      passphraseCost: settings.passphraseCost,
      owner,
    }),
    passkeys: createPasskeys({ db, clock, random, hasher, record, limiter, logins, owner }),
    resetPresence: createPresenceReset({
      db,
      clock,
      random,
      record,
      passphraseCost: settings.passphraseCost,
    }),
    limiter,
    record,
    cookies,
    settled: touches.settled,
  };
}
