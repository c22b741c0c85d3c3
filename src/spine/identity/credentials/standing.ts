import type { Micros } from '../../../kernel/clock.ts';
import type { UnitOfWork } from '../../storage/database.ts';
import { identityErrors } from '../errors.ts';
import { isLive } from '../logins/login-rules.ts';
import { selectLogin } from '../logins/login-store.ts';
import type { Principal } from '../principal.ts';
import { holdCredential } from './credential-store.ts';

export interface Source {
  /** `kind:id` of the credential that a request, or the login it came with, goes back to. */
  readonly name: string;
  /** When it ends by itself. */
  readonly expiresMicros: Micros | null;
}

/**
 * What a request goes back to, if that still stands. Asked by whatever makes a credential, in the unit that makes it: a
 * request that began before the end of its key must leave nothing behind that outlives it. Whoever revokes the key waits for
 * this unit, and then finds what it made. Of what an issuer or a certificate's authority vouches for nothing is stored here.
 */
export async function standingSource(uow: UnitOfWork, by: Principal, now: Micros): Promise<Source> {
  const { kind, id } = by.credential;
  if (kind !== 'dashboard' && kind !== 'login') return sourceNamed(uow, `${kind}:${id}`, now);
  const login = await selectLogin(uow, id);
  if (!login || !isLive(login, now)) throw identityErrors.unauthorized();
  return sourceNamed(uow, login.source, now);
}

/** The same of a source that is known by name. */
export async function sourceNamed(uow: UnitOfWork, name: string, now: Micros): Promise<Source> {
  const credential = await holdCredential(uow, name.slice(name.indexOf(':') + 1));
  if (!credential) return { name, expiresMicros: null };
  const { revokedAt, expiresMicros } = credential;
  if (revokedAt !== null || (expiresMicros !== null && expiresMicros <= now))
    throw identityErrors.unauthorized();
  return { name, expiresMicros };
}
