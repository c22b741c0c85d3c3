/** A server, and what it takes to send messages through it and again. */
import { expect } from 'vitest';
import type { OpenForTest } from '../../src/spine/storage/testing.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { a2aRequest } from './a2a-request.ts';

export async function startServerOn(
  open: OpenForTest,
  relay: Record<string, string> = {},
): Promise<TestServer> {
  return startTestServer({ databaseUrl: open.urlOf(await open([])), relay });
}

export function replayWorld(server: TestServer) {
  const { client } = server;

  async function send(
    agent: string,
    text: string,
    contextId: string,
    more: object = {},
    method = 'message/send',
  ) {
    const response = await fetch(`${server.url}/a2a/${agent}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-baton-key': server.ownerToken },
      body: a2aRequest(method, text, contextId, more),
    });
    const answer = await response.text();
    return method === 'message/send' ? JSON.parse(answer).result : answer;
  }

  /** The messages of a session, as soon as so many are stored. */
  async function captured(sessionId: string, count = 1) {
    const read = async () => {
      const { items } = await client.call('relay.spans', { session_id: sessionId, limit: 1000 });
      return items.filter(({ name }) => name === 'a2a.task');
    };
    await expect.poll(async () => (await read()).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
    return read();
  }

  type Source = Parameters<typeof client.call<'relay.replay'>>[1];

  async function replayed(source: Source) {
    const { replay_id } = await client.call('relay.replay', source);
    for (;;) {
      const page = await client.call('relay.replay.show', { replay_id, wait: 20, limit: 100 });
      if (page.state !== 'running') return page;
    }
  }

  return { client, send, captured, replayed };
}
