/** What one agent may keep open, or send at once, so that the others have their part. */
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function keyOf(actorId: string): Promise<string> {
  const made = await server.client.call('keys.create', { actor_id: actorId, actor_type: 'agent' });
  return made.token ?? '';
}

async function openStream(token: string): Promise<{ readonly status: number; readonly sent: ClientRequest }> {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  const sent = request(`${server.url}/v1/projects/default/events`, { headers });
  sent.on('error', () => undefined);
  sent.end();
  const [response] = await once(sent, 'response');
  response.on('error', () => undefined).resume();
  return { status: response.statusCode, sent };
}

function toMcp(token: string, text: string) {
  return server.fetch('/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: text,
  });
}

describe('one agent', () => {
  it('follows as many streams as one actor may, by however many keys, and keeps out nobody else', async () => {
    const tokens = [await keyOf('greedy'), await keyOf('greedy')];
    const open: ClientRequest[] = [];
    for (let at = 0; at < 200; at += 1) {
      const { status, sent } = await openStream(tokens[at % 2] ?? '');
      expect(status).toBe(200);
      open.push(sent);
    }
    expect((await openStream(tokens[0] ?? '')).status).toBe(429);
    const modest = await openStream(await keyOf('modest'));
    expect(modest.status).toBe(200);
    for (const sent of [...open, modest.sent]) sent.destroy();
    await expect.poll(async () => (await openStream(tokens[1] ?? '')).status).toBe(200);
  });

  it('cannot send MCP what nests so deeply that nothing can walk it, nor hide many values behind that', async () => {
    const token = await keyOf('deep');
    const call = (inner: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"packages","arguments":{"action":"write","x":${inner}}}}`;
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const inner of [deep, `[${deep},${'1,'.repeat(100_000)}1]`]) {
      const answer = await toMcp(token, call(inner));
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('too_deep');
    }
    expect(server.failures).toEqual([]);
  });
});
