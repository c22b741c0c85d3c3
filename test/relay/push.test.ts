import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task, TaskPushNotificationConfig } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { relayFetch, say, sdkClient } from './sdk-client.ts';
import { closeServer, listenOn, type SdkPeer } from './sdk-peer.ts';
import { MATRIX, startSpeakingPeers } from './speeches.ts';

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
let peers: ReadonlyMap<string, SdkPeer>;

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
  peers = await startSpeakingPeers(server, { push: 'interpose' });
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

function configurationWith(taskPushNotificationConfig: TaskPushNotificationConfig) {
  return {
    acceptedOutputModes: [],
    taskPushNotificationConfig,
    historyLength: undefined,
    returnImmediately: false,
  };
}

function taskIn({ body }: Notification): string {
  const { task, statusUpdate, artifactUpdate } = body as Record<string, { id?: string; taskId?: string }>;
  const event = task ?? statusUpdate ?? artifactUpdate ?? body;
  return String(event.taskId ?? event.id);
}

async function completionAt(path: string): Promise<void> {
  const isCompletion = ({ body }: Notification) => /completed/i.test(JSON.stringify(body));
  await expect.poll(() => notifications(path).some(isCompletion)).toBe(true);
}

async function deliveriesOf(sessionId: string): Promise<string[]> {
  const { items } = await server.client.call('relay.spans', { session_id: sessionId });
  return items.filter(({ name }) => name === 'a2a.push.deliver').map(({ status }) => status);
}

describe.each(MATRIX)(
  'notifications for a client and from a peer of $name',
  ({ client: spoken, agent, name }) => {
    const place = name.replaceAll(' ', '-');
    const connect = () => sdkClient(server, spoken.version, agent, spoken.binding);
    const peer = () => peers.get(agent)!;

    function expectOnlyTheClientsOwn(path: string): void {
      for (const { headers, body } of notifications(path)) {
        expect(headers).toMatchObject({
          'x-a2a-notification-token': 'client-token',
          authorization: 'Bearer for-the-client',
        });
        expect(headers.traceparent).toMatch(/^00-/);
        expect('kind' in body).toBe(spoken.version === '0.3');
      }
    }

    function expectNothingTold(told: string, config: TaskPushNotificationConfig): string {
      const callback = callbackIn(told);
      expect(callback).toMatch(new RegExp(`^${server.url}/`));
      for (const own of [config.url, 'client-token', 'for-the-client']) expect(told).not.toContain(own);
      return callback!;
    }

    it('come by the relay, which shows the client nothing but its own address', async () => {
      const path = `/set-${place}`;
      const contextId = `push-${place}`;
      const client = await connect();
      const task = (await client.sendMessage(say('ask', { contextId }))) as Task;
      const config = configFor(path, task.id);
      const own = { url: config.url, token: 'client-token', authentication: config.authentication };
      expect(await client.createTaskPushNotificationConfig(config)).toMatchObject(own);
      const callback = expectNothingTold(peer().bodies.at(-1)!, config);

      const got = await client.getTaskPushNotificationConfig({ tenant: '', taskId: task.id, id: 'p1' });
      expect(got).toMatchObject(own);
      const listing = { tenant: '', taskId: task.id, pageSize: 10, pageToken: '' };
      const { configs } = await client.listTaskPushNotificationConfig(listing);
      expect(configs.map(({ id, url }) => [id, url])).toEqual([['p1', config.url]]);

      await client.sendMessage(say('hello', { contextId, taskId: task.id }));
      await completionAt(path);
      expectOnlyTheClientsOwn(path);
      await expect.poll(() => deliveriesOf(contextId)).toContain('ok');

      await client.deleteTaskPushNotificationConfig({ tenant: '', taskId: task.id, id: 'p1' });
      expect((await fetch(callback, { method: 'POST', body: '{}' })).status).toBe(404);
    });

    it.each(['send', 'stream'])('come for the task of the message that asked for them: %s', async (verb) => {
      const path = `/${verb}-${place}`;
      const contextId = `${verb}-${place}`;
      const client = await connect();
      const config = configFor(path, '');
      const asking = { ...say('hello', { contextId }), configuration: configurationWith(config) };
      if (verb === 'send') await client.sendMessage(asking);
      else for await (const _ of client.sendMessageStream(asking));
      const callback = expectNothingTold(peer().bodies.at(-1)!, config);
      await completionAt(path);
      expectOnlyTheClientsOwn(path);

      const taskId = taskIn(notifications(path)[0]!);
      const listing = { tenant: '', taskId, pageSize: 10, pageToken: '' };
      const { configs } = await client.listTaskPushNotificationConfig(listing);
      expect(configs.map(({ url }) => url)).toEqual([config.url]);
      await client.deleteTaskPushNotificationConfig({ tenant: '', taskId, id: configs[0]!.id });
      expect((await fetch(callback, { method: 'POST', body: '{}' })).status).toBe(404);
    });
  },
);

describe('a client that cannot take a notification', () => {
  it('is told again, each try a span', async () => {
    const contextId = 'push-again';
    const client = await sdkClient(server, '1.0', 'rest-0.3', 'HTTP+JSON');
    failing.add('/again');
    const configuration = configurationWith(configFor('/again', ''));
    await client.sendMessage({ ...say('hello', { contextId }), configuration });
    await completionAt('/again');
    await expect.poll(() => deliveriesOf(contextId)).toEqual(expect.arrayContaining(['ok', 'error']));
  });
});

describe('the callback of the relay', () => {
  it('stands only where the settings stood, not in a message that speaks of the same address', async () => {
    const config = configFor('/alike', '');
    const alike = { url: config.url, token: config.token };
    const body = {
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }, { data: alike }] },
      configuration: { taskPushNotificationConfig: { ...alike, id: 'p1' } },
    };
    await relayFetch(server)(`${server.url}/a2a/rest-1.0/message:send`, {
      method: 'POST',
      headers: { 'content-type': 'application/a2a+json', 'a2a-version': '1.0' },
      body: JSON.stringify(body),
    });
    const told = JSON.parse(peers.get('rest-1.0')!.bodies.at(-1)!);
    expect(told.message).toEqual(body.message);
    expect(told.configuration.taskPushNotificationConfig.url).toMatch(/\/a2a\/-\/push\//);
  });

  it('takes nothing without the token that only the peer was told', async () => {
    const client = await sdkClient(server, '0.3', 'rpc-0.3');
    const task = (await client.sendMessage(say('ask', { contextId: 'push-token' }))) as Task;
    await client.createTaskPushNotificationConfig(configFor('/token', task.id));
    const callback = callbackIn(peers.get('rpc-0.3')!.bodies.at(-1)!)!;
    const call = (token: string, body: string) =>
      fetch(callback, { method: 'POST', headers: { 'x-a2a-notification-token': token }, body });
    expect((await call('guessed', '{}')).status).toBe(403);
    const { token } = JSON.parse(peers.get('rpc-0.3')!.bodies.at(-1)!).params.pushNotificationConfig;
    expect((await call(token, 'no json')).status).toBe(400);
    expect((await call(token, JSON.stringify({ kind: 'task', id: task.id }))).status).toBe(204);
    await expect.poll(() => notifications('/token')).toHaveLength(1);
  });

  it('is not given to a peer for an address that nobody allowed', async () => {
    const client = await sdkClient(server, '1.0', 'rpc-1.0');
    const task = (await client.sendMessage(say('ask', { contextId: 'push-refused' }))) as Task;
    const before = peers.get('rpc-1.0')!.bodies.length;
    const inside = { ...configFor('/x', task.id), url: 'http://169.254.169.254/latest/meta-data' };
    await expect(client.createTaskPushNotificationConfig(inside)).rejects.toThrow(/private or reserved/);
    expect(peers.get('rpc-1.0')!.bodies.length).toBe(before);
  });
});
