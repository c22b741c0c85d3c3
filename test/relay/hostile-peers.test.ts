/** Agents that mean harm, to the relay or, through it, to those who speak to them. */
import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { a2aRequest } from './a2a-request.ts';
import { type RpcCall, type RpcPeer, startRpcPeer } from './rpc-peer.ts';
import { closeServer, listenOn } from './sdk-peer.ts';

let server: TestServer;
let peer: RpcPeer;
let answer: (call: RpcCall) => void = () => {};
beforeAll(async () => {
  server = await startTestServer();
  peer = await startRpcPeer((call) => answer(call));
  await server.client.call('relay.peer.register', { id: 'hostile', url: peer.url, version: '0.3' });
});
afterAll(async () => {
  await server.close();
  await peer.close();
});

const post = (method: string, contextId: string) =>
  fetch(`${server.url}/a2a/hostile`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-baton-key': server.ownerToken },
    body: a2aRequest(method, 'hello', contextId),
  });

async function taskOf(sessionId: string) {
  const read = async () =>
    (await server.client.call('relay.spans', { session_id: sessionId })).items.find(
      ({ name }) => name === 'a2a.task',
    );
  await expect.poll(read, { timeout: 20_000 }).toBeDefined();
  return (await read())!;
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

describe('an agent that sends its callers elsewhere', () => {
  const keys: unknown[] = [];
  let thief: Server;
  let elsewhere = '';
  beforeAll(async () => {
    thief = createServer((request, response) => {
      keys.push(request.headers['x-baton-key']);
      response.end('{}');
    });
    elsewhere = await listenOn(thief);
  });
  afterAll(() => closeServer(thief));

  it.each([
    [307, 'message/send', 'application/json'],
    [308, 'message/send', 'text/html'],
    [302, 'message/stream', 'text/event-stream'],
    [307, 'message/stream', 'application/json'],
  ])('gets no key of theirs: %i to %s, as %s', async (status, method, type) => {
    answer = ({ id, response }) => {
      const task = { kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } };
      const body = JSON.stringify({ jsonrpc: '2.0', id, result: task });
      response.writeHead(status, { location: elsewhere, 'content-type': type });
      response.end(type === 'text/event-stream' ? `data: ${body}\n\n` : body);
    };
    const response = await post(method, `redirect-${status}-${type}`);
    expect(response.url).toBe(`${server.url}/a2a/hostile`);
    expect(response.headers.get('location')).toBeNull();
    expect(await response.json()).toMatchObject({
      error: { code: -32011, data: [{ reason: 'PEER_DISCONNECT' }] },
    });
    expect(keys).toEqual([]);
  });

  it('says nothing of the whole host, which is the relay', async () => {
    answer = ({ id, response }) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'alt-svc': 'h2="evil.example:443"',
        'clear-site-data': '"*"',
        'strict-transport-security': 'max-age=63072000',
        'x-of-the-agent': 'yes',
      });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { kind: 'message', parts: [] } }));
    };
    const { headers } = await post('message/send', 'of-the-host');
    expect(headers.get('x-of-the-agent')).toBe('yes');
    for (const name of ['alt-svc', 'clear-site-data', 'strict-transport-security'])
      expect(headers.get(name)).toBeNull();
  });
});

describe('an agent that says too much', () => {
  it('in hundreds of thousands of parts is passed on, and the exchange is known as it ended', async () => {
    const parts = Array(200_000).fill({ kind: 'text', text: '.' });
    answer = ({ json, contextId }) =>
      json({
        result: {
          kind: 'task',
          id: 'parts',
          contextId,
          status: { state: 'completed' },
          artifacts: [{ artifactId: 'a', parts }],
        },
      });
    const told = (await (await post('message/send', 'parts')).json()) as {
      result: { artifacts: { parts: object[] }[] };
    };
    expect(told.result.artifacts[0]?.parts).toHaveLength(parts.length);
    expect((await taskOf('parts')).attributes).toMatchObject({
      'o2r.task.state': 'completed',
      'o2r.message.reply_digest': digestOf('.'.repeat(parts.length)),
    });
  });

  it('again and again in one stream is written down a few times and at its end', async () => {
    const times = 3_000;
    const word = 'more? '.repeat(100);
    answer = ({ contextId, response, events }) => {
      const event = events();
      const of = { taskId: 'asks', contextId };
      event({ kind: 'task', id: 'asks', contextId, status: { state: 'submitted' } });
      for (let n = 0; n < times; n += 1) {
        const message = {
          kind: 'message',
          messageId: `m${n}`,
          role: 'agent',
          parts: [{ kind: 'text', text: word }],
        };
        event({ kind: 'status-update', ...of, status: { state: 'input-required', message }, final: false });
      }
      response.end();
    };
    const text = await (await post('message/stream', 'asks')).text();
    expect(text.match(/input-required/g)).toHaveLength(times);
    expect((await taskOf('asks')).attributes).toMatchObject({
      'o2r.task.state': 'input-required',
      'o2r.message.reply_digest': digestOf(word.repeat(times)),
    });
    const folder = join(server.dataDir, 'relay');
    const logs = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
    for (const name of logs) expect((await stat(join(folder, name))).size).toBeLessThan(8_000_000);
  });

  it('that nobody can read is an empty answer to whoever sent the message, and is asked for once', async () => {
    let asked = 0;
    answer = ({ response }) => {
      asked += 1;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"half":\n\ndata: nothing\n\n');
    };
    const events: unknown[] = [];
    const message = { to: 'hostile', text: 'hello', context: 'unreadable' };
    for await (const event of server.client.stream('relay.stream', message)) events.push(event);
    expect([events, asked]).toEqual([[], 1]);
  });
});
