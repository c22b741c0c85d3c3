import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type RpcPeer, startRpcPeer } from './rpc-peer.ts';

const USED = 'https://example.com/ext/citations/v1';

let server: TestServer;
let peers: readonly RpcPeer[];
/** Extensions that the peers were asked for, as their own version spells the header. */
const asked: (string | undefined)[] = [];

beforeAll(async () => {
  server = await startTestServer();
  const old = await startRpcPeer(({ request, response, text, contextId, json, events }) => {
    asked.push(request.headers['x-a2a-extensions'] as string | undefined);
    response.setHeader('x-a2a-extensions', USED);
    const task = { kind: 'task', id: `t-${contextId}`, contextId, status: { state: 'completed' } };
    if (text !== 'stream') return json({ result: task });
    events()(task);
    response.end();
  });
  const modern = await startRpcPeer(({ request, response, contextId, json }) => {
    asked.push(request.headers['a2a-extensions'] as string | undefined);
    response.setHeader('a2a-extensions', USED);
    const status = { state: 'TASK_STATE_COMPLETED' };
    json({ result: { task: { id: `t-${contextId}`, contextId, status } } });
  });
  peers = [old, modern];
  await server.client.call('relay.peer.register', { id: 'old', url: old.url, version: '0.3' });
  await server.client.call('relay.peer.register', { id: 'modern', url: modern.url, version: '1.0' });
});
afterAll(async () => {
  await server.close();
  for (const peer of peers) await peer.close();
});

function send(agent: string, method: string, text: string, headers: Record<string, string>) {
  const role = method.includes('/') ? 'user' : 'ROLE_USER';
  const part = method.includes('/') ? { kind: 'text', text } : { text };
  const message = { kind: 'message', messageId: 'm', role, contextId: `${agent}-${method}`, parts: [part] };
  return fetch(`${server.url}/a2a/${agent}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-baton-key': server.ownerToken, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message } }),
  });
}

const modernCaller = { 'a2a-version': '1.0', 'a2a-extensions': USED };
const oldCaller = { 'x-a2a-extensions': USED };

it.each([
  ['a 1.0 caller of a 0.3 peer', 'old', 'SendMessage', 'hello', modernCaller, 'a2a-extensions'],
  ['a 1.0 caller of a 0.3 stream', 'old', 'SendStreamingMessage', 'stream', modernCaller, 'a2a-extensions'],
  ['a 0.3 caller of a 1.0 peer', 'modern', 'message/send', 'hello', oldCaller, 'x-a2a-extensions'],
  ['a 0.3 caller of a 0.3 peer', 'old', 'message/send', 'hello', oldCaller, 'x-a2a-extensions'],
])('%s agree on extensions, each by the name it knows', async (_, agent, method, text, headers, told) => {
  const answer = await send(agent, method, text, headers);
  const body = await answer.text();
  expect(body).toMatch(/completed/i);
  expect(asked.at(-1)).toBe(USED);
  const named = ['a2a-extensions', 'x-a2a-extensions'].filter((name) => answer.headers.has(name));
  expect(named).toEqual([told]);
  expect(answer.headers.get(told)).toBe(USED);
});
