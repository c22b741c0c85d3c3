import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { startKillableServer } from '../setup/killable-server.ts';

let dataDir = '';
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describeOnEachEngine('a server that is told to stop', (open) => {
  // Right after a commit everything that follows commits is awake: whatever it waits for then must not be forgotten.
  it('closes everything in order, even right after a commit', async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'baton-stop-'));
    const databaseUrl = open.urlOf(await open([]));
    const { child, client } = await startKillableServer(dataDir, {
      env: { BATON_DATABASE_URL: databaseUrl },
    });
    await client.call('packages.write', { title: 'the last one' });
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });

  it('ends, whoever is still connected and does not let go', async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'baton-stop-'));
    const databaseUrl = open.urlOf(await open([]));
    const { child, url, token } = await startKillableServer(dataDir, {
      env: { BATON_DATABASE_URL: databaseUrl },
    });
    const port = Number(new URL(url).port);
    const head = `host: localhost\r\nauthorization: Bearer ${token}\r\n`;
    const webSocket = `upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${btoa('0123456789abcdef')}\r\n`;
    const stream = '/v1/projects/default/events';
    const sockets = await Promise.all(
      [
        '',
        'GET / HTTP/1.1\r\nhost: loc',
        `POST /v1/keys HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"a"`,
        `GET /v1/health HTTP/1.1\r\n${head}\r\n`,
        `GET ${stream} HTTP/1.1\r\n${head}accept: text/event-stream\r\n\r\n`,
        // Both ends of a WebSocket say goodbye: this one never does.
        `GET ${stream} HTTP/1.1\r\n${head}${webSocket}\r\n`,
        `GET /v1/health HTTP/1.1\r\n${head}upgrade: h2c\r\nconnection: upgrade\r\n\r\n`,
      ].flatMap((text) =>
        ['127.0.0.1', '::1'].map(async (host) => {
          const socket = connect({ port, host, allowHalfOpen: true });
          socket.on('error', () => undefined);
          await once(socket, 'connect').catch(() => undefined);
          if (!socket.destroyed && text !== '') socket.write(text);
          return socket;
        }),
      ),
    );
    // The WebSocket on 127.0.0.1 has been taken over: what it has said is here, and nobody reads on.
    await once(sockets[10] as Socket, 'readable');
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    for (const socket of sockets) socket.destroy();
  }, 25_000);
});
