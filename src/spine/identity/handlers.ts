import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { formatMicros, parseInstant } from '../../kernel/instant.ts';
import type { Handlers } from '../operations/handler.ts';
import type { Database } from '../storage/database.ts';
import { selectActor } from './credentials/actor-store.ts';
import type { Credential } from './credentials/credential-store.ts';
import { signInPath } from './credentials/token.ts';
import { identityErrors } from './errors.ts';
import type { Identity } from './identity.ts';
import type { NewKey } from './keys/keys.ts';
import { clearSessionCookie, setSessionCookie } from './logins/cookie.ts';
import { type Passkey, selectFactors } from './logins/passkey-store.ts';
import type { identityOperations } from './operations.ts';
import type { Principal } from './principal.ts';
import { type Role, roles } from './roles.ts';
import type { keySchema, newKeySchema, passkeySchema } from './schema.ts';

type NewKeyInput = (typeof newKeySchema)['_output'];

const ROLE_OF_TYPE = { human: 'human', agent: 'agent', script: 'agent' } as const satisfies Record<
  NewKeyInput['actor_type'],
  Role
>;

export function createIdentityHandlers(
  db: Database,
  identity: Identity,
): Handlers<typeof identityOperations> {
  return {
    'identity.whoami': async (reader, { principal }) => {
      const { actor, credential } = principal;
      const stored = await selectActor(reader, actor.id);
      const factors = await selectFactors(reader, actor.id);
      return {
        body: {
          actor_id: actor.id,
          actor_type: actor.type,
          display_name: stored?.displayName ?? null,
          scopes: [...principal.scopes].sort(),
          projects: listed(principal.projects),
          default_project: principal.defaultProject,
          owner: principal.owner,
          speaks_for: [...principal.speaksFor],
          credential: { ...credential },
          present: principal.present,
          passphrase_set: factors.passphrase,
          passkeys: factors.passkeys,
        },
      };
    },

    'keys.create': async ({ input, principal }) => {
      const wanted = newKey(input.body, principal);
      const { credential, token } = await db.write((uow) => identity.createKey(uow, principal, wanted));
      return { body: { ...keyBody(credential), ...(token !== undefined && { token }) } };
    },

    'keys.list': async (reader, { input, principal }) => {
      const { limit = 100, after, words } = input.query;
      const { keys, total, next } = await identity.listKeys(reader, principal, { limit, after, words });
      return { body: { keys: keys.map(keyBody), total, next: next ?? null } };
    },

    'keys.revoke': async (uow, { input, principal }) => ({
      body: keyBody(await identity.revokeKey(uow, principal, input.path.key_id)),
    }),

    'identity.dashboard_link': async ({ principal }) => {
      const { link, login } = await db.write((uow) => identity.logins.createLink(uow, principal));
      return { body: { path: signInPath(link), link, expires_at: formatMicros(login.expiresMicros) } };
    },

    'identity.dashboard_open': async ({ input }) => {
      const { cookie, login } = await db.write((uow) => identity.logins.openDashboard(uow, input.body.link));
      return {
        body: { csrf_token: login.csrfToken ?? '', expires_at: formatMicros(login.expiresMicros) },
        headers: { 'set-cookie': setSessionCookie(identity.cookies, cookie), 'cache-control': 'no-store' },
      };
    },

    'identity.dashboard_leave': async (uow, { principal }) => {
      await identity.logins.leave(uow, principal);
      return { body: { done: true }, headers: { 'set-cookie': clearSessionCookie(identity.cookies) } };
    },

    'identity.login': async ({ input, principal }) => {
      const { token, presentUntil } = await identity.presence.login(principal, input.body.passphrase);
      return {
        body: { ...(token !== undefined && { token }), present_until: formatMicros(presentUntil) },
      };
    },

    'identity.passphrase_set': async ({ input, principal }) => {
      await identity.presence.setPassphrase(principal, input.body.passphrase, input.body.current);
      return { body: { done: true } };
    },

    'passkeys.list': async (reader, { principal }) => ({
      body: { passkeys: (await identity.passkeys.list(reader, principal)).map(passkeyBody) },
    }),

    'passkeys.start_registration': async ({ input, principal }) => ({
      body: { ...(await identity.passkeys.startRegistration(principal, input.headers.origin)) },
    }),

    'passkeys.register': async ({ input, principal }) => {
      const { answer, label } = input.body;
      const made = await identity.passkeys.register(principal, answer as RegistrationResponseJSON, label);
      return { body: passkeyBody(made) };
    },

    'passkeys.start_proof': async ({ input, principal }) => ({
      body: { ...(await identity.passkeys.startProof(principal, input.headers.origin)) },
    }),

    'passkeys.prove': async ({ input, principal }) => {
      const answer = input.body.answer as AuthenticationResponseJSON;
      const { presentUntil } = await identity.passkeys.prove(principal, answer);
      return { body: { present_until: formatMicros(presentUntil) } };
    },

    'passkeys.remove': async (uow, { input, principal }) => {
      await identity.passkeys.remove(uow, principal, input.path.passkey_id);
      return { body: { done: true } };
    },
  };
}

function newKey(body: NewKeyInput, by: Principal): NewKey {
  const projects = readProjects(body.projects) ?? [by.defaultProject];
  const named = body.role ? roles[body.role] : body.scopes ? [] : roles[ROLE_OF_TYPE[body.actor_type]];
  return {
    actor: { id: body.actor_id, type: body.actor_type },
    displayName: body.display_name,
    label: body.label,
    scopes: [...new Set<string>([...named, ...(body.scopes ?? [])])],
    projects,
    defaultProject:
      body.default_project ?? (projects === 'all' ? by.defaultProject : (projects[0] ?? by.defaultProject)),
    speaksFor: body.speaks_for ?? [],
    expires: readExpiry(body.expires_at),
    certificate: body.certificate,
  };
}

function readProjects(projects: readonly string[] | undefined): 'all' | readonly string[] | undefined {
  return projects?.length === 1 && projects[0] === '*' ? 'all' : projects;
}

function readExpiry(text: string | undefined): NewKey['expires'] {
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (!instant) {
    throw identityErrors.invalid_grant({
      message: 'The expiry is not an RFC 3339 timestamp.',
      pointer: '/expires_at',
    });
  }
  return { text: instant.utc ? text : formatMicros(instant.micros), micros: instant.micros };
}

function keyBody(credential: Credential): (typeof keySchema)['_output'] {
  return {
    key_id: credential.credentialId,
    kind: credential.kind,
    label: credential.label,
    actor_id: credential.actor.id,
    actor_type: credential.actor.type,
    scopes: [...credential.scopes],
    projects: listed(credential.projects),
    default_project: credential.defaultProject,
    speaks_for: [...credential.speaksFor],
    created_at: credential.createdAt,
    created_by: credential.createdBy,
    expires_at: credential.expiresAt,
    revoked_at: credential.revokedAt,
    last_used_at: credential.lastUsedMicros === null ? null : formatMicros(credential.lastUsedMicros),
  };
}

function passkeyBody(passkey: Passkey): (typeof passkeySchema)['_output'] {
  return {
    passkey_id: passkey.passkeyId,
    label: passkey.label,
    host: passkey.rpId,
    created_at: passkey.createdAt,
    last_used_at: passkey.lastUsedMicros === null ? null : formatMicros(passkey.lastUsedMicros),
  };
}

function listed(projects: 'all' | readonly string[]): string[] {
  return projects === 'all' ? ['*'] : [...projects];
}
