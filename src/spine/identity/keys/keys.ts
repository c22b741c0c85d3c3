import type { Clock, Micros, Random } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { toHex } from '../../../kernel/hex.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import type { Reader, UnitOfWork } from '../../storage/database.ts';
import { ensureActor } from '../credentials/actor-store.ts';
import { readFingerprint } from '../credentials/certificate.ts';
import {
  type Credential,
  insertCredential,
  markRevoked,
  type StoredKind,
  selectByCertificate,
  selectCredential,
  selectCredentials,
} from '../credentials/credential-store.ts';
import type { Grant } from '../credentials/grant.ts';
import { hashSecret, newSecret } from '../credentials/secret.ts';
import { standingSource } from '../credentials/standing.ts';
import { formatKey } from '../credentials/token.ts';
import { identityErrors } from '../errors.ts';
import type { RecordEvent } from '../ledger.ts';
import { endLoginsOf } from '../logins/login-store.ts';
import { selectFactors } from '../logins/passkey-store.ts';
import { requireMayMakePerson } from '../presence-rules.ts';
import type { Principal } from '../principal.ts';
import { requireStoredProject } from '../projects/project-store.ts';
import { requireNarrower, requireNoLonger, requirePersonFor, requireSoundGrant } from './grant-rules.ts';
import type { KeyCache } from './key-cache.ts';

const PAGE = 200;

export interface NewKey extends Omit<Grant, 'speaksFor'> {
  /** Nobody but its own actor, if left out. */
  readonly speaksFor?: Grant['speaksFor'] | undefined;
  readonly label?: string | undefined;
  readonly displayName?: string | undefined;
  readonly expires?: { readonly text: string; readonly micros: Micros } | undefined;
  /** SHA-256 fingerprint: binds a client certificate to the actor instead of making a secret. */
  readonly certificate?: string | undefined;
}

export interface Keys {
  /** The token is answered once and kept nowhere; there is none for a certificate. */
  createKey(
    uow: UnitOfWork,
    by: Principal,
    key: NewKey,
  ): Promise<{ readonly credential: Credential; readonly token: string | undefined }>;
  /** Ends the key and every login that came from it. Repeating it changes nothing. */
  revokeKey(uow: UnitOfWork, by: Principal, keyId: string): Promise<Credential>;
  /** Oldest first; only keys whose every project the caller may see. */
  listKeys(reader: Reader, by: Principal, page: KeyPage): Promise<KeyList>;
}

export interface KeyPage {
  readonly limit: number;
  readonly after?: string | undefined;
  /** Only keys whose actor, label or id contains this. */
  readonly words?: string | undefined;
}

export interface KeyList {
  readonly keys: readonly Credential[];
  /** On all pages together. */
  readonly total: number;
  readonly next: string | undefined;
}

export interface KeyDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly record: RecordEvent;
  readonly cache: KeyCache;
}

export function createKeys(deps: KeyDeps): Keys {
  const { clock, random, hasher, record, cache } = deps;

  return {
    async createKey(uow, by, wanted) {
      const key = { ...wanted, speaksFor: wanted.speaksFor ?? [] };
      requireSoundGrant(key);
      requireNarrower(by, key);
      requirePersonFor(by, key);
      if (key.actor.type === 'human') requireMayMakePerson(by, await selectFactors(uow, by.actor.id));
      const now = clock.now();
      requireNoLonger(key, await standingSource(uow, by, now));
      if (key.expires && key.expires.micros <= now) {
        throw identityErrors.invalid_grant({ message: 'The expiry has passed.', pointer: '/expires_at' });
      }
      for (const projectId of new Set([
        key.defaultProject,
        ...(key.projects === 'all' ? [] : key.projects),
      ])) {
        await requireStoredProject(uow, projectId);
      }
      const certificate = key.certificate && (await freeFingerprint(uow, key.certificate));
      await ensureActor(uow, key.actor, now, key.displayName);
      const secret = newSecret(random);
      const credential = shapeCredential(key, {
        credentialId: newKeyId(random),
        kind: certificate ? 'mtls' : 'key',
        secretHash: certificate || hashSecret(hasher, secret),
        createdBy: by.actor.id,
        now,
      });
      await insertCredential(uow, credential);
      await record(uow, {
        projectId: credential.defaultProject,
        actor: by.actor,
        type: 'key.created',
        payload: keyPayload(credential),
      });
      return { credential, token: certificate ? undefined : formatKey(credential.credentialId, secret) };
    },

    async revokeKey(uow, by, keyId) {
      const credential = await selectCredential(uow, keyId);
      if (!credential || !canManage(by, credential)) throw identityErrors.key_not_found();
      if (credential.kind === 'owner') throw identityErrors.owner_key_stays();
      const now = clock.now();
      const at = formatMicros(now);
      if (!(await markRevoked(uow, keyId, at, now))) return credential;
      cache.forget(uow, keyId);
      await endLoginsOf(uow, `${credential.kind}:${keyId}`, now);
      await record(uow, {
        projectId: credential.defaultProject,
        actor: by.actor,
        type: 'key.revoked',
        payload: { key_id: keyId },
      });
      return { ...credential, revokedAt: at };
    },

    async listKeys(reader, by, { limit, after, words }) {
      const start = after === undefined ? undefined : await selectCredential(reader, after);
      if (after !== undefined && !start) throw identityErrors.key_not_found({ pointer: '/after' });
      const found: Credential[] = [];
      let total = 0;
      for (let last: Credential | undefined; ; ) {
        const page = await selectCredentials(reader, {
          limit: PAGE,
          after: last && { micros: last.createdMicros, id: last.credentialId },
        });
        for (const credential of page) {
          if (!canManage(by, credential) || !mentions(credential, words)) continue;
          total += 1;
          if (found.length <= limit && follows(credential, start)) found.push(credential);
        }
        last = page.at(-1);
        if (page.length < PAGE) break;
      }
      const keys = found.slice(0, limit);
      return { keys, total, next: found.length > limit ? keys.at(-1)?.credentialId : undefined };
    },
  };
}

async function freeFingerprint(uow: UnitOfWork, text: string): Promise<string> {
  const fingerprint = readFingerprint(text);
  if (fingerprint === undefined) {
    throw identityErrors.invalid_grant({
      message: 'A certificate is identified by its SHA-256 fingerprint: 64 hex digits.',
      pointer: '/certificate',
    });
  }
  const bound = await selectByCertificate(uow, fingerprint);
  if (bound) {
    throw identityErrors.certificate_bound({
      pointer: '/certificate',
      details: { key_id: bound.credentialId },
    });
  }
  return fingerprint;
}

/** In the order of the list: by age, then by id. */
function follows(credential: Credential, start: Credential | undefined): boolean {
  if (!start) return true;
  const { createdMicros, credentialId } = credential;
  return (
    createdMicros > start.createdMicros ||
    (createdMicros === start.createdMicros && credentialId > start.credentialId)
  );
}

function mentions({ actor, label, credentialId }: Credential, words: string | undefined): boolean {
  const text = `${actor.id} ${label ?? ''} ${credentialId}`.toLowerCase();
  return words === undefined || text.includes(words.toLowerCase());
}

/** Whoever can see all of a key's projects may see and revoke the key. */
function canManage(by: Principal, credential: Grant): boolean {
  if (by.projects === 'all') return true;
  const own = by.projects;
  return credential.projects !== 'all' && credential.projects.every((projectId) => own.includes(projectId));
}

export function newKeyId(random: Random): string {
  return toHex(random.bytes(8));
}

export function shapeCredential(
  grant: Grant & Pick<NewKey, 'label' | 'expires'>,
  made: {
    readonly credentialId: string;
    readonly kind: StoredKind;
    readonly secretHash: string;
    readonly createdBy: string;
    readonly now: Micros;
  },
): Credential {
  return {
    actor: grant.actor,
    scopes: grant.scopes,
    projects: grant.projects,
    defaultProject: grant.defaultProject,
    speaksFor: grant.speaksFor,
    credentialId: made.credentialId,
    kind: made.kind,
    label: grant.label ?? null,
    secretHash: made.secretHash,
    createdAt: formatMicros(made.now),
    createdMicros: made.now,
    createdBy: made.createdBy,
    expiresAt: grant.expires?.text ?? null,
    expiresMicros: grant.expires?.micros ?? null,
    revokedAt: null,
    lastUsedMicros: null,
  };
}

/** What the journal records of a credential: everything except its secret. */
export function keyPayload(credential: Credential) {
  return {
    key_id: credential.credentialId,
    kind: credential.kind,
    actor_id: credential.actor.id,
    actor_type: credential.actor.type,
    scopes: credential.scopes,
    projects: credential.projects,
    default_project: credential.defaultProject,
    speaks_for: credential.speaksFor,
    expires_at: credential.expiresAt,
  };
}
