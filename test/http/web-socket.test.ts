import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.close();
});

function open(path: string, token?: string): WebSocket {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  return new WebSocket(`${server.url.replace('http', 'ws')}${path}`, { headers });
}

describe('a stream over WebSocket', () => {
  it('sends each item as a message, those to come too', async () => {
    const socket = open('/v1/events', server.ownerToken);
    const types: string[] = [];
    socket.on('message', (data) => types.push(JSON.parse(String(data)).event.event_type));
    await expect.poll(() => types).toContain('project.created');
    await server.client.call('keys.create', { actor_id: 'late', actor_type: 'agent' });
    await expect.poll(() => types.filter((type) => type === 'key.created').length).toBeGreaterThan(1);
    socket.close();
  });

  it('is refused as any request is: with a status, before it opens', async () => {
    const status = await new Promise<number | undefined>((resolve) => {
      const socket = open('/v1/events');
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode));
      socket.on('error', () => undefined);
    });
    expect(status).toBe(401);
  });

  it('is refused to other pages', async () => {
    const status = await new Promise<number | undefined>((resolve) => {
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/events`, {
        origin: 'https://evil.example',
      });
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode));
      socket.on('error', () => undefined);
    });
    expect(status).toBe(403);
  });
});
