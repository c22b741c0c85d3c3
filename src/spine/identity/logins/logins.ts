import type { Clock, Random } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { prefixedId } from '../../../kernel/ids.ts';
import type { Reader, UnitOfWork } from '../../storage/database.ts';
import { hashSecret, newSecret } from '../credentials/secret.ts';
import { type Source, sourceNamed, standingSource } from '../credentials/standing.ts';
import { formatLink, formatLogin, readLink } from '../credentials/token.ts';
import { identityErrors } from '../errors.ts';
import type { RecordEvent } from '../ledger.ts';
import { PRESENCE } from '../presence-rules.ts';
import type { Principal } from '../principal.ts';
import { DASHBOARD_LIFETIME, isLive, LINK_LIFETIME } from './login-rules.ts';
import {
  deleteExpiredLogins,
  insertLogin,
  type Login,
  type LoginKind,
  markLoginEnded,
  markPresent,
  selectLogin,
  selectLoginBySecret,
} from './login-store.ts';

export interface Logins {
  /** A link that opens the dashboard as the caller, once, within five minutes. */
  createLink(uow: UnitOfWork, by: Principal): Promise<{ readonly link: string; readonly login: Login }>;
  /** Turns a link into a dashboard session; `cookie` is the secret of its cookie. */
  openDashboard(uow: UnitOfWork, link: string): Promise<{ readonly cookie: string; readonly login: Login }>;
  /** Ends the dashboard session or login that the caller uses. */
  leave(uow: UnitOfWork, by: Principal): Promise<void>;
  /** After a passphrase or passkey was checked: marks a dashboard session present, or makes a short token that is. */
  unlock(
    uow: UnitOfWork,
    by: Principal,
  ): Promise<{ readonly token: string | undefined; readonly presentUntil: number }>;
}

export interface LoginDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly record: RecordEvent;
}

export function createLogins(deps: LoginDeps): Logins {
  const { clock, random, hasher, record } = deps;

  function shape(
    kind: LoginKind,
    from: Pick<Principal, 'actor' | 'projects' | 'defaultProject' | 'speaksFor'> & {
      scopes: Iterable<string>;
    },
    source: Source,
    lifetime: number,
  ): { secret: string; login: Login } {
    const now = clock.now();
    const expires = Math.min(now + lifetime, source.expiresMicros ?? Number.POSITIVE_INFINITY);
    const secret = newSecret(random);
    const login: Login = {
      actor: from.actor,
      scopes: [...from.scopes],
      projects: from.projects,
      defaultProject: from.defaultProject,
      speaksFor: from.speaksFor,
      loginId: prefixedId(kind, random),
      kind,
      secretHash: hashSecret(hasher, secret),
      csrfToken: kind === 'dashboard' ? newSecret(random) : null,
      source: source.name,
      createdMicros: now,
      seenMicros: now,
      expiresMicros: expires,
      presentUntilMicros: kind === 'login' ? expires : now,
      endedMicros: null,
    };
    return { secret, login };
  }

  async function recordLogin(uow: UnitOfWork, type: string, login: Login): Promise<void> {
    await record(uow, {
      projectId: login.defaultProject,
      actor: login.actor,
      type,
      payload: { login_id: login.loginId, kind: login.kind, source: login.source },
    });
  }

  return {
    async createLink(uow, by) {
      const source = await standingSource(uow, by, clock.now());
      const { secret, login } = shape('link', by, source, LINK_LIFETIME);
      await deleteExpiredLogins(uow, login.createdMicros);
      await insertLogin(uow, login);
      await recordLogin(uow, 'login.link_created', login);
      return { link: formatLink(secret), login };
    },

    async openDashboard(uow, link) {
      const secret = readLink(link);
      const found =
        secret === undefined ? undefined : await selectLoginBySecret(uow, 'link', hashSecret(hasher, secret));
      const now = clock.now();
      if (!found || !isLive(found, now) || !(await markLoginEnded(uow, found.loginId, now))) {
        throw identityErrors.login_link_invalid();
      }
      const source = await sourceNamed(uow, found.source, now);
      const dashboard = shape('dashboard', found, source, DASHBOARD_LIFETIME);
      await insertLogin(uow, dashboard.login);
      await recordLogin(uow, 'login.started', dashboard.login);
      return { cookie: dashboard.secret, login: dashboard.login };
    },

    async leave(uow, by) {
      const login = await ownLogin(uow, by);
      if (login && (await markLoginEnded(uow, login.loginId, clock.now()))) {
        await recordLogin(uow, 'login.ended', login);
      }
    },

    async unlock(uow, by) {
      const now = clock.now();
      const present = now + PRESENCE;
      // What is created from a login ends with the key that the login came from.
      const source = await standingSource(uow, by, now);
      const own = await ownLogin(uow, by);
      if (own?.kind === 'dashboard') {
        await markPresent(uow, own.loginId, present);
        await recordLogin(uow, 'login.unlocked', own);
        return { token: undefined, presentUntil: present };
      }
      const { secret, login } = shape('login', by, source, PRESENCE);
      await insertLogin(uow, login);
      await recordLogin(uow, 'login.started', login);
      return { token: formatLogin(secret), presentUntil: login.presentUntilMicros };
    },
  };
}

async function ownLogin(reader: Reader, by: Principal): Promise<Login | undefined> {
  const { kind, id } = by.credential;
  return kind === 'dashboard' || kind === 'login' ? selectLogin(reader, id) : undefined;
}
