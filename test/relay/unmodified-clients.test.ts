import { createServer, type Server } from 'node:http';
import { type Task, TaskState } from '@a2a-js/sdk';
import { ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { a2aRequest } from './a2a-request.ts';
import { say } from './sdk-client.ts';
import { closeServer, listenOn, type SdkPeer, startSdkPeer, type Version } from './sdk-peer.ts';

/** Peers without a key, as they are beside the agents of one machine. */
let server: TestServer;
const peers = new Map<Version, SdkPeer>();
let foreign: Server;
beforeAll(async () => {
  server = await startTestServer();
  for (const version of ['0.3', '1.0'] as const) {
    const peer = await startSdkPeer(version);
    peers.set(version, peer);
    await server.client.call('relay.peer.register', { id: `sut-${version}`, url: peer.url, access: 'open' });
  }
  foreign = createServer((_, response) => {
    const supportedInterfaces = [{ url: 'localhost:1', protocolBinding: 'SMTP', protocolVersion: '1.0' }];
    response.end(JSON.stringify({ name: 'g', supportedInterfaces }));
  });
  const url = await listenOn(foreign);
  await server.client.call('relay.peer.register', { id: 'foreign', url, access: 'open' });
});
afterAll(async () => {
  await server.close();
  for (const peer of peers.values()) await peer.close();
  await closeServer(foreign);
});

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
const card = async (path: string, version?: Version) => {
  const response = await fetch(`${server.url}${path}`, {
    headers: version ? { 'a2a-version': version } : {},
  });
  return { status: response.status, card: (await response.json()) as Record<string, unknown> };
};
const MEMBERS_OF_03 = ['url', 'preferredTransport', 'additionalInterfaces', 'protocolVersion', 'security'];

describe('a client that knows nothing of the relay', () => {
  it('finds an agent by createFromUrl with a slash, and talks to it', async () => {
    const factory = new ClientFactory(ClientFactoryOptions.default);
    const client = await factory.createFromUrl(`${server.url}/a2a/sut-1.0/`);
    const task = (await client.sendMessage(say('hello'))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it.each(['/a2a/sut-0.3', '/a2a/sut-0.3/', '/a2a/sut-0.3//'])('is answered at %s', async (path) => {
    const { result } = (await (await post(path, a2aRequest('message/send', 'hi', 'slash'))).json()) as {
      result: { status: { state: string } };
    };
    expect(result.status.state).toBe('completed');
  });

  it('may end a path of HTTP+JSON with a slash', async () => {
    const sent = await post(
      '/a2a/sut-1.0/message:send/',
      JSON.stringify({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } }),
      { 'a2a-version': '1.0' },
    );
    const { task } = (await sent.json()) as { task: { id: string } };
    const read = await fetch(`${server.url}/a2a/sut-1.0/tasks/${task.id}/`);
    expect(await read.json()).toMatchObject({ id: task.id });
  });

  it('reads the card at the address of the agent and where each version has it', async () => {
    for (const path of ['', '/', '/.well-known/agent-card.json', '/.well-known/agent.json'])
      expect(await card(`/a2a/sut-0.3${path}`)).toMatchObject({
        status: 200,
        card: { url: `${server.url}/a2a/sut-0.3` },
      });
  });

  it.each(['0.3', '1.0'] as const)('gets the card of any agent strictly as %s has it', async (version) => {
    for (const agent of ['sut-0.3', 'sut-1.0']) {
      const { card: read } = await card(`/a2a/${agent}/.well-known/agent-card.json`, version);
      const members = Object.keys(read);
      if (version === '1.0') for (const member of MEMBERS_OF_03) expect(members).not.toContain(member);
      else expect(members).not.toContain('supportedInterfaces');
    }
  });

  it('gets the card in the shape in which its agent wrote it, where it names no version', async () => {
    expect((await card('/a2a/sut-1.0/')).card).not.toHaveProperty('url');
    expect((await card('/a2a/sut-0.3/')).card).not.toHaveProperty('supportedInterfaces');
  });

  it('is told at once that an agent speaks nothing that the relay speaks', async () => {
    const answer = await (await post('/a2a/foreign', a2aRequest('message/send', 'hi', 'foreign'))).json();
    expect(answer).toMatchObject({ error: { code: -32011, message: expect.stringContaining('SMTP 1.0') } });
    const { items } = await server.client.call('relay.peers', { cards: true });
    expect(items.find(({ id }) => id === 'foreign')?.card_error).toContain('SMTP 1.0');
  });
});

describe('an address that names no agent', () => {
  it('has no card while several agents may be meant', async () => {
    for (const path of ['/.well-known/agent-card.json', '/a2a/.well-known/agent-card.json'])
      expect((await card(path)).status).toBe(401);
  });

  it('has the card of the only one, for createFromUrl without a slash and at the root', async () => {
    const alone = await startTestServer();
    const url = peers.get('1.0')?.url ?? '';
    await alone.client.call('relay.peer.register', { id: 'sut', url, access: 'open' });
    const factory = new ClientFactory(ClientFactoryOptions.default);
    for (const base of [`${alone.url}/a2a/sut`, alone.url]) {
      const client = await factory.createFromUrl(base);
      const task = (await client.sendMessage(say('hello'))) as Task;
      expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    }
    const legacy = await (await fetch(`${alone.url}/.well-known/agent.json`)).json();
    expect(legacy).toMatchObject({ url: `${alone.url}/a2a/sut`, protocolVersion: '0.3.0' });
    await alone.close();
  });
});

describe('the bridge', () => {
  const call = (agent: string, method: string, params: object, version: string) =>
    post(`/a2a/${agent}`, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), {
      'a2a-version': version,
    }).then((response) => response.json() as Promise<{ result?: never; error?: { code: number } }>);
  const part = { text: 'hi' };

  it('lists the tasks of an agent of 0.3 that the caller opened, page by page', async () => {
    const contextId = 'listed';
    for (let n = 0; n < 3; n += 1) await post('/a2a/sut-0.3', a2aRequest('message/send', 'hi', contextId));
    const list = (more: object) => call('sut-0.3', 'ListTasks', { contextId, ...more }, '1.0');
    await expect.poll(() => list({})).toMatchObject({ result: { totalSize: 3, nextPageToken: '' } });
    const first = await list({ pageSize: 2, status: 'TASK_STATE_COMPLETED' });
    expect(first).toMatchObject({
      result: { tasks: [{ contextId, status: { state: 'TASK_STATE_COMPLETED' } }, {}], nextPageToken: '2' },
    });
    expect(await list({ pageSize: 2, pageToken: '2' })).toMatchObject({ result: { tasks: [{}] } });
    expect(await list({ pageSize: 1_000 })).toMatchObject({ error: { code: -32602 } });
    expect(await list({ contextId: 'other' })).toMatchObject({ result: { tasks: [], totalSize: 0 } });
  });

  it.each(['9.9', '1.5', '0.4', 'x'])('refuses version %s by either binding', async (version) => {
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [part] };
    expect(await call('sut-0.3', 'SendMessage', { message }, version)).toMatchObject({
      error: { code: -32009, data: [{ reason: 'VERSION_NOT_SUPPORTED', domain: 'a2a-protocol.org' }] },
    });
    const rest = await post('/a2a/sut-0.3/message:send', JSON.stringify({ message }), {
      'a2a-version': version,
    });
    expect(rest.status).toBe(400);
  });

  it('neither invents nor drops: what cannot be said in the other version is refused', async () => {
    const bare = { messageId: 'm', parts: [{ kind: 'text', text: 'hi' }] };
    expect(await call('sut-1.0', 'message/send', { message: bare }, '0.3')).toMatchObject({
      error: { code: -32602 },
    });
    const odd = { ...bare, role: 'user', parts: [{ kind: 'video', video: 'x' }] };
    expect(await call('sut-1.0', 'message/send', { message: odd }, '0.3')).toMatchObject({
      error: { code: -32602 },
    });
    expect(await call('sut-0.3', 'GetTask', {}, '1.0')).toMatchObject({ error: { code: -32602 } });
  });

  it('reads names as protobuf spells them', async () => {
    const sent = (await (await post('/a2a/sut-0.3', a2aRequest('message/send', 'ask', 'snake'))).json()) as {
      result: { id: string };
    };
    const config = { task_id: sent.result.id, id: 'p', url: 'https://hooks.example/x' };
    expect(await call('sut-0.3', 'CreateTaskPushNotificationConfig', config, '1.0')).toMatchObject({
      result: { taskId: sent.result.id, url: config.url },
    });
  });
});
