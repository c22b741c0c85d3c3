import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGuardedPools, type GuardedPools } from './guarded-pools.ts';

describe('pools of connections', () => {
  let server: Server;
  let port: number;
  let pools: GuardedPools;
  let waiting: (() => void)[];
  beforeEach(async () => {
    waiting = [];
    server = createServer(async (incoming, outgoing) => {
      if (incoming.url === '/held') await new Promise<void>((resolve) => waiting.push(resolve));
      outgoing.end(String(incoming.socket.remotePort));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    pools = createGuardedPools({ extent: 'local' });
  });
  afterEach(() => {
    pools.close();
    server.closeAllConnections();
    server.close();
  });

  /** The port of the connection by which the server was asked. */
  async function ask(path: string, url = new URL(`http://127.0.0.1:${port}`), from = pools): Promise<string> {
    const { body } = await from.poolOf(url).request({ path, method: 'GET' });
    const answer = await body.text();
    // The pool has the connection back a moment after the answer is whole.
    await setImmediate();
    return answer;
  }

  it('use a connection again, one request after another', async () => {
    const ports = [await ask('/'), await ask('/'), await ask('/')];
    expect(new Set(ports).size).toBe(1);
  });

  it('share none between requests at the same time', async () => {
    const asked = [ask('/held'), ask('/held'), ask('/held')];
    await expect.poll(() => waiting.length).toBe(3);
    for (const release of waiting) release();
    expect(new Set(await Promise.all(asked)).size).toBe(3);
  });

  it('connect anew when the server has closed what was idle', async () => {
    const before = await ask('/');
    server.closeIdleConnections();
    await expect.poll(() => ask('/').catch(() => before)).not.toBe(before);
  });

  it('refuse an address before anything is sent to it', () => {
    const open = createGuardedPools({ extent: 'public' });
    expect(() => open.poolOf(new URL(`http://127.0.0.1:${port}`))).toThrow(/private or reserved/);
    expect(() => pools.poolOf(new URL('http://169.254.169.254/'))).toThrow(/private or reserved/);
    expect(() => pools.poolOf(new URL(`http://user:secret@127.0.0.1:${port}`))).toThrow(/password/);
  });

  it('resolve a name once for each connection, and go nowhere else than to what was judged', async () => {
    const resolved: string[] = [];
    const named = createGuardedPools({
      extent: 'local',
      async resolve(host) {
        resolved.push(host);
        return [{ address: resolved.length === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
      },
    });
    const url = new URL(`http://agent.test:${port}`);
    const first = await ask('/', url, named);
    expect(await ask('/', url, named)).toBe(first);
    expect(resolved).toEqual(['agent.test']);
    server.closeAllConnections();
    await expect.poll(() => ask('/', url, named).catch(({ code }) => code)).toBe('address_refused');
    named.close();
  });

  it('go over TLS as well', async () => {
    const pem = (name: string) => readFileSync(join(import.meta.dirname, '../../../test/fixtures/tls', name));
    const secured = createTlsServer({ cert: pem('server.pem'), key: pem('server.key') }, (_, outgoing) => {
      outgoing.end('hello');
    });
    secured.listen(0, '127.0.0.1');
    await once(secured, 'listening');
    const url = new URL(`https://127.0.0.1:${(secured.address() as AddressInfo).port}`);
    // Nobody vouches for its certificate: that it is looked at at all is what counts.
    await expect(ask('/', url)).rejects.toThrow(/certificate/);
    secured.close();
  });
});
