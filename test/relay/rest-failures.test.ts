import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { deadAddress, startMisbehavingPeer, UNANSWERED } from './misbehaving-peer.ts';
import { relayFetch } from './sdk-client.ts';

let server: TestServer;
let peer: Awaited<ReturnType<typeof startMisbehavingPeer>>;
beforeAll(async () => {
  server = await startTestServer();
  peer = await startMisbehavingPeer();
  await server.client.call('relay.peer.register', { id: 'bad', url: peer.url });
  await server.client.call('relay.peer.register', { id: 'hasty', url: peer.url, timeout_seconds: 1 });
  await server.client.call('relay.peer.register', { id: 'dead', url: await deadAddress() });
});
afterAll(async () => {
  await server.close();
  await peer.close();
});

function post(agent: string, verb: string, text: string, contextId: string): Promise<Response> {
  const message = { messageId: 'm', role: 'ROLE_USER', contextId, parts: [{ text }] };
  return relayFetch(server)(`${server.url}/a2a/${agent}/message:${verb}`, {
    method: 'POST',
    headers: { 'content-type': 'application/a2a+json', 'a2a-version': '1.0' },
    body: JSON.stringify({ message }),
  });
}

async function taskOf(sessionId: string) {
  const read = async () => (await server.client.call('relay.spans', { session_id: sessionId })).items;
  await expect.poll(async () => (await read()).length).toBeGreaterThanOrEqual(2);
  return (await read()).find(({ name }) => name === 'a2a.task');
}

const failed = (failureClass: string) => ({
  status: 'error',
  attributes: { 'o2r.relay.failure_class': failureClass, 'o2r.task.state': 'failed' },
});

describe('a peer of HTTP+JSON that fails', () => {
  it.each(UNANSWERED)(
    '%s %s is 502 and %s, in the answer and in the span',
    async (agent, fault, failureClass) => {
      const session = `rest-${agent}-${fault}`;
      const response = await post(agent, 'send', fault, session);
      expect([response.status, await response.json()]).toEqual([
        502,
        {
          error: expect.objectContaining({
            status: 'UNAVAILABLE',
            details: [expect.objectContaining({ reason: failureClass.toUpperCase() })],
          }),
        },
      ]);
      expect(await taskOf(session)).toMatchObject(failed(failureClass));
    },
  );

  it('asks for a credential: that is between it and its caller', async () => {
    const response = await post('bad', 'send', 'needs-credential', 'rest-auth');
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="peer"');
    expect(await taskOf('rest-auth')).toMatchObject(failed('peer_auth'));
  });

  it('breaks off a stream: its caller is told before the stream closes', async () => {
    const text = await (await post('bad', 'stream', 'cut-stream', 'rest-cut')).text();
    expect(text).toMatch(/^event: error$/m);
    expect(text).toContain('PEER_DISCONNECT');
    expect(await taskOf('rest-cut')).toMatchObject(failed('peer_disconnect'));
  });

  it('ends a stream too early, and the task is not called completed', async () => {
    const text = await (await post('bad', 'stream', 'half-stream', 'rest-half')).text();
    expect(text).toContain('TASK_STATE_WORKING');
    expect(await taskOf('rest-half')).toMatchObject(failed('peer_disconnect'));
  });
});

describe('what is no request of HTTP+JSON', () => {
  const call = (method: string, path: string, body?: string) =>
    relayFetch(server)(`${server.url}/a2a/bad/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    });

  it.each([
    ['an unknown path', 'GET', 'tasks/1/explode/now', undefined, 404],
    ['an unknown verb', 'PUT', 'tasks/1', '{}', 404],
    ['invalid JSON', 'POST', 'message:send', '{"message"', 400],
    ['a duplicate key', 'POST', 'message:send', '{"message":{},"message":{}}', 400],
  ])('is answered in its own form: %s', async (_, method, path, body, status) => {
    const response = await call(method, path, body);
    expect([response.status, await response.json()]).toEqual([
      status,
      { error: expect.objectContaining({ code: status }) },
    ]);
  });

  it('is answered to a caller of 0.3 as 0.3 has it', async () => {
    const response = await call('POST', 'v1/message:send', 'no json');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: -32700 });
  });
});
