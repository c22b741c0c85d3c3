import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../client/src/client.ts';
import { closeServer, listenOn } from '../relay/sdk-peer.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A query that the direct way does not read makes the same request go the way of all others. */
const ROUNDABOUT = '?"';
const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 't' } });
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
  };
  for (const [name, [path, given]] of Object.entries(requests)) {
    it(`is answered as by the way round: ${name}`, async () => {
      const direct = await ask(path, given);
      const round = await ask(`${path}${ROUNDABOUT}`, given);
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
