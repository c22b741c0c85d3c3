/** A request goes on after its credential has ended: what it still does, and what it is still told. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../src/platform/index.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

/** Longer than what was found out of a credential is good for. */
const LATER = 2_000_000;

let server: TestServer;
let ahead = 0;
beforeAll(async () => {
  server = await startTestServer({}, { clock: { now: () => systemClock.now() + ahead } });
});
afterAll(() => server.close());

interface Made {
  readonly key_id: string;
  readonly token: string;
}

async function makeKey(): Promise<Made> {
  const body = { actor_id: 'intern-bot', actor_type: 'agent' as const, scopes: ['*'] };
  return (await server.client.call('keys.create', body)) as Made;
}

async function revoke({ key_id }: Made): Promise<void> {
  await server.client.call('keys.revoke', { key_id });
  ahead += LATER;
}

function begin(
  method: string,
  path: string,
  { token }: Made,
  headers: Record<string, string>,
): ClientRequest {
  const sent = request(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  sent.flushHeaders();
  return sent;
}

async function finish(sent: ClientRequest, rest?: string): Promise<number | undefined> {
  const answered = once(sent, 'response');
  sent.end(rest);
  const [response] = await answered;
  response.resume();
  return response.statusCode;
}

/** Until the server has authenticated it. */
const taken = (key: Made) =>
  expect
    .poll(async () => {
      const { keys } = await server.client.call('keys.list', { words: key.key_id });
      return keys[0]?.last_used_at;
    })
    .toEqual(expect.any(String));

const json = (body: string) => ({
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
});

describe('a credential that ends', () => {
  const keyForLater = JSON.stringify({ actor_id: 'intern-bot', actor_type: 'agent', scopes: ['*'] });
  const toolCall = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'facts', arguments: { action: 'assert', subject: 's', predicate: 'p', value: 'v' } },
  });

  for (const [what, method, path, body, headers] of [
    ['a call', 'POST', '/v1/keys', keyForLater, json(keyForLater)],
    [
      'a call of MCP',
      'POST',
      '/mcp',
      toolCall,
      { ...json(toolCall), accept: 'application/json, text/event-stream' },
    ],
  ] as const) {
    it(`does nothing more by ${what} whose body was still coming`, async () => {
      const key = await makeKey();
      const sent = begin(method, path, key, headers);
      sent.write(body.slice(0, 5));
      await taken(key);
      await revoke(key);
      expect(await finish(sent, body.slice(5))).toBe(401);
    });
  }

  it('stores no file whose bytes were still coming', async () => {
    const key = await makeKey();
    const bytes = Buffer.alloc(200_000, 'x');
    const hash = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    const sent = begin('PUT', `/v1/projects/default/blobs/${hash}`, key, {
      'content-type': 'text/plain',
      'content-length': String(bytes.length),
    });
    sent.write(bytes.subarray(0, 5));
    await taken(key);
    await revoke(key);
    // The Agentic Protocol has one status for whoever may not.
    expect(await finish(sent, bytes.subarray(5).toString())).toBe(403);
    expect((await server.fetch(`/v1/projects/default/blobs/${hash}`)).status).toBe(404);
  });

  it('is told nothing more by a stream, over HTTP and over WebSocket', async () => {
    const key = await makeKey();
    const told: string[] = [];
    const stream = begin('GET', '/v1/projects/default/events', key, { accept: 'text/event-stream' });
    stream.end();
    const [response] = await once(stream, 'response');
    response.on('data', (piece: Buffer) => told.push(String(piece)));
    const ended = once(response, 'end');
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/events`, {
      headers: { authorization: `Bearer ${key.token}` },
    });
    socket.on('message', (message) => told.push(String(message)));
    const closed = once(socket, 'close');
    await server.client.call('facts.assert', {
      project_id: 'default',
      subject: 'a',
      predicate: 'p',
      value: 'before',
    });
    await expect.poll(() => told.filter((text) => text.includes('fact.asserted')).length).toBeGreaterThan(1);
    await revoke(key);
    const before = told.filter((text) => text.includes('fact.asserted')).length;
    await server.client.call('facts.assert', {
      project_id: 'default',
      subject: 'b',
      predicate: 'p',
      value: 'after',
    });
    await Promise.all([ended, closed]);
    expect(told.filter((text) => text.includes('fact.asserted')).length).toBe(before);
  });

  it('is answered nothing by a read that waited', async () => {
    const key = await makeKey();
    const { next } = await server.client.call('journal.changes', { limit: 1_000 });
    const sent = begin('GET', `/v1/changes?after=${next}&wait=30`, key, {});
    await taken(key);
    ahead += LATER;
    await server.client.call('keys.revoke', { key_id: key.key_id });
    expect(await finish(sent)).toBe(401);
  });
});
