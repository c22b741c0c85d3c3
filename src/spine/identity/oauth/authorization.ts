import type { Clock, Micros, Random } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { prefixedId } from '../../../kernel/ids.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { inline } from '../../../kernel/quoted.ts';
import type { Database, UnitOfWork } from '../../storage/database.ts';
import { ensureActor } from '../credentials/actor-store.ts';
import { hashSecret, newSecret } from '../credentials/secret.ts';
import { standingSource } from '../credentials/standing.ts';
import { formatOAuth, formatRefresh, readRefresh } from '../credentials/token.ts';
import { identityErrors } from '../errors.ts';
import { requireNarrower, requireSoundGrant } from '../keys/grant-rules.ts';
import type { RecordEvent } from '../ledger.ts';
import type { Principal } from '../principal.ts';
import { requireActiveProject } from '../projects/project-store.ts';
import {
  actorIdFor,
  fault,
  isChallenge,
  isRegistered,
  isSameResource,
  type OAuthFault,
  offeredScopes,
  provesChallenge,
  soundRedirects,
} from './rules.ts';
import {
  type AuthorizationRequest,
  type Client,
  forgetExpired,
  forgetUnusedClients,
  insertClient,
  insertCode,
  insertGrant,
  insertRequest,
  insertToken,
  type OAuthGrant,
  revokeGrant,
  selectClient,
  selectGrant,
  selectToken,
  takeRequest,
  useCode,
  useToken,
} from './store.ts';

const MINUTE = 60 * 1e6;
const REQUEST_LIFE = 10 * MINUTE;
const CODE_LIFE = MINUTE;
const ACCESS_LIFE = 60 * MINUTE;
const REFRESH_LIFE = 30 * 24 * 60 * MINUTE;
/** Time for a person to answer; whoever floods us keeps others out for no longer than that. */
const UNUSED_CLIENT_LIFE = 60 * MINUTE;
const MOST_UNUSED_CLIENTS = 200;
const LONGEST_NAME = 100;
const LONGEST_STATE = 2000;

export interface AuthorizationDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly record: RecordEvent;
}

export type Parameters = ReadonlyMap<string, string>;

export interface Tokens {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** `untrusted`: nothing may be sent to the address that the request names. */
export type Checked =
  | { readonly kind: 'untrusted'; readonly fault: OAuthFault }
  | {
      readonly kind: 'refused';
      readonly redirectUri: string;
      readonly state: string | null;
      readonly fault: OAuthFault;
    }
  | {
      readonly kind: 'sound';
      readonly client: Client;
      readonly request: Omit<AuthorizationRequest, 'requestHash' | 'loginId' | 'scopes' | 'expires'> & {
        readonly scope: string | undefined;
      };
    };

export interface Consent {
  readonly secret: string;
  readonly approved: boolean;
  readonly projectId: string;
  readonly scopes: readonly string[];
}

export interface Answered {
  readonly redirectUri: string;
  readonly state: string | null;
  readonly code?: string;
  readonly fault?: OAuthFault;
}

export interface Authorization {
  register(metadata: unknown): Promise<Client | OAuthFault>;
  check(parameters: Parameters, resource: string): Promise<Checked>;
  /** Keeps a sound request until its person answers; the secret is in the form that only they are shown. */
  keep(
    person: Principal,
    checked: Extract<Checked, { kind: 'sound' }>,
  ): Promise<{ readonly secret: string; readonly scopes: readonly string[] }>;
  /** Undefined if no such request waits for this person. */
  answer(person: Principal, consent: Consent): Promise<Answered | undefined>;
  token(parameters: Parameters, resource: string): Promise<Tokens | OAuthFault>;
  /** What an access token grants at a resource; undefined if nothing. */
  grantOf(secret: string, resource: string | undefined): Promise<OAuthGrant | undefined>;
  revoke(uow: UnitOfWork, by: Principal, grant: OAuthGrant): Promise<void>;
  /** A client gives a token back (RFC 7009): its whole grant ends. */
  giveBack(token: string): Promise<void>;
}

export function createAuthorization(deps: AuthorizationDeps): Authorization {
  const { db, clock, random, hasher, record } = deps;
  const hash = (secret: string) => hashSecret(hasher, secret);

  async function issue(uow: UnitOfWork, grant: OAuthGrant, now: Micros): Promise<Tokens> {
    const [access, refresh] = [newSecret(random), newSecret(random)];
    const { grantId } = grant;
    await forgetExpired(uow, now - REFRESH_LIFE);
    await insertToken(uow, { hash: hash(access), kind: 'access', grantId, expires: now + ACCESS_LIFE });
    await insertToken(uow, { hash: hash(refresh), kind: 'refresh', grantId, expires: now + REFRESH_LIFE });
    return {
      access_token: formatOAuth(access),
      token_type: 'Bearer',
      expires_in: ACCESS_LIFE / 1e6,
      refresh_token: formatRefresh(refresh),
      scope: grant.scopes.join(' '),
    };
  }

  async function end(
    uow: UnitOfWork,
    grant: OAuthGrant,
    reason: string,
    by: OAuthGrant['actor'],
  ): Promise<void> {
    if (!(await revokeGrant(uow, grant.grantId, formatMicros(clock.now()), reason))) return;
    await record(uow, {
      projectId: grant.defaultProject,
      actor: by,
      type: 'oauth.revoked',
      payload: { grant_id: grant.grantId, client_id: grant.clientId, reason },
    });
  }

  const invalid = (why: string) => fault('invalid_grant', why);

  async function byCode(uow: UnitOfWork, given: Parameters): Promise<Tokens | OAuthFault> {
    const now = clock.now();
    const found = await useCode(uow, hash(given.get('code') ?? ''), now);
    const grant = found && (await selectGrant(uow, found.code.grantId));
    if (!found || !grant) return invalid('The code is not known.');
    const { code, first } = found;
    if (!first) {
      // Somebody has the code who should not: whoever redeemed it first may be the thief.
      await end(uow, grant, 'code_replayed', grant.actor);
      return invalid('The code was used before.');
    }
    const proven = provesChallenge(hasher, given.get('code_verifier') ?? '', code.challenge);
    const fits =
      proven && grant.clientId === given.get('client_id') && code.redirectUri === given.get('redirect_uri');
    if (!fits || code.expires <= now || grant.revokedAt !== null) {
      await end(uow, grant, 'code_misused', grant.actor);
      return invalid('The code does not belong to this request, or has expired.');
    }
    return issue(uow, grant, now);
  }

  async function byRefresh(uow: UnitOfWork, given: Parameters): Promise<Tokens | OAuthFault> {
    const now = clock.now();
    const secret = readRefresh(given.get('refresh_token') ?? '');
    const hashed = secret === undefined ? '' : hash(secret);
    const token = await selectToken(uow, 'refresh', hashed);
    const grant = token && (await selectGrant(uow, token.grantId));
    if (!token || !grant || grant.clientId !== given.get('client_id'))
      return invalid('The token is not known.');
    if (grant.revokedAt !== null || token.expires <= now) return invalid('The grant has ended.');
    if (token.used !== null || !(await useToken(uow, hashed, now))) {
      await end(uow, grant, 'refresh_reused', grant.actor);
      return invalid('The token was used before; the grant has ended.');
    }
    return issue(uow, grant, now);
  }

  return {
    async register(metadata) {
      const given = (typeof metadata === 'object' && metadata !== null ? metadata : {}) as Record<
        string,
        unknown
      >;
      const redirects = soundRedirects(given.redirect_uris);
      if (!redirects) {
        return fault(
          'invalid_redirect_uri',
          'Give 1 to 10 addresses: https, http on loopback, or a scheme of your own; no fragments.',
        );
      }
      const method = given.token_endpoint_auth_method;
      if (method !== undefined && method !== 'none') {
        return fault(
          'invalid_client_metadata',
          'Only public clients: token_endpoint_auth_method is none, PKCE proves the rest.',
        );
      }
      const name = typeof given.client_name === 'string' ? inline(given.client_name, LONGEST_NAME) : '';
      const client = {
        clientId: prefixedId('mcp', random),
        name: name || 'A client without a name',
        redirects,
      };
      return db.write(async (uow) => {
        const now = clock.now();
        if ((await forgetUnusedClients(uow, now - UNUSED_CLIENT_LIFE)) >= MOST_UNUSED_CLIENTS) {
          return fault('temporarily_unavailable', 'Too many clients wait for a person; try again later.');
        }
        await insertClient(uow, client, formatMicros(now), now);
        return client;
      });
    },

    async check(given, resource) {
      const client = await db.read((reader) => selectClient(reader, given.get('client_id') ?? ''));
      if (!client)
        return { kind: 'untrusted', fault: fault('invalid_client', 'This client is not registered here.') };
      const redirectUri = given.get('redirect_uri') ?? '';
      if (!isRegistered(client.redirects, redirectUri)) {
        return {
          kind: 'untrusted',
          fault: fault(
            'invalid_request',
            'The client did not register the address that the answer should go to.',
          ),
        };
      }
      const state = given.get('state')?.slice(0, LONGEST_STATE) ?? null;
      const refused = (error: string, description: string): Checked => ({
        kind: 'refused',
        redirectUri,
        state,
        fault: fault(error, description),
      });
      if (given.get('response_type') !== 'code') return refused('unsupported_response_type', 'Only code.');
      const challenge = given.get('code_challenge');
      if (given.get('code_challenge_method') !== 'S256' || !isChallenge(challenge)) {
        return refused('invalid_request', 'PKCE with S256 is required.');
      }
      const wanted = given.get('resource') ?? resource;
      if (!isSameResource(wanted, resource))
        return refused('invalid_target', `Only ${resource} is served here.`);
      const { clientId } = client;
      return {
        kind: 'sound',
        client,
        request: { clientId, redirectUri, state, challenge, resource, scope: given.get('scope') },
      };
    },

    async keep(person, { request: { scope, ...request } }) {
      const secret = newSecret(random);
      const scopes = offeredScopes(scope, person.scopes);
      await db.write(async (uow) => {
        const now = clock.now();
        const loginId = person.credential.id;
        await insertRequest(
          uow,
          { ...request, requestHash: hash(secret), loginId, scopes, expires: now + REQUEST_LIFE },
          now,
        );
      });
      return { secret, scopes };
    },

    async answer(person, { secret, approved, projectId, scopes }) {
      return db.write(async (uow) => {
        const now = clock.now();
        const request = await takeRequest(uow, hash(secret), person.credential.id);
        const client = request && (await selectClient(uow, request.clientId));
        if (!request || !client || request.expires <= now) return undefined;
        const { redirectUri, state } = request;
        if (!approved) return { redirectUri, state, fault: fault('access_denied', 'The person said no.') };
        if (!person.present) throw identityErrors.presence_required();
        await standingSource(uow, person, now);
        const grantId = prefixedId('oag', random);
        const grant: OAuthGrant = {
          grantId,
          clientId: client.clientId,
          clientName: client.name,
          actor: { id: actorIdFor(client.name, grantId), type: 'agent' },
          scopes: request.scopes.filter((scope) => scopes.includes(scope)),
          projects: [projectId],
          defaultProject: projectId,
          speaksFor: [],
          resource: request.resource,
          grantedBy: person.actor.id,
          grantedAt: formatMicros(now),
          revokedAt: null,
        };
        requireSoundGrant(grant);
        requireNarrower(person, grant);
        await requireActiveProject(uow, projectId);
        await ensureActor(uow, grant.actor, now, client.name);
        await insertGrant(uow, grant, now);
        const code = newSecret(random);
        await insertCode(uow, hash(code), {
          grantId,
          redirectUri,
          challenge: request.challenge,
          expires: now + CODE_LIFE,
        });
        await record(uow, {
          projectId,
          actor: person.actor,
          type: 'oauth.granted',
          payload: {
            grant_id: grantId,
            client_id: client.clientId,
            actor_id: grant.actor.id,
            scopes: [...grant.scopes],
            resource: grant.resource,
          },
        });
        return { redirectUri, state, code };
      });
    },

    async token(given, resource) {
      const wanted = given.get('resource');
      if (wanted !== undefined && !isSameResource(wanted, resource)) {
        return fault('invalid_target', `Only ${resource} is served here.`);
      }
      const type = given.get('grant_type');
      if (type === 'authorization_code') return db.write((uow) => byCode(uow, given));
      if (type === 'refresh_token') return db.write((uow) => byRefresh(uow, given));
      return fault('unsupported_grant_type', 'authorization_code or refresh_token.');
    },

    async grantOf(secret, resource) {
      return db.read(async (reader) => {
        const token = await selectToken(reader, 'access', hash(secret));
        const grant = token && (await selectGrant(reader, token.grantId));
        if (!token || !grant || grant.revokedAt !== null || token.expires <= clock.now()) return undefined;
        return resource !== undefined && isSameResource(grant.resource, resource) ? grant : undefined;
      });
    },

    revoke: (uow, by, grant) => end(uow, grant, 'revoked', by.actor),

    async giveBack(text) {
      const refresh = readRefresh(text);
      const secret = refresh ?? text.replace(/^baton_mcp_/, '');
      const kind = refresh === undefined ? 'access' : 'refresh';
      await db.write(async (uow) => {
        const token = await selectToken(uow, kind, hash(secret));
        const grant = token && (await selectGrant(uow, token.grantId));
        if (grant) await end(uow, grant, 'given_back', grant.actor);
      });
    },
  };
}
