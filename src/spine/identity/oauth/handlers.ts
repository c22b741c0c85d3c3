import { IDLE_SECONDS, readUpTo } from '../../operations/body.ts';
import type { Handlers } from '../../operations/handler.ts';
import type { Database } from '../../storage/database.ts';
import { canSeeProject } from '../access.ts';
import { identityErrors } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Principal } from '../principal.ts';
import { roles } from '../roles.ts';
import type { Answered, Authorization, Parameters } from './authorization.ts';
import type { oauthOperations } from './operations.ts';
import { consentPage, noticePage, pageHeaders } from './page.ts';
import { type OAuthGrant, selectGrant, selectGrants } from './store.ts';

const SMALL = 16_384;
const LISTED = 200;
const MCP_PATH = '/mcp';
const NO_STORE = { 'content-type': 'application/json', 'cache-control': 'no-store' };

export interface OAuthHandlerDeps {
  readonly db: Database;
  readonly identity: Pick<Identity, 'authenticate' | 'cookies' | 'listProjects'>;
  readonly authorization: Authorization;
  /** Another authorization server lets clients in: then ours has nothing to say. */
  readonly issuer?: string | undefined;
}

export function createOAuthHandlers(deps: OAuthHandlerDeps): Handlers<typeof oauthOperations> {
  const { db, identity, authorization, issuer } = deps;
  const originOf = (request: Request) => {
    const url = new URL(request.url);
    // TLS may end in front of us.
    return identity.cookies.secure ? `https://${url.host}` : url.origin;
  };
  const resourceOf = (request: Request) => `${originOf(request)}${MCP_PATH}`;
  const json = (body: unknown, status = 200) =>
    new Response(JSON.stringify(body), { status, headers: NO_STORE });
  const html = (text: string, status: number, redirectUri?: string) =>
    new Response(text, { status, headers: pageHeaders(redirectUri) });
  const ours = () => {
    if (issuer !== undefined) throw identityErrors.oauth_elsewhere({ details: { issuer } });
  };

  const resourceMetadata = async (request: Request) =>
    json({
      resource: resourceOf(request),
      authorization_servers: [issuer ?? originOf(request)],
      scopes_supported: [...roles.agent],
      bearer_methods_supported: ['header'],
      resource_name: 'Baton',
    });

  /** Undefined where nobody is signed in; the form that the page holds is what proves a change to be theirs. */
  async function personOf(request: Request): Promise<Principal | undefined> {
    const cookie = request.headers.get('cookie') ?? undefined;
    const principal =
      cookie === undefined
        ? undefined
        : await identity.authenticate({ cookie, safe: true }).catch(() => undefined);
    return principal?.actor.type === 'human' && principal.credential.kind === 'dashboard'
      ? principal
      : undefined;
  }

  function answerTo(request: Request, { redirectUri, state, code, fault }: Answered): Response {
    const target = new URL(redirectUri);
    const said: Record<string, string | null | undefined> = {
      code,
      error: fault?.error,
      error_description: fault?.description,
      state,
      // Which server answered (RFC 9207): a client that knows several cannot be led to take one for another.
      iss: originOf(request),
    };
    for (const [name, value] of Object.entries(said)) if (value != null) target.searchParams.set(name, value);
    return new Response(null, {
      status: 303,
      headers: { location: target.href, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    });
  }

  const signIn = () =>
    html(
      noticePage(
        'Sign in first',
        'Open the dashboard in this browser (`baton open` prints the link), then load this page again.',
      ),
      401,
    );

  return {
    'oauth.resource': resourceMetadata,
    'oauth.resource_root': resourceMetadata,

    'oauth.server': async (request) => {
      ours();
      const origin = originOf(request);
      return json({
        issuer: origin,
        authorization_endpoint: `${origin}/oauth/authorize`,
        token_endpoint: `${origin}/oauth/token`,
        registration_endpoint: `${origin}/oauth/register`,
        revocation_endpoint: `${origin}/oauth/revoke`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        scopes_supported: [...roles.agent],
        authorization_response_iss_parameter_supported: true,
      });
    },

    'oauth.register': async (request) => {
      ours();
      const text = await textOf(request);
      const client = await authorization.register(parsed(text));
      if ('error' in client) {
        return json(
          { error: client.error, error_description: client.description },
          client.error === 'temporarily_unavailable' ? 429 : 400,
        );
      }
      return json(
        {
          client_id: client.clientId,
          client_name: client.name,
          redirect_uris: client.redirects,
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        },
        201,
      );
    },

    'oauth.authorize': async (request) => {
      ours();
      const checked = await authorization.check(
        single(new URL(request.url).searchParams),
        resourceOf(request),
      );
      if (checked.kind === 'untrusted')
        return html(noticePage('This cannot be answered', checked.fault.description), 400);
      // Anybody can register a client: only somebody who is signed in is sent to its address, whatever the answer is.
      const person = await personOf(request);
      if (!person) return signIn();
      if (checked.kind === 'refused') return answerTo(request, checked);
      const { secret, scopes } = await authorization.keep(person, checked);
      const projects = await db.read((reader) =>
        identity.listProjects(reader, person, { archived: false, limit: LISTED, after: undefined }),
      );
      const { redirectUri } = checked.request;
      return html(
        consentPage({
          clientName: checked.client.name,
          redirectUri,
          person: person.actor.id,
          secret,
          scopes,
          projects: projects.map(({ projectId }) => projectId),
          project: person.defaultProject,
          present: person.present,
        }),
        200,
        redirectUri,
      );
    },

    'oauth.consent': async (request) => {
      ours();
      const person = await personOf(request);
      if (!person) return signIn();
      const form = new URLSearchParams(await textOf(request));
      const answered = await authorization.answer(person, {
        secret: form.get('request') ?? '',
        approved: form.get('decision') === 'allow',
        projectId: form.get('project') ?? person.defaultProject,
        scopes: form.getAll('scope'),
      });
      if (answered) return answerTo(request, answered);
      return html(
        noticePage(
          'Too late',
          'This request was answered before, or took too long. Start again from the client.',
        ),
        400,
      );
    },

    'oauth.token': async (request) => {
      ours();
      const given = single(new URLSearchParams(await textOf(request)));
      const tokens = await authorization.token(given, resourceOf(request));
      if ('error' in tokens) return json({ error: tokens.error, error_description: tokens.description }, 400);
      return json(tokens);
    },

    'oauth.give_back': async (request) => {
      ours();
      await authorization.giveBack(new URLSearchParams(await textOf(request)).get('token') ?? '');
      return json({});
    },

    'oauth.grants': async (reader, { principal }) => {
      const grants = await selectGrants(reader, LISTED);
      return {
        body: {
          grants: grants.filter((each) => canSeeProject(principal, each.defaultProject)).map(grantView),
        },
      };
    },

    'oauth.revoke': async (uow, { input, principal }) => {
      const grant = await selectGrant(uow, input.path.grant_id);
      if (!grant || !canSeeProject(principal, grant.defaultProject))
        throw identityErrors.oauth_grant_not_found();
      await authorization.revoke(uow, principal, grant);
      return { body: grantView((await selectGrant(uow, grant.grantId)) ?? grant) };
    },
  };
}

function grantView(grant: OAuthGrant) {
  return {
    grant_id: grant.grantId,
    client_id: grant.clientId,
    client_name: grant.clientName,
    actor_id: grant.actor.id,
    project: grant.defaultProject,
    scopes: [...grant.scopes],
    granted_by: grant.grantedBy,
    granted_at: grant.grantedAt,
    revoked_at: grant.revokedAt,
  };
}

/** A parameter that is given twice counts as not given: no two readers may take different ones of them. */
function single(given: URLSearchParams): Parameters {
  const found = new Map<string, string>();
  for (const name of new Set(given.keys())) {
    const [value, ...more] = given.getAll(name);
    if (value !== undefined && more.length === 0) found.set(name, value);
  }
  return found;
}

async function textOf(request: Request): Promise<string> {
  const bytes = await readUpTo(request, { maxBytes: SMALL, idleSeconds: IDLE_SECONDS });
  return bytes === undefined ? '' : new TextDecoder().decode(bytes);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
