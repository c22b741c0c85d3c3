import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readEvents } from '../../packages/client/src/sse.ts';
import { findServer } from '../../src/app/server-file.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

const certificates = resolve(import.meta.dirname, '../fixtures/tls');
const pem = (name: string) => readFileSync(join(certificates, name), 'utf8');
const tls = { cert: join(certificates, 'server.pem'), key: join(certificates, 'server.key') };

const running: TestServer[] = [];
async function start(...args: Parameters<typeof startTestServer>): Promise<TestServer> {
  const server = await startTestServer(...args);
  running.push(server);
  return server;
}
afterEach(async () => {
  // The last first: the one that made the folder removes it.
  for (const server of running.splice(0).reverse()) await server.close();
});

function getOverTls(url: string, options: { cert?: string; key?: string; token?: string } = {}) {
  return new Promise<{ status: number | undefined; body: string }>((done, failed) => {
    const { token, ...keys } = options;
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    request(url, { ca: pem('ca.pem'), headers, ...keys }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => done({ status: response.statusCode, body }));
    })
      .on('error', failed)
      .end();
  });
}

describe('the server', () => {
  it('refuses to bind beyond loopback without TLS, unless a proxy is said to end it', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'insecure_bind' });
    const server = await start({ host: '0.0.0.0', behindProxy: true });
    expect((await fetch(`${server.url.replace('0.0.0.0', '127.0.0.1')}/v1/health`)).status).toBe(200);
  });

  it('says so when the port is taken', async () => {
    const first = await start();
    await expect(start({ port: Number(new URL(first.url).port) })).rejects.toMatchObject({
      code: 'port_in_use',
    });
  });

  it('holds its port on both loopback addresses: nobody else is `localhost` to a browser', async () => {
    const server = await start();
    const port = Number(new URL(server.url).port);
    const other = await fetch(`http://[::1]:${port}/v1/health`).catch(() => undefined);
    const taken = await new Promise((resolve) => {
      const thief = createServer().once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      thief.listen(port, '::1', () => thief.close(() => resolve('free')));
    });
    // Where there is no IPv6, there is nothing to take.
    expect([other?.status, taken]).toEqual(other ? [200, 'EADDRINUSE'] : [undefined, 'EADDRNOTAVAIL']);
  });

  it('does not start beside somebody who holds the port on the other loopback address', async () => {
    const thief = createServer();
    const port = await new Promise<number | undefined>((resolve) => {
      thief.once('error', () => resolve(undefined));
      thief.listen(0, '::1', () => resolve((thief.address() as AddressInfo).port));
    });
    if (port === undefined) return;
    await expect(start({ port })).rejects.toMatchObject({ code: 'port_in_use' });
    await new Promise((resolve) => thief.close(resolve));
  });

  it('leaves its address where the command line finds it, and takes it away at the end', async () => {
    const server = await start();
    expect(findServer(server.dataDir)?.url).toBe(server.url);
    running.pop();
    await server.close();
    expect(findServer(server.dataDir)).toBeUndefined();
  });

  it('ends streams when it stops, and does not wait for their readers', async () => {
    const server = await start();
    const response = await server.fetch('/v1/events');
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { event } of readEvents(response.body!)) seen.push(event);
    })();
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    running.pop();
    await server.close();
    await reading.catch(() => undefined);
    expect(seen).toContain('key.created');
  });

  it('resumes a stream after the last event seen, with nothing lost or repeated, over a restart', async () => {
    const first = await start();
    const collect = async (server: TestServer, after: string | undefined, wanted: number) => {
      const stop = new AbortController();
      const ids: string[] = [];
      const headers: Record<string, string> = after === undefined ? {} : { 'last-event-id': after };
      const response = await server.fetch('/v1/events', { headers, signal: stop.signal });
      for await (const { id } of readEvents(response.body!)) {
        ids.push(id);
        if (ids.length >= wanted) break;
      }
      stop.abort();
      return ids;
    };
    const before = await collect(first, undefined, 2);
    for (const actor_id of ['a', 'b'])
      await first.client.call('keys.create', { actor_id, actor_type: 'agent' });
    const { dataDir } = first;
    await first.app.identity.settled();
    const { events } = await first.client.call('journal.changes', { limit: 1000 });
    const second = await start({ dataDir });
    const rest = await collect(second, before.at(-1), events.length - 2);
    expect([...before, ...rest]).toEqual(events.map(({ leaf }) => String(leaf)));
  });
});

describe('over TLS', () => {
  it('serves HTTPS with the certificate given', async () => {
    const server = await start({ tls });
    expect(server.url).toMatch(/^https:/);
    const { status } = await getOverTls(`${server.url}/v1/health`);
    expect(status).toBe(200);
  });

  it('knows an actor by a client certificate that was bound to it, and no other', async () => {
    const server = await start({ tls: { ...tls, clientCa: join(certificates, 'ca.pem') } });
    const client = { cert: pem('client.pem'), key: pem('client.key') };
    expect((await getOverTls(`${server.url}/v1/whoami`, client)).status).toBe(401);
    const { X509Certificate } = await import('node:crypto');
    const fingerprint = new X509Certificate(client.cert).fingerprint256;
    await server.app.db.write((uow) =>
      server.app.identity.createKey(
        uow,
        {
          actor: { id: 'owner', type: 'human' },
          scopes: new Set(['*']),
          projects: 'all',
          defaultProject: 'default',
          credential: { kind: 'owner', id: 'test' },
          owner: true,
          speaksFor: ['*'],
          present: true,
        },
        {
          actor: { id: 'build-server', type: 'script' },
          scopes: ['self'],
          projects: ['default'],
          defaultProject: 'default',
          certificate: fingerprint,
        },
      ),
    );
    const known = await getOverTls(`${server.url}/v1/whoami`, client);
    expect(JSON.parse(known.body)).toMatchObject({ actor_id: 'build-server', credential: { kind: 'mtls' } });
    expect((await getOverTls(`${server.url}/v1/whoami`)).status).toBe(401);
  });
});
