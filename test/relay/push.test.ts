import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { say, sdkClient } from './sdk-client.ts';
import { closeServer, listenOn, type SdkPeer, startSdkPeer, type Version } from './sdk-peer.ts';

interface Notification {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

let server: TestServer;
let dataDir: string;
let receiver: Server;
let receiverUrl: string;
const received: Notification[] = [];
const failing = new Set<string>();
const peers = new Map<Version, SdkPeer>();

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const path = request.url ?? '';
    if (failing.delete(path)) return response.writeHead(503).end();
    received.push({ path, headers: request.headers, body: JSON.parse(body) });
    response.end();
  });
  receiverUrl = await listenOn(receiver);
  dataDir = await mkdtemp(join(tmpdir(), 'baton-push-'));
  await writeFile(
    join(dataDir, 'relay.json'),
    JSON.stringify({ BATON_RELAY_PUSH_HOSTS: new URL(receiverUrl).host }),
  );
  server = await startTestServer({ dataDir });
  for (const version of ['0.3', '1.0'] as const) {
    const peer = await startSdkPeer(version);
    peers.set(version, peer);
    const id = `echo-${version}`;
    await server.client.call('relay.peer.register', { id, url: peer.url, push: 'interpose' });
  }
});
afterAll(async () => {
  await server.close();
  for (const peer of peers.values()) await peer.close();
  await closeServer(receiver);
  await rm(dataDir, { recursive: true, force: true });
});

const notifications = (path: string) => received.filter((one) => one.path === path);
const callbackIn = (body: string) => /http:\/\/[^"]+\/a2a\/-\/push\/[0-9a-f]+/.exec(body)?.[0];

function configFor(path: string, taskId: string) {
  const authentication = { scheme: 'Bearer', credentials: 'for-the-client' };
  return {
    tenant: '',
    id: 'p1',
    taskId,
    url: `${receiverUrl}${path}`,
    token: 'client-token',
    authentication,
  };
}

const matrix = (['0.3', '1.0'] as const).flatMap((client) =>
  (['0.3', '1.0'] as const).map((peer) => [client, peer] as const),
);

describe.each(matrix)('notifications for a client of %s from a peer of %s', (clientVersion, peerVersion) => {
  const path = `/hook-${clientVersion}-${peerVersion}`;
  const contextId = `push-${clientVersion}-${peerVersion}`;
  const peer = () => peers.get(peerVersion)!;

  it('come by the relay, which shows the client nothing but its own address', async () => {
    const client = await sdkClient(server, clientVersion, `echo-${peerVersion}`);
    const task = (await client.sendMessage(say('ask', { contextId }))) as Task;
    const config = configFor(path, task.id);
    expect(await client.createTaskPushNotificationConfig(config)).toMatchObject({
      url: config.url,
      token: 'client-token',
    });
    const told = peer().bodies.at(-1)!;
    const callback = callbackIn(told);
    expect(callback).toMatch(new RegExp(`^${server.url}/`));
    for (const own of [config.url, 'client-token', 'for-the-client']) expect(told).not.toContain(own);

    const got = await client.getTaskPushNotificationConfig({ tenant: '', taskId: task.id, id: 'p1' });
    expect(got).toMatchObject({ url: config.url, token: 'client-token' });
    const listing = { tenant: '', taskId: task.id, pageSize: 10, pageToken: '' };
    const { configs } = await client.listTaskPushNotificationConfig(listing);
    expect(configs.map(({ id, url }) => [id, url])).toEqual([['p1', config.url]]);

    failing.add(path);
    await client.sendMessage(say('hello', { contextId, taskId: task.id }));
    await expect
      .poll(() => notifications(path).some(({ body }) => JSON.stringify(body).match(/completed/i)), {
        timeout: 20_000,
      })
      .toBe(true);
    for (const { headers, body } of notifications(path)) {
      expect(headers).toMatchObject({
        'x-a2a-notification-token': 'client-token',
        authorization: 'Bearer for-the-client',
      });
      expect(headers.traceparent).toMatch(/^00-/);
      expect('kind' in body).toBe(clientVersion === '0.3');
    }
    await expect
      .poll(async () => {
        const { items } = await server.client.call('relay.spans', { session_id: contextId });
        return items.filter(({ name }) => name === 'a2a.push.deliver').map(({ status }) => status);
      })
      .toEqual(expect.arrayContaining(['ok', 'error']));

    await client.deleteTaskPushNotificationConfig({ tenant: '', taskId: task.id, id: 'p1' });
    expect((await fetch(callback!, { method: 'POST', body: '{}' })).status).toBe(404);
  });
});

describe('the callback of the relay', () => {
  it('takes nothing without the token that only the peer was told', async () => {
    const client = await sdkClient(server, '0.3', 'echo-0.3');
    const task = (await client.sendMessage(say('ask', { contextId: 'push-token' }))) as Task;
    await client.createTaskPushNotificationConfig(configFor('/token', task.id));
    const callback = callbackIn(peers.get('0.3')!.bodies.at(-1)!)!;
    const call = (token: string, body: string) =>
      fetch(callback, { method: 'POST', headers: { 'x-a2a-notification-token': token }, body });
    expect((await call('guessed', '{}')).status).toBe(403);
    const { token } = JSON.parse(peers.get('0.3')!.bodies.at(-1)!).params.pushNotificationConfig;
    expect((await call(token, 'no json')).status).toBe(400);
    expect((await call(token, JSON.stringify({ kind: 'task', id: task.id }))).status).toBe(204);
    await expect.poll(() => notifications('/token')).toHaveLength(1);
  });

  it('is not given to a peer for an address that nobody allowed', async () => {
    const client = await sdkClient(server, '1.0', 'echo-1.0');
    const task = (await client.sendMessage(say('ask', { contextId: 'push-refused' }))) as Task;
    const before = peers.get('1.0')!.bodies.length;
    const inside = { ...configFor('/x', task.id), url: 'http://169.254.169.254/latest/meta-data' };
    await expect(client.createTaskPushNotificationConfig(inside)).rejects.toThrow(/private or reserved/);
    expect(peers.get('1.0')!.bodies.length).toBe(before);
  });
});
