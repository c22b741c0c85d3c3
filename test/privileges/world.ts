/** The whole product with every kind of credential that a request can have, each ready to send. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { join, resolve } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { buildRequest } from '../../packages/client/src/request.ts';
import { encodeBase64 } from '../../src/kernel/base64.ts';
import { formatMillis } from '../../src/kernel/instant.ts';
import { pageUrl } from '../../src/kernel/page-url.ts';
import { ed25519, nodeHasher, systemClock } from '../../src/platform/index.ts';
import { signedDigest } from '../../src/slices/memory/a2p/rules.ts';
import { ed25519ToMultibase } from '../../src/slices/memory/registry/multibase.ts';
import { asBatonError } from '../../src/spine/dispatch/dispatch.ts';
import { partsFromFlat } from '../../src/spine/dispatch/parse.ts';
import { insider } from '../../src/spine/identity/on-behalf.ts';
import type { Operation } from '../../src/spine/operations/define.ts';
import { KIND } from '../browser/ask-for-decision.ts';
import { type Flat, type Product, productOn } from '../operations/requests.ts';
import { closeServer, listenOn } from '../relay/sdk-peer.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

export const PASSPHRASE = 'four quiet green herons';

export interface Answered {
  readonly status: number;
  readonly code: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  readonly json: any;
  readonly cookie: string | undefined;
}

export interface Credential {
  /** The head of its column. */
  readonly column: string;
  readonly what: string;
  send(operation: Operation, flat: Flat): Promise<Answered>;
}

export interface World {
  readonly server: TestServer;
  /** By name. */
  readonly url: string;
  readonly product: Product;
  readonly credentials: readonly Credential[];
  /** Those that no person holds. */
  readonly agents: readonly Credential[];
  close(): Promise<void>;
}

export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

/** A request as any client would send it; streams are asked for and let go. */
export function requestOf(operation: Operation, flat: Flat): Sent {
  const { method, target, headers, body } = buildRequest(operation, flat);
  const sent = method === 'ANY' ? 'POST' : method;
  const text = body ?? (sent === 'GET' || sent === 'DELETE' ? undefined : '{}');
  return {
    method: sent,
    target,
    headers: { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) },
    body: text,
  };
}

export async function sendOver(
  url: string,
  { method, target, headers, body }: Sent,
  more: Record<string, string>,
): Promise<Answered> {
  const stop = new AbortController();
  const response = await fetch(`${url}${target}`, {
    method,
    headers: { ...headers, ...more },
    ...(body !== undefined && { body }),
    signal: stop.signal,
  });
  const streams = /event-stream/.test(response.headers.get('content-type') ?? '');
  const text = streams ? '' : await response.text();
  stop.abort();
  return answered(response.status, text, response.headers.get('set-cookie') ?? undefined);
}

function answered(status: number, text: string, cookie?: string): Answered {
  const json = parsed(text);
  const said = json?.error?.code;
  // JSON-RPC says numbers.
  const code = status < 400 ? undefined : typeof said === 'string' ? said : `http_${status}`;
  return { status, code, json, cookie };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const ISSUER = 'https://id.example.org';
const certificates = resolve(import.meta.dirname, '../fixtures/tls');
const pem = (name: string) => readFileSync(join(certificates, name), 'utf8');
const SIGNER = 'did:a2p:agent:acme:helper';

export async function openWorld(given: { readonly databaseUrl?: string } = {}): Promise<World> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
  const issuer = createServer((_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }));
  });
  const peer = createServer((incoming, outgoing) => {
    incoming.resume();
    const result = { kind: 'message', role: 'agent', messageId: crypto.randomUUID(), parts: [] };
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  });
  const jwt = { issuer: ISSUER, audience: 'baton', jwks: { url: `${await listenOn(issuer)}/keys` } };
  const server = await startTestServer({ jwt, ...given });
  const tlsServer = await startTestServer({
    ...given,
    dataDir: server.dataDir,
    tls: {
      cert: join(certificates, 'server.pem'),
      key: join(certificates, 'server.key'),
      clientCa: join(certificates, 'ca.pem'),
    },
  });
  for (const { app } of [server, tlsServer]) {
    app.inbox.register(KIND, { apply: 'rows', run: async () => undefined });
  }
  // By name, as a browser that has passkeys.
  const url = pageUrl(server.url);
  const product = await productOn(server, await listenOn(peer));

  const bearer = (token: string): Credential['send'] => {
    // Towards a peer, `Authorization` is the peer's.
    const headersFor = ({ http }: Operation): Record<string, string> =>
      http?.path.startsWith('/a2a/') ? { 'x-baton-key': token } : { authorization: `Bearer ${token}` };
    return (operation, flat) => sendOver(url, requestOf(operation, flat), headersFor(operation));
  };
  const keyOf = async (actor_id: string, actor_type: 'human' | 'agent' | 'script', more: object = {}) =>
    (await server.client.call('keys.create', { actor_id, actor_type, ...more })).token as string;
  const dashboardOf = async (token: string) => {
    const { link } = await product.done('identity.dashboard_link', {}, { token });
    const opened = await sendOver(url, requestOf(operationNamed('identity.dashboard_open'), { link }), {});
    return (operation: Operation, flat: Flat) =>
      sendOver(url, requestOf(operation, flat), {
        cookie: (opened.cookie ?? '').split(';')[0] ?? '',
        'x-csrf-token': opened.json.csrf_token,
      });
  };
  const loginOf = async (token: string) =>
    (await product.done('identity.login', { passphrase: PASSPHRASE }, { token })).token as string;
  const jwtOf = (sub: string, actor_type: string) =>
    new SignJWT({ sub, actor_type, scope: '*', projects: ['default'] })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(ISSUER)
      .setAudience('baton')
      .setExpirationTime('1h')
      .sign(privateKey);

  const pia = await keyOf('pia', 'human');
  const star = await keyOf('star', 'agent', { scopes: ['*'] });
  const narrow = await keyOf('narrow', 'agent');
  const script = await keyOf('script', 'script');
  const client = { cert: pem('client.pem'), key: pem('client.key') };
  await server.client.call('keys.create', {
    actor_id: 'certified',
    actor_type: 'agent',
    scopes: ['*'],
    certificate: new X509Certificate(client.cert).fingerprint256.replaceAll(':', '').toLowerCase(),
  });
  const signer = ed25519.generate();
  await server.client.call('memory.profile.create', { did: 'did:a2p:user:local:owner', template: 'none' });
  // Ana's own, before anybody else makes it.
  await product.done(
    'memory.profile.create',
    { did: 'did:a2p:user:local:ana' },
    { token: product.tokens.ana },
  );
  await server.client.call('memory.agent.put', {
    did: SIGNER,
    public_key: ed25519ToMultibase(signer.publicKey),
  });
  for (const token of [server.ownerToken, pia]) {
    await product.done('identity.passphrase_set', { passphrase: PASSPHRASE }, { token });
  }
  const unlocked = await dashboardOf(server.ownerToken);
  await unlocked(operationNamed('identity.login'), { passphrase: PASSPHRASE });

  const agents: Credential[] = [
    { column: 'agent `*`', what: 'an agent’s key with every scope of its project', send: bearer(star) },
    { column: 'agent', what: 'an agent’s key with the scopes of its role', send: bearer(narrow) },
    { column: 'script', what: 'a script’s key', send: bearer(script) },
    {
      column: 'JWT, agent',
      what: 'an agent’s token of an issuer, with every scope',
      send: bearer(await jwtOf('issued-bot', 'agent')),
    },
    {
      column: 'certificate',
      what: 'a client certificate bound to an agent, with every scope',
      send: (operation, flat) => sendOverTls(tlsServer.url, client, requestOf(operation, flat)),
    },
    {
      column: 'signature',
      what: 'an a2p request signed by an agent’s DID',
      send: (operation, flat) => signed(server, signer.seed, requestOf(operation, flat)),
    },
    {
      column: 'inside',
      what: 'one slice calling another on behalf of an agent',
      send: (operation, flat) => fromInside(server, operation, flat),
    },
  ];
  const people: Credential[] = [
    { column: 'owner', what: 'the owner key', send: bearer(server.ownerToken) },
    {
      column: 'owner’s page',
      what: 'a dashboard session opened with it',
      send: await dashboardOf(server.ownerToken),
    },
    { column: 'owner’s page, present', what: 'the same after the passphrase or a passkey', send: unlocked },
    {
      column: 'owner’s login',
      what: 'the token of `baton login`',
      send: bearer(await loginOf(server.ownerToken)),
    },
    { column: 'person', what: 'a person’s key', send: bearer(pia) },
    { column: 'person’s page', what: 'a dashboard session opened with it', send: await dashboardOf(pia) },
    { column: 'person’s login', what: 'the token of `baton login`', send: bearer(await loginOf(pia)) },
    {
      column: 'JWT, person',
      what: 'a person’s token of an issuer, with every scope',
      send: bearer(await jwtOf('issued-ann', 'human')),
    },
  ];
  const nobody: Credential = {
    column: 'none',
    what: 'no credential',
    send: (operation, flat) => sendOver(url, requestOf(operation, flat), {}),
  };
  return {
    server,
    product,
    url,
    agents,
    credentials: [nobody, ...people, ...agents],
    async close() {
      await tlsServer.close();
      await server.close();
      await Promise.all([closeServer(issuer as Server), closeServer(peer)]);
    },
  };

  function operationNamed(name: string): Operation {
    return server.app.registry.get(name)!.operation;
  }
}

function sendOverTls(
  url: string,
  client: { readonly cert: string; readonly key: string },
  { method, target, headers, body }: Sent,
): Promise<Answered> {
  return new Promise((done, failed) => {
    const options = { method, headers, ca: pem('ca.pem'), ...client };
    const outgoing = requestOverTls(`${url}${target}`, options, (response) => {
      if (/event-stream/.test(response.headers['content-type'] ?? '')) {
        response.destroy();
        done(answered(response.statusCode ?? 0, ''));
        return;
      }
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => done(answered(response.statusCode ?? 0, text)));
    });
    outgoing.on('error', failed).end(body);
  });
}

function signed(server: TestServer, seed: Uint8Array, sent: Sent): Promise<Answered> {
  const timestamp = formatMillis(systemClock.now());
  const nonce = crypto.randomUUID().replaceAll('-', '');
  const digest = signedDigest(
    nodeHasher,
    { method: sent.method, path: sent.target, body: new TextEncoder().encode(sent.body ?? '') },
    { timestamp, nonce },
  );
  const sig = encodeBase64(ed25519.sign(seed, digest));
  const authorization = `A2P-Signature did="${SIGNER}",sig="${sig}",ts="${timestamp}",nonce="${nonce}"`;
  return sendOver(server.url, sent, { authorization });
}

/** No request can be this; what it is refused is what nobody granted to anyone. */
async function fromInside({ app }: TestServer, operation: Operation, flat: Flat): Promise<Answered> {
  const bound = app.registry.get(operation.name)!;
  const principal = insider({ projectId: 'default', actor: { id: 'inner', type: 'agent' } });
  const stop = new AbortController();
  const invocation = {
    principal,
    parts: partsFromFlat(operation, flat),
    requestId: app.ids(),
    signal: stop.signal,
  };
  try {
    if (operation.kind === 'call') await app.dispatcher.call(bound, invocation);
    else if (operation.kind === 'stream') await app.dispatcher.stream(bound, invocation);
    else if (operation.kind === 'raw') {
      await app.dispatcher.raw(bound, new Request('http://localhost/', { method: 'POST' }), invocation);
    } else return answered(401, '');
    return answered(200, '');
  } catch (thrown) {
    const { status, code } = asBatonError(thrown);
    return answered(status, JSON.stringify({ error: { code } }));
  } finally {
    stop.abort();
  }
}
