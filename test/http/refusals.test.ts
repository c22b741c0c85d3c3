import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.close();
});

async function refusal(response: Response): Promise<{ status: number; code: string; next: string }> {
  const body = (await response.json()) as {
    error: { code: string; message: string; next: string; request_id: string };
  };
  expect(body.error.message.length).toBeGreaterThan(5);
  expect(body.error.next.length).toBeGreaterThan(5);
  expect(body.error.request_id).toBe(response.headers.get('x-request-id'));
  return { status: response.status, code: body.error.code, next: body.error.next };
}

const json = { 'content-type': 'application/json' };

describe('every refusal has the same shape', () => {
  it('at a path that does not exist', async () => {
    expect(await refusal(await server.fetch('/v1/nothing'))).toMatchObject({
      status: 404,
      code: 'route_not_found',
    });
  });

  it('for a method that the path does not take, naming those it does', async () => {
    const response = await server.fetch('/v1/keys', { method: 'PATCH' });
    expect(response.headers.get('allow')).toBe('GET, POST');
    expect(await refusal(response)).toMatchObject({ status: 405, code: 'method_not_allowed' });
  });

  it('for a body that is not declared as JSON', async () => {
    const response = await server.fetch('/v1/keys', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    });
    expect(await refusal(response)).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  it.each([
    ['broken JSON', '{"actor_id":', 'invalid_json'],
    ['a duplicate key', '{"actor_id":"a","actor_id":"b"}', 'duplicate_key'],
    ['a lone surrogate', '{"actor_id":"\\ud800"}', 'lone_surrogate'],
    ['nesting beyond the limit', `${'['.repeat(100)}${']'.repeat(100)}`, 'too_deep'],
    ['no body at all', '', 'invalid_input'],
    ['a wrong type', '{"actor_id":7}', 'invalid_input'],
  ])('for %s', async (_, body, code) => {
    const response = await server.fetch('/v1/keys', { method: 'POST', body, headers: json });
    expect(await refusal(response)).toMatchObject({ status: 400, code });
  });

  it('for invalid UTF-8', async () => {
    const body = Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
    const response = await server.fetch('/v1/keys', { method: 'POST', body, headers: json });
    expect((await refusal(response)).status).toBe(400);
  });

  it('for a body over the limit, declared or not', async () => {
    const large = `{"actor_id":"${'x'.repeat(5_000_000)}"}`;
    const declared = await server.fetch('/v1/keys', { method: 'POST', body: large, headers: json });
    expect(await refusal(declared)).toMatchObject({ status: 413, code: 'body_too_large' });
    const chunked = await server.fetch('/v1/keys', {
      method: 'POST',
      body: new Blob([large]).stream(),
      headers: json,
      duplex: 'half',
    } as RequestInit);
    expect(await refusal(chunked)).toMatchObject({ status: 413, code: 'body_too_large' });
  });

  it.each([
    ['no credential', {}],
    ['an unknown key', { authorization: 'Bearer baton_0000000000000000_AAAA' }],
    ['a malformed header', { authorization: 'Bearer' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['a broken JWT', { authorization: 'Bearer a.b.c' }],
    ['an unknown cookie', { cookie: 'baton_session=AAAAAAAA' }],
  ])('with %s', async (_, headers) => {
    const response = await fetch(`${server.url}/v1/whoami`, { headers: headers as Record<string, string> });
    expect(response.headers.get('www-authenticate')).toContain('Bearer');
    expect(await refusal(response)).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('for a Host that is not ours, so that a rebound name reads nothing', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      httpRequest(`${server.url}/v1/health`, { headers: { host: 'evil.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });

  it('for requests that another page makes', async () => {
    const response = await server.fetch('/v1/whoami', { headers: { origin: 'https://evil.example' } });
    expect(await refusal(response)).toMatchObject({ status: 403, code: 'origin_refused' });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each(['h2c', 'TLS/1.0', ''])(
    'for an upgrade to %j, whose socket nobody would ever close',
    async (protocol) => {
      const { port } = new URL(server.url);
      const answer = await new Promise<string>((resolve) => {
        let text = '';
        const socket = connect(Number(port), '127.0.0.1', () =>
          socket.write(
            `GET /v1/health HTTP/1.1\r\nhost: localhost\r\nupgrade: ${protocol}\r\nconnection: upgrade, close\r\n\r\n`,
          ),
        );
        socket.on('data', (piece) => {
          text += piece;
        });
        socket.on('close', () => resolve(text));
      });
      expect(answer).toMatch(/^HTTP\/1\.1 (200|400)/);
    },
  );

  it('survives garbage on the socket', async () => {
    const { port } = new URL(server.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('\x00\x01garbage\r\n\r\n'));
      socket.on('close', () => resolve());
      socket.on('error', () => resolve());
      socket.on('data', () => socket.end());
    });
    expect((await server.fetch('/v1/health')).status).toBe(200);
  });
});

describe('what is open', () => {
  it('answers health and readiness without a credential', async () => {
    const health = await fetch(`${server.url}/v1/health`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ status: 'healthy', checks: { store: { status: 'pass' } } });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it('keeps metrics for those who may read them', async () => {
    expect((await fetch(`${server.url}/metrics`)).status).toBe(401);
    expect(await (await server.fetch('/metrics')).text()).toContain('baton_requests_total');
  });

  it('describes itself in OpenAPI 3.1', async () => {
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      openapi: string;
      paths: object;
    };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toContain('/v1/health');
  });
});
