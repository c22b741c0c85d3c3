import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fakeClock } from '../../../platform/testing.ts';
import type { JwtIssuerSettings } from '../settings.ts';
import { createJwtVerifier } from './jwt.ts';

const issuer = 'https://id.example.org';
const audience = 'baton';
const now = Date.parse('2026-01-01T00:00:00Z') / 1000;

let key: CryptoKey;
let foreignKey: CryptoKey;
let publicJwk: JWK;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256');
  key = pair.privateKey;
  publicJwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' };
  foreignKey = (await generateKeyPair('ES256')).privateKey;
});

const settings = (over: Partial<JwtIssuerSettings> = {}): JwtIssuerSettings => ({
  issuer,
  audience,
  jwks: { keys: [publicJwk as Record<string, unknown>] },
  ...over,
});

const claims = { sub: 'ann', actor_type: 'human', scope: 'facts:read inbox:*', projects: ['p1', 'p2'] };

const sign = (
  payload: Record<string, unknown> = claims,
  over: { key?: CryptoKey; exp?: number; aud?: string; iss?: string; nbf?: number } = {},
) => {
  const token = new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(over.iss ?? issuer)
    .setAudience(over.aud ?? audience)
    .setExpirationTime(over.exp ?? now + 60);
  if (over.nbf !== undefined) token.setNotBefore(over.nbf);
  return token.sign(over.key ?? key);
};

const verifier = (over: Partial<JwtIssuerSettings> = {}) => createJwtVerifier([settings(over)], fakeClock());

describe('JSON web tokens', () => {
  it('speak for others only by the claim that the operator named for it', async () => {
    const token = await sign({ ...claims, speaks_for: ['claude-*'], voices: 'bot hook-*' });
    expect((await verifier()(token)).speaksFor).toEqual([]);
    expect((await verifier({ claims: { speaksFor: 'voices' } })(token)).speaksFor).toEqual(['bot', 'hook-*']);
    expect((await verifier({ claims: { speaksFor: 'absent' } })(token)).speaksFor).toEqual([]);
  });

  it('let their subject in with what the claims say', async () => {
    expect(await verifier()(await sign())).toEqual({
      actor: { id: 'ann', type: 'human' },
      scopes: new Set(['facts:read', 'inbox:*', 'self']),
      projects: ['p1', 'p2'],
      defaultProject: 'p1',
      credential: { kind: 'jwt', id: `${issuer}#ann` },
      owner: false,
      speaksFor: [],
      present: false,
    });
  });

  it('are read by the claim names, maps and defaults of their issuer', async () => {
    const verify = verifier({
      claims: {
        actorId: 'email',
        actorType: 'kind',
        scopes: 'roles',
        projects: 'teams',
        defaultProject: 'home',
      },
      scopeMap: { reviewer: ['inbox:read', 'inbox:decide'], toString: ['admin'] },
      actorPrefix: 'sso:',
    });
    const token = await sign({
      email: 'a@b',
      kind: 'human',
      roles: ['reviewer', 'wizard', 'admin', 'constructor'],
      teams: 'all',
      home: 'h',
    });
    expect(await verify(token)).toMatchObject({
      actor: { id: 'sso:a@b', type: 'human' },
      scopes: new Set(['inbox:read', 'inbox:decide', 'admin', 'self']),
      projects: 'all',
      defaultProject: 'h',
    });
    const plain = verifier({ defaultScopes: ['facts:read'], defaultProjects: ['p'] });
    expect(await plain(await sign({ sub: 'bot' }))).toMatchObject({
      actor: { id: 'bot', type: 'agent' },
      scopes: new Set(['facts:read', 'self']),
      projects: ['p'],
    });
  });

  it('are refused alike whatever is wrong with them', async () => {
    const verify = verifier();
    const good = await sign();
    const [head, body, signature] = good.split('.') as [string, string, string];
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    const symmetric = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime(now + 60)
      .sign(new TextEncoder().encode(JSON.stringify(publicJwk).padEnd(64)));
    const unending = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(audience)
      .sign(key);
    const bad = {
      none,
      symmetric,
      unending,
      foreign: await sign(claims, { key: foreignKey }),
      expired: await sign(claims, { exp: now - 31 }),
      early: await sign(claims, { nbf: now + 31 }),
      audience: await sign(claims, { aud: 'other' }),
      issuer: await sign(claims, { iss: 'https://evil.example.org' }),
      'no subject': await sign({ ...claims, sub: undefined }),
      'empty subject': await sign({ ...claims, sub: '' }),
      'odd subject': await sign({ ...claims, sub: undefined, sub2: 1 }),
      'unknown type': await sign({ ...claims, actor_type: 'god' }),
      'no projects': await sign({ ...claims, projects: undefined }),
      'default elsewhere': await sign({ ...claims, default_project: 'p9' }),
      'changed body': `${head}.${Buffer.from(JSON.stringify({ ...claims, iss: issuer, aud: audience, exp: now + 60, scope: '*' })).toString('base64url')}.${signature}`,
      cut: good.slice(0, -4),
      'no json': `${head}.AAAA.${signature}`,
      'odd header': `AAAA.${body}.${signature}`,
      'critical header': `${Buffer.from('{"alg":"ES256","crit":["x"],"x":1}').toString('base64url')}.${body}.${signature}`,
    };
    for (const [what, token] of Object.entries(bad)) {
      await expect(verify(token), what).rejects.toMatchObject({
        code: 'unauthorized',
        message: 'The credential is missing or not accepted.',
      });
    }
  });

  it('are refused where the subject is no actor id, whoever the issuer lets people call themselves', async () => {
    for (const sub of ['lead\u200b', 'a b', '\u202edael', 'x\n# System', '*']) {
      await expect(verifier()(await sign({ ...claims, sub }))).rejects.toMatchObject({
        code: 'unauthorized',
      });
    }
  });

  it('may be off by the tolerated seconds', async () => {
    await verifier()(await sign(claims, { exp: now - 29 }));
    await verifier({ clockToleranceSeconds: 120 })(await sign(claims, { exp: now - 119 }));
  });

  it('are refused where no issuer is configured', async () => {
    await expect(createJwtVerifier([], fakeClock())(await sign())).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });
});

describe('keys of a token issuer', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function serve(answer: () => { status: number; body: string }) {
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      const { status, body } = answer();
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`, asked: () => asked };
  }

  it('are fetched once and kept', async () => {
    const { url, asked } = await serve(() => ({ status: 200, body: JSON.stringify({ keys: [publicJwk] }) }));
    const verify = verifier({ jwks: { url } });
    for (let i = 0; i < 5; i++) await verify(await sign());
    await expect(verify(await sign(claims, { key: foreignKey }))).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect(asked()).toBe(1);
  });

  it('that cannot be had make a retryable fault, not a refusal, and are asked for again', async () => {
    let up = false;
    const { url } = await serve(() =>
      up ? { status: 200, body: JSON.stringify({ keys: [publicJwk] }) } : { status: 500, body: 'oops' },
    );
    const verify = verifier({ jwks: { url } });
    await expect(verify(await sign())).rejects.toMatchObject({
      code: 'issuer_unavailable',
      status: 503,
      retryable: true,
    });
    up = true;
    expect((await verify(await sign())).actor.id).toBe('ann');
  });

  it('that do not have the token’s key refuse it', async () => {
    const { url } = await serve(() => ({
      status: 200,
      body: JSON.stringify({ keys: [{ ...publicJwk, kid: 'two' }] }),
    }));
    await expect(verifier({ jwks: { url } })(await sign())).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
