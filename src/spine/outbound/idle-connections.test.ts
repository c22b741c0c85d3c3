import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer, Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeIdle, type IdleConnections, lendIdle } from './idle-connections.ts';

describe('idle connections', () => {
  let server: Server;
  let agent: Agent;
  let idle: IdleConnections;
  beforeEach(async () => {
    server = createServer(async (incoming, outgoing) => {
      if (incoming.url === '/once') outgoing.setHeader('connection', 'close');
      if (incoming.url === '/slow') await new Promise((resolve) => setTimeout(resolve, 20));
      outgoing.end(String(incoming.socket.remotePort));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    agent = lendIdle(new Agent({ keepAlive: true }));
    idle = [];
  });
  afterEach(async () => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });

  /** The port of the connection by which the server was asked. */
  async function ask(path: string): Promise<string> {
    const { port } = server.address() as AddressInfo;
    const options = { agent, idle, hostname: '127.0.0.1', port, path };
    const asked = httpRequest(options).end();
    const [incoming] = (await once(asked, 'response')) as [IncomingMessage];
    const from = await text(incoming);
    await expect.poll(() => asked.closed).toBe(true);
    return from;
  }

  it('are used again, one after another', async () => {
    const ports = [await ask('/'), await ask('/'), await ask('/')];
    expect(new Set(ports).size).toBe(1);
    expect(idle).toHaveLength(1);
  });

  it('are not shared by requests at the same time', async () => {
    const ports = await Promise.all([ask('/slow'), ask('/slow'), ask('/slow')]);
    expect(new Set(ports).size).toBe(3);
    expect(idle).toHaveLength(3);
    expect(ports).toContain(await ask('/'));
  });

  it('go to the next who waits, where there may be no more of them', async () => {
    agent.destroy();
    agent = lendIdle(new Agent({ keepAlive: true, maxSockets: 1 }));
    const ports = await Promise.all([ask('/slow'), ask('/slow'), ask('/slow')]);
    expect(new Set(ports).size).toBe(1);
    expect(await ask('/')).toBe(ports[0]);
  });

  it('are not kept where the server said so, and are forgotten when it closes them', async () => {
    await ask('/once');
    expect(idle).toHaveLength(0);
    const before = await ask('/');
    server.closeIdleConnections();
    await expect.poll(() => idle).toHaveLength(0);
    expect(await ask('/')).not.toBe(before);
  });

  it('are not lent once they are broken', async () => {
    const before = await ask('/');
    idle[0]?.destroy();
    expect(await ask('/')).not.toBe(before);
    expect(idle).toHaveLength(1);
  });

  it('may break without breaking anything else', async () => {
    await ask('/');
    idle[0]?.destroy(new Error('broken'));
    await expect.poll(() => idle).toHaveLength(0);
  });

  it('can all be closed, with none that is in use', async () => {
    const busy = ask('/slow');
    await Promise.all([ask('/'), ask('/')]);
    const kept = [...idle];
    closeIdle(idle);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.every(({ destroyed }) => destroyed)).toBe(true);
    expect(await busy).toMatch(/^\d+$/);
  });

  it('belong to the list that a request names, whatever server that is', async () => {
    await ask('/');
    const others = idle;
    idle = [];
    await ask('/');
    expect([others.length, idle.length]).toEqual([1, 1]);
  });

  it('are lent over TLS as well', async () => {
    const pem = (name: string) => readFileSync(join(import.meta.dirname, '../../../test/fixtures/tls', name));
    const secured = createTlsServer({ cert: pem('server.pem'), key: pem('server.key') }, (_, outgoing) => {
      outgoing.end('hello');
    });
    secured.listen(0, '127.0.0.1');
    await once(secured, 'listening');
    const tlsAgent = lendIdle(new TlsAgent({ keepAlive: true }));
    const { port } = secured.address() as AddressInfo;
    const reused: boolean[] = [];
    for (let i = 0; i < 3; i += 1) {
      const options = { agent: tlsAgent, idle, host: '127.0.0.1', port, rejectUnauthorized: false };
      const asked = tlsRequest(options).end();
      const [incoming] = (await once(asked, 'response')) as [IncomingMessage];
      expect(await text(incoming)).toBe('hello');
      await expect.poll(() => idle).toHaveLength(1);
      reused.push(asked.reusedSocket);
    }
    expect(reused).toEqual([false, true, true]);
    tlsAgent.destroy();
    secured.close();
  });
});
