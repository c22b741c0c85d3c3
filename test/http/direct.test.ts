import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { closeServer, listenOn } from '../relay/sdk-peer.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A query that the direct way does not read makes the same request go the way of all others. */
const roundabout = (path: string) => `${path}${path.includes('?') ? '&' : '?'}"`;
const DEPOSITED = {
  relay_version: '0.1',
  package_id: 'pkg_direct',
  project_id: 'default',
  title: 'One way',
  description: 'It was there before.',
  created_at: '2026-05-01T10:00:00.000Z',
  created_by: { type: 'agent', id: 'bench', session_id: null },
  status: 'complete',
  review_type: 'none',
  package_type: 'standard',
};
const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 't' } });
const PACKAGES = '/v1/projects/default/packages';
const SAID =
  '{"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"t","contextId":"c","status":{"state":"working"}}}';

describe('what goes directly from the socket to its handler', () => {
  const peer = createServer((incoming, outgoing) => {
    if (incoming.method === 'GET') return outgoing.writeHead(404).end();
    incoming.resume();
    return outgoing.writeHead(200, { 'content-type': 'application/json', 'x-of-peer': 'yes' }).end(SAID);
  });
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
    const client = createClient({ url: server.url, token: server.ownerToken });
    await client.call('relay.peer.register', { id: 'echo', url: await listenOn(peer), version: '0.3' });
    expect((await ask(PACKAGES, { body: JSON.stringify(DEPOSITED) })).status).toBe(201);
  });
  afterAll(async () => {
    await server.close();
    await closeServer(peer);
  });

  function ask(
    path: string,
    given: { headers?: Record<string, string>; method?: string; body?: string } = {},
  ) {
    const { method = 'POST', body = CALL } = given;
    const headers = {
      'content-type': 'application/json',
      'x-baton-key': server.ownerToken,
      'x-request-id': 'asked',
      ...given.headers,
    };
    return new Promise<Answer>((resolve, reject) => {
      const asked = request(`${server.url}${path}`, { method, headers }, (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode, headers: incoming.headers, body: text }),
        );
      });
      asked.on('error', reject);
      asked.end(method === 'GET' || method === 'HEAD' ? undefined : body);
    });
  }

  const comparable = ({
    status,
    body,
    headers: { date: _, connection: _c, 'keep-alive': _k, ...headers },
  }: Answer) => ({
    status,
    body,
    headers,
  });

  const requests: Record<string, Parameters<typeof ask>> = {
    'an exchange': ['/a2a/echo'],
    'a request without a key': ['/a2a/echo', { headers: { 'x-baton-key': '' } }],
    'a request of a foreign page': ['/a2a/echo', { headers: { origin: 'http://evil.example' } }],
    'a request for a foreign host': ['/a2a/echo', { headers: { host: 'evil.example' } }],
    'an agent that is not there': ['/a2a/nobody'],
    'what is no JSON': ['/a2a/echo', { body: '{' }],
    'a body that is too long': ['/a2a/echo', { body: ' '.repeat(17 * 1024 * 1024) }],
    'a card that is not there': ['/a2a/echo/.well-known/agent-card.json', { method: 'GET' }],
    'an operation that is not there': ['/a2a/echo/v1/nothing', { method: 'PUT' }],
    'an agent whose name is odd': ['/a2a/%E0%A4%A'],
    'a package that is there already': [PACKAGES, { body: JSON.stringify(DEPOSITED) }],
    'a package of the same id': [PACKAGES, { body: JSON.stringify({ ...DEPOSITED, title: 'Other' }) }],
    'a package that is no JSON': [PACKAGES, { body: '{"package_id":' }],
    'a package of another type': [PACKAGES, { body: '<a/>', headers: { 'content-type': 'text/xml' } }],
    'a package that is too long': [PACKAGES, { body: `"${' '.repeat(5 * 1024 * 1024)}"` }],
    'a package without a key': [PACKAGES, { headers: { 'x-baton-key': '' } }],
    'a package in pieces': [
      PACKAGES,
      { body: JSON.stringify(DEPOSITED), headers: { 'transfer-encoding': 'chunked' } },
    ],
    'a deposit of a foreign page': [PACKAGES, { headers: { origin: 'http://evil.example' } }],
    'a list with a query': [`${PACKAGES}?mode=latest&limit=2&author=own%65r`, { method: 'GET' }],
    'a query twice': [`${PACKAGES}?limit=1&limit=2`, { method: 'GET' }],
    'a query of a wrong kind': [`${PACKAGES}?limit=many`, { method: 'GET' }],
    'the head of an answer': [`${PACKAGES}/pkg_direct`, { method: 'HEAD' }],
    'one package': ['/v1/projects/def%61ult/packages/pkg_direct', { method: 'GET' }],
    'a package that is known': [
      `${PACKAGES}/pkg_direct`,
      { method: 'GET', headers: { 'if-none-match': '"other", *' } },
    ],
    'a project that is not there': ['/v1/projects/nowhere/packages', { method: 'GET' }],
    'a method that is not there': [PACKAGES, { method: 'PATCH' }],
    'a profile that is not there': ['/a2p/v1/profile/did:a2p:user:local:nobody', { method: 'GET' }],
    'a session that is not there': ['/v1/sessions/nothing', { method: 'GET' }],
  };
  for (const [name, [path, given]] of Object.entries(requests)) {
    it(`is answered as by the way round: ${name}`, async () => {
      const direct = await ask(path, given);
      const round = await ask(roundabout(path), given);
      expect(comparable(direct)).toEqual(comparable(round));
      expect(direct.headers['x-request-id']).toBe('asked');
      expect(direct.headers['x-content-type-options']).toBe('nosniff');
    });
  }

  it('passes the answer of the peer on', async () => {
    const { status, body, headers } = await ask('/a2a/echo');
    expect({ status, body, own: headers['x-of-peer'] }).toEqual({ status: 200, body: SAID, own: 'yes' });
  });

  it('is counted among the requests', async () => {
    await ask('/a2a/echo');
    const response = await fetch(`${server.url}/metrics`, {
      headers: { authorization: `Bearer ${server.ownerToken}` },
    });
    expect(await response.text()).toContain('operation="POST /a2a/:agent",status="200"');
  });

  it('leaves addresses of other spellings to the way round', async () => {
    for (const target of ['/a2a/x/../../v1/health', '//a2a/echo', `${server.url}/v1/health`, '/a2a/./echo']) {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.write(`GET ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
      let text = '';
      socket.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      await once(socket, 'close');
      expect(text, target).toMatch(/^HTTP\/1\.1 (200|400|401|404) /);
    }
  });

  it('ends in peace when its caller leaves in the middle of the body', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /a2a/echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n');
    socket.write(`x-baton-key: ${server.ownerToken}\r\n\r\n{"half`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    expect((await ask('/a2a/echo')).status).toBe(200);
  });
});
