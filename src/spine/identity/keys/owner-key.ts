import { formatMicros } from '../../../kernel/instant.ts';
import type { Database, UnitOfWork } from '../../storage/database.ts';
import { ensureActor } from '../credentials/actor-store.ts';
import {
  type Credential,
  insertCredential,
  markRevoked,
  selectOwnerCredential,
} from '../credentials/credential-store.ts';
import { hashSecret, newSecret, sameText } from '../credentials/secret.ts';
import { formatKey, readToken, type Token } from '../credentials/token.ts';
import { identityErrors } from '../errors.ts';
import { endLoginsOf } from '../logins/login-store.ts';
import type { Actor } from '../principal.ts';
import type { Projects } from '../projects/projects.ts';
import { roles } from '../roles.ts';
import { DEFAULT_PROJECT, SYSTEM_ACTOR } from '../settings.ts';
import { type KeyDeps, keyPayload, newKeyId, shapeCredential } from './keys.ts';
import { createOwnerKeyFile, protectOwnerKeyFile, replaceOwnerKeyFile } from './owner-key-file.ts';
import { ownerKeyPath, readOwnerKey } from './read-owner-key.ts';

type KeyToken = Extract<Token, { kind: 'key' }>;

export type OwnerKeyState =
  | { readonly state: 'made' | 'ready'; readonly path: string }
  /** The file is gone or holds another key; nothing was changed. */
  | { readonly state: 'lost'; readonly path: string };

export interface OwnerKey {
  /**
   * Makes the default project and the owner key at the first start; later only looks whether the file still holds
   * the key. A file older than the store is adopted.
   */
  prepare(dataDirectory: string): Promise<OwnerKeyState>;
  /** Ends the owner key and every login that came from it, and writes a new one. */
  renew(dataDirectory: string): Promise<OwnerKeyState>;
}

export interface OwnerKeyDeps extends KeyDeps {
  readonly db: Database;
  readonly projects: Projects;
  readonly actor: Actor;
}

export function createOwnerKey(deps: OwnerKeyDeps): OwnerKey {
  const { db, clock, random, hasher, record, projects, cache, actor } = deps;

  function mint(): KeyToken {
    return { kind: 'key', keyId: newKeyId(random), secret: newSecret(random) };
  }

  function holds(credential: Credential, token: KeyToken | undefined): boolean {
    return (
      token !== undefined &&
      token.keyId === credential.credentialId &&
      sameText(hashSecret(hasher, token.secret), credential.secretHash)
    );
  }

  async function store(uow: UnitOfWork, token: KeyToken): Promise<void> {
    const now = clock.now();
    await projects.ensureProject(uow, { projectId: DEFAULT_PROJECT }, SYSTEM_ACTOR);
    await ensureActor(uow, actor, now);
    const credential = shapeCredential(
      {
        actor,
        scopes: roles.owner,
        projects: 'all',
        defaultProject: DEFAULT_PROJECT,
        speaksFor: ['*'],
        label: 'owner key',
      },
      {
        credentialId: token.keyId,
        kind: 'owner',
        secretHash: hashSecret(hasher, token.secret),
        createdBy: SYSTEM_ACTOR.id,
        now,
      },
    );
    await insertCredential(uow, credential);
    await record(uow, {
      projectId: DEFAULT_PROJECT,
      actor: SYSTEM_ACTOR,
      type: 'key.created',
      payload: keyPayload(credential),
    });
  }

  /** The file is written first: after a crash in between, the next start adopts it. */
  async function firstStart(path: string): Promise<OwnerKeyState> {
    const made = mint();
    await createOwnerKeyFile(path, formatKey(made.keyId, made.secret));
    let token = keyIn(readOwnerKey(path));
    if (token === undefined) {
      await replaceOwnerKeyFile(path, formatKey(made.keyId, made.secret));
      token = made;
    }
    await protectOwnerKeyFile(path);
    const chosen = token;
    return db.write(async (uow) => {
      await uow.lock('owner-key');
      const stored = await selectOwnerCredential(uow);
      if (stored) return { state: holds(stored, chosen) ? 'ready' : 'lost', path };
      await store(uow, chosen);
      return { state: 'made', path };
    });
  }

  return {
    async prepare(dataDirectory) {
      const path = ownerKeyPath(dataDirectory);
      const stored = await db.read(selectOwnerCredential);
      if (!stored) return firstStart(path);
      return { state: holds(stored, keyIn(readOwnerKey(path))) ? 'ready' : 'lost', path };
    },

    async renew(dataDirectory) {
      const path = ownerKeyPath(dataDirectory);
      const token = mint();
      await db.write(async (uow) => {
        await uow.lock('owner-key');
        const stored = await selectOwnerCredential(uow);
        if (!stored) throw identityErrors.owner_key_lost({ message: 'There is no owner key to renew yet.' });
        const now = clock.now();
        await markRevoked(uow, stored.credentialId, formatMicros(now), now);
        cache.forget(uow, stored.credentialId);
        await endLoginsOf(uow, `owner:${stored.credentialId}`, now);
        await record(uow, {
          projectId: DEFAULT_PROJECT,
          actor: SYSTEM_ACTOR,
          type: 'key.revoked',
          payload: { key_id: stored.credentialId },
        });
        await store(uow, token);
      });
      await replaceOwnerKeyFile(path, formatKey(token.keyId, token.secret));
      return { state: 'made', path };
    },
  };
}

function keyIn(text: string | undefined): KeyToken | undefined {
  const token = text === undefined ? undefined : readToken(text);
  return token?.kind === 'key' ? token : undefined;
}
