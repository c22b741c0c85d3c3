import { createHash, randomBytes } from 'node:crypto';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { call, textOf } from './clients.ts';

const CALLBACK = 'http://127.0.0.1:9/callback';

let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await startTestServer();
  cookie = await signedIn(server, true);
});
afterAll(async () => {
  await server.close();
});

/** A browser of the owner: a dashboard session, and presence by passphrase. */
async function signedIn({ url, fetch: asOwner }: TestServer, present: boolean): Promise<string> {
  const link = (await (await asOwner('/v1/dashboard/links', { method: 'POST' })).json()) as { link: string };
  const json = { 'content-type': 'application/json', origin: url };
  const opened = await fetch(`${url}/v1/dashboard/session`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ link: link.link }),
  });
  const own = (opened.headers.get('set-cookie') ?? '').split(';')[0] as string;
  const { csrf_token } = (await opened.json()) as { csrf_token: string };
  if (!present) return own;
  const passphrase = 'correct horse battery staple';
  const headers = { ...json, cookie: own, 'x-csrf-token': csrf_token };
  for (const [path, method] of [
    ['/v1/passphrase', 'PUT'],
    ['/v1/login', 'POST'],
  ] as const) {
    const done = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify({ passphrase }) });
    expect(done.status, path).toBeLessThan(300);
  }
  return own;
}

const pkce = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

async function registered(redirects: readonly string[] = [CALLBACK], name = 'Test client'): Promise<string> {
  const response = await fetch(`${server.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: redirects }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { client_id: string }).client_id;
}

function authorizeUrl(clientId: string, challenge: string, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${server.url}/mcp`,
    state: 's1',
    ...more,
  });
  return `${server.url}/oauth/authorize?${query}`;
}

const browse = (url: string, own = cookie) => fetch(url, { headers: { cookie: own }, redirect: 'manual' });

/** Sends the form of the page as a browser would, with every box that is ticked. */
async function consent(
  page: string,
  decision = 'allow',
  own = cookie,
  only?: readonly string[],
): Promise<Response> {
  const form = new URLSearchParams({
    request: /name="request" value="([0-9a-f]+)"/.exec(page)?.[1] ?? '',
    project: 'default',
    decision,
  });
  for (const [, scope] of page.matchAll(/name="scope" value="([^"]+)"/g)) {
    if (!only || only.includes(scope as string)) form.append('scope', scope as string);
  }
  return fetch(`${server.url}/oauth/authorize`, {
    method: 'POST',
    headers: { cookie: own, origin: server.url, 'content-type': 'application/x-www-form-urlencoded' },
    body: form,
    redirect: 'manual',
  });
}

async function redeem(given: Record<string, string>) {
  const response = await fetch(`${server.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(given),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

async function letIn(only?: readonly string[]) {
  const clientId = await registered();
  const { verifier, challenge } = pkce();
  const page = await (await browse(authorizeUrl(clientId, challenge))).text();
  const answer = await consent(page, 'allow', cookie, only);
  const location = new URL(answer.headers.get('location') ?? '');
  const code = location.searchParams.get('code') as string;
  const redemption = {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code,
    code_verifier: verifier,
    resource: `${server.url}/mcp`,
  };
  return { clientId, redemption, location };
}

const mcp = (token: string) =>
  fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

describe('a client of the SDK', () => {
  it('is let in by a person in a browser, works as an agent of its own, and renews its token', async () => {
    const kept: Record<string, unknown> = {};
    let asked: URL | undefined;
    const provider: OAuthClientProvider = {
      redirectUrl: CALLBACK,
      clientMetadata: {
        client_name: 'SDK client',
        redirect_uris: [CALLBACK],
        token_endpoint_auth_method: 'none',
      },
      clientInformation: () => kept.client as never,
      saveClientInformation: (client) => {
        kept.client = client;
      },
      tokens: () => kept.tokens as never,
      saveTokens: (tokens) => {
        kept.tokens = tokens;
      },
      redirectToAuthorization: (url) => {
        asked = url;
      },
      saveCodeVerifier: (verifier) => {
        kept.verifier = verifier;
      },
      codeVerifier: () => kept.verifier as string,
    };
    const connect = async () => {
      const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
        authProvider: provider,
      });
      const client = new Client({ name: 'test', version: '1' });
      return { transport, client, connected: client.connect(transport) };
    };
    const first = await connect();
    await expect(first.connected).rejects.toThrow();
    expect(asked?.searchParams.get('code_challenge_method')).toBe('S256');
    const page = await (await browse((asked as URL).href)).text();
    expect(page).toContain('SDK client');
    const answer = new URL((await consent(page)).headers.get('location') ?? '');
    await first.transport.finishAuth(answer.searchParams);
    const { client, connected } = await connect();
    await connected;
    const made = await call(client, 'deposit', { title: 'Done by a client with a browser' });
    expect(made.isError, textOf(made)).toBeFalsy();
    const { package_id } = made.structuredContent as { package_id: string };
    const stored = await server.client.call('packages.get', { package_id });
    expect(stored).toMatchObject({
      created_by: { type: 'agent', id: expect.stringMatching(/^sdk-client-/) },
    });
    await client.close();
    kept.tokens = { ...(kept.tokens as object), access_token: `baton_mcp_${'0'.repeat(64)}` };
    const renewed = await connect();
    await renewed.connected;
    expect((await renewed.client.listTools()).tools.length).toBeGreaterThan(5);
    await renewed.client.close();
  });

  it('is told where to ask: the challenge, the resource and the server', async () => {
    const refused = await fetch(`${server.url}/mcp`, { method: 'POST', body: '{}' });
    const metadata = /resource_metadata="([^"]+)"/.exec(
      refused.headers.get('www-authenticate') ?? '',
    )?.[1] as string;
    expect(refused.status).toBe(401);
    const resource = (await (await fetch(metadata)).json()) as {
      resource: string;
      authorization_servers: string[];
    };
    expect(resource).toMatchObject({ resource: `${server.url}/mcp`, authorization_servers: [server.url] });
    const known = await fetch(`${resource.authorization_servers[0]}/.well-known/oauth-authorization-server`);
    expect(await known.json()).toMatchObject({
      issuer: server.url,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  });
});

describe('the page', () => {
  it('shows who asks, where the answer goes and what for, and cannot be framed or scripted', async () => {
    const clientId = await registered(['https://evil.example/cb'], '<b>Your bank</b>');
    const shown = await browse(
      authorizeUrl(clientId, pkce().challenge, { redirect_uri: 'https://evil.example/cb' }),
    );
    const page = await shown.text();
    expect(page).toContain('&lt;b&gt;Your bank');
    expect(page).not.toContain('<b>Your');
    expect(page).toContain('evil.example');
    expect(page).toContain('packages:write');
    expect(page).not.toMatch(/inbox:decide|keys:manage/);
    expect(shown.headers.get('x-frame-options')).toBe('DENY');
    const policy = shown.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' https://evil.example");
  });

  it('wants a person who is signed in, and present to say yes', async () => {
    const clientId = await registered();
    const url = authorizeUrl(clientId, pkce().challenge);
    expect((await fetch(url)).status).toBe(401);
    const absent = await signedIn(server, false);
    const page = await (await browse(url, absent)).text();
    expect(page).toMatch(/Prove first that you are there/);
    expect((await consent(page, 'allow', absent)).status).toBe(403);
  });

  it('sends nobody who is not signed in to an address that anybody may have registered', async () => {
    const there = { redirect_uri: 'https://evil.example/cb' };
    const clientId = await registered([there.redirect_uri]);
    for (const more of [{}, { response_type: 'token' }]) {
      const answer = await fetch(authorizeUrl(clientId, pkce().challenge, { ...there, ...more }), {
        redirect: 'manual',
      });
      expect([answer.status, answer.headers.get('location')]).toEqual([401, null]);
    }
  });

  it('takes no answer from another session, none twice, and none from another page', async () => {
    const clientId = await registered();
    const page = await (await browse(authorizeUrl(clientId, pkce().challenge))).text();
    const other = await signedIn(server, false);
    expect((await consent(page, 'allow', other)).status).toBe(400);
    const foreign = await fetch(`${server.url}/oauth/authorize`, {
      method: 'POST',
      headers: { cookie, origin: 'https://evil.example' },
      body: new URLSearchParams({ decision: 'allow' }),
    });
    expect(foreign.status).toBe(403);
    expect((await consent(page)).status).toBe(303);
    expect((await consent(page)).status).toBe(400);
  });

  it('sends a no to the client, with its state and who answered', async () => {
    const clientId = await registered();
    const page = await (await browse(authorizeUrl(clientId, pkce().challenge))).text();
    const { searchParams } = new URL((await consent(page, 'deny')).headers.get('location') ?? '');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: 'access_denied',
      state: 's1',
      iss: server.url,
    });
  });
});

describe('a redirect', () => {
  it('goes nowhere that was not registered, to the letter', async () => {
    const clientId = await registered(['https://app.example/cb', 'http://127.0.0.1:1234/cb']);
    const { challenge } = pkce();
    for (const uri of [
      'https://evil.example/cb',
      'https://app.example/cb/',
      'https://app.example/cb?x=1',
      'https://app.example.evil.example/cb',
      'http://app.example/cb',
      'http://127.0.0.1:1234/other',
      'http://localhost:1234/cb',
      'http://127.0.0.1.evil.example:1234/cb',
      'http://user@127.0.0.1:1234/cb',
      'javascript:alert(1)',
      '',
    ]) {
      const answer = await browse(authorizeUrl(clientId, challenge, { redirect_uri: uri }));
      expect([uri, answer.status, answer.headers.get('location')]).toEqual([uri, 400, null]);
    }
    for (const uri of ['https://app.example/cb', 'http://127.0.0.1:1234/cb', 'http://127.0.0.1:50123/cb']) {
      expect((await browse(authorizeUrl(clientId, challenge, { redirect_uri: uri }))).status).toBe(200);
    }
  });

  it.each([
    ['http://app.example/cb'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['https://a.example/#x'],
    ['https://user:pw@a.example/'],
    ['not an address'],
  ])('is not registered to %s', async (uri) => {
    const response = await fetch(`${server.url}/oauth/register`, {
      method: 'POST',
      body: JSON.stringify({ redirect_uris: [uri] }),
    });
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_redirect_uri' }]);
  });
});

describe('PKCE', () => {
  it.each([
    ['plain', { code_challenge_method: 'plain' }],
    ['nothing said', { code_challenge_method: '' }],
    ['no challenge', { code_challenge: '' }],
    ['another resource', { resource: 'https://other.example/mcp' }],
    ['another response', { response_type: 'token' }],
  ])('is not talked down: %s', async (_, more) => {
    const clientId = await registered();
    const answer = await browse(authorizeUrl(clientId, pkce().challenge, more));
    const { searchParams } = new URL(answer.headers.get('location') ?? '');
    expect(searchParams.get('error')).toMatch(/^invalid_|^unsupported_/);
    expect(searchParams.get('code')).toBeNull();
  });

  it('is asked for at the token: neither a wrong verifier nor none redeems a code, and the code is spent', async () => {
    for (const verifier of ['', 'x'.repeat(43), pkce().verifier]) {
      const { redemption } = await letIn();
      expect((await redeem({ ...redemption, code_verifier: verifier })).body.error).toBe('invalid_grant');
      expect((await redeem(redemption)).body.error).toBe('invalid_grant');
    }
  });
});

describe('a code', () => {
  it('is for its client and its address', async () => {
    const other = await registered();
    for (const wrong of [{ client_id: other }, { redirect_uri: 'http://127.0.0.1:10/callback' }]) {
      const { redemption } = await letIn();
      expect((await redeem({ ...redemption, ...wrong })).body.error).toBe('invalid_grant');
    }
  });

  it('works once: a second use ends what the first got', async () => {
    const { redemption } = await letIn();
    const { body: tokens } = await redeem(redemption);
    expect((await mcp(tokens.access_token as string)).status).toBe(200);
    expect((await redeem(redemption)).body.error).toBe('invalid_grant');
    expect((await mcp(tokens.access_token as string)).status).toBe(401);
  });

  it('redeemed by many at once is redeemed by one at most', async () => {
    const { redemption } = await letIn();
    const all = await Promise.all(Array.from({ length: 8 }, () => redeem(redemption)));
    expect(all.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });
});

describe('a token', () => {
  it('opens MCP and nothing else, and only at the address it is for', async () => {
    const { redemption } = await letIn();
    const { body } = await redeem(redemption);
    const token = body.access_token as string;
    expect((await mcp(token)).status).toBe(200);
    for (const path of ['/v1/whoami', '/v1/inbox', '/v1/keys']) {
      expect((await server.fetch(path, { headers: { authorization: `Bearer ${token}` } })).status, path).toBe(
        401,
      );
    }
    const elsewhere = server.url.replace('127.0.0.1', 'localhost');
    const response = await fetch(`${elsewhere}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(401);
    expect((await mcp(body.refresh_token as string)).status).toBe(401);
  });

  it('may do what the person ticked, and no more', async () => {
    const { redemption } = await letIn(['packages:read', 'search:read']);
    const { body } = await redeem(redemption);
    expect(body.scope?.split(' ').sort()).toEqual(['packages:read', 'search:read']);
    const client = new Client({ name: 'narrow', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${body.access_token}` } },
      }),
    );
    expect(textOf(await call(client, 'deposit', { title: 'x' }))).toMatch(/^forbidden: /);
    expect((await call(client, 'search', { query: 'x' })).isError).toBeFalsy();
    await client.close();
  });

  it('is renewed once by each refresh token: whoever uses one again ends all of them', async () => {
    const { clientId, redemption } = await letIn();
    const { body: first } = await redeem(redemption);
    const refresh = {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: first.refresh_token as string,
    };
    const { body: second } = await redeem(refresh);
    expect((await mcp(second.access_token as string)).status).toBe(200);
    expect((await redeem({ ...refresh, client_id: await registered() })).body.error).toBe('invalid_grant');
    expect((await mcp(second.access_token as string)).status).toBe(200);
    expect((await redeem(refresh)).body.error).toBe('invalid_grant');
    expect((await mcp(second.access_token as string)).status).toBe(401);
    expect((await redeem({ ...refresh, refresh_token: second.refresh_token as string })).body.error).toBe(
      'invalid_grant',
    );
  });

  it('ends when the person ends it, and when the client gives it back', async () => {
    const { clientId, redemption } = await letIn();
    const { body } = await redeem(redemption);
    const { grants } = await server.client.call('oauth.grants', {});
    const grant = grants.find((each) => each.client_id === clientId);
    await server.client.call('oauth.revoke', { grant_id: grant?.grant_id as string });
    expect((await mcp(body.access_token as string)).status).toBe(401);
    const other = await letIn();
    const { body: theirs } = await redeem(other.redemption);
    await fetch(`${server.url}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: theirs.refresh_token as string }),
    });
    expect((await mcp(theirs.access_token as string)).status).toBe(401);
  });
});

describe('what is kept of it', () => {
  it('has no secret in it, and is proved by the journal', async () => {
    const { redemption } = await letIn();
    await redeem(redemption);
    const { grants } = await server.client.call('oauth.grants', {});
    expect(JSON.stringify(grants)).not.toContain(redemption.code);
    const report = (await (await server.fetch('/v1/journal/verify', { method: 'POST' })).json()) as {
      valid: boolean;
    };
    expect(report).toMatchObject({ valid: true });
  });
});

describe('another authorization server', () => {
  it('is named instead of ours, which then lets nobody in', async () => {
    const elsewhere = await startTestServer({ mcpIssuer: 'https://issuer.example' });
    const metadata = await fetch(`${elsewhere.url}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toMatchObject({ authorization_servers: ['https://issuer.example'] });
    const register = await fetch(`${elsewhere.url}/oauth/register`, { method: 'POST', body: '{}' });
    expect(register.status).toBe(404);
    await elsewhere.close();
  });
});

describe('registering again and again', () => {
  it('is bounded, and does not shut out whoever was let in', async () => {
    const flooded = await startTestServer();
    const register = () =>
      fetch(`${flooded.url}/oauth/register`, {
        method: 'POST',
        body: JSON.stringify({ redirect_uris: [CALLBACK] }),
      });
    const statuses = new Map<number, number>();
    for (let round = 0; round < 22; round += 1) {
      for (const { status } of await Promise.all(Array.from({ length: 10 }, register))) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
    expect(Object.fromEntries(statuses)).toEqual({ 201: 200, 429: 20 });
    await flooded.close();
  });
});
