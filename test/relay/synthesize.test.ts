import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { closeServer, listenOn } from './sdk-peer.ts';

let server: TestServer;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'baton-synthesize-'));
  await writeFile(join(dataDir, 'relay.json'), JSON.stringify({ BATON_RELAY_SYNTHESIZE: 'on' }));
  server = await startTestServer({ dataDir });
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

function send(at: TestServer, method: string, contextId: string): Promise<Response> {
  const parts = [method.includes('/') ? { kind: 'text', text: 'anyone?' } : { text: 'anyone?' }];
  const metadata = { 'agent.id': 'A', 'agent.target': 'B' };
  const message = { kind: 'message', messageId: 'm', role: 'user', contextId, parts, metadata };
  return fetch(`${at.url}/a2a/-`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-baton-key': at.ownerToken },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message } }),
  });
}

describe('a relay that answers for agents that nobody registered', () => {
  it.each([
    ['message/send', 'synthesize'],
    ['message/stream', 'synthesize-stream'],
    ['SendMessage', 'synthesize'],
    ['SendStreamingMessage', 'synthesize-stream'],
  ])('completes %s itself, says that nobody did the work, and traces it as %s', async (method, mode) => {
    const text = await (await send(server, method, `syn-${method}`)).text();
    expect(text).toMatch(/completed/i);
    expect(text).toContain('No agent B is registered. You said: anyone?');
    expect(text.includes('"kind":"task"')).toBe(method.includes('/'));
    const read = async () =>
      (await server.client.call('relay.spans', { session_id: `syn-${method}` })).items.map(
        ({ name, status, attributes }) => [name, status, attributes['o2r.relay.mode']],
      );
    await expect.poll(read).toEqual(
      expect.arrayContaining([
        ['a2a.task', 'ok', mode],
        ['a2a.message.send', 'ok', mode],
      ]),
    );
    expect((await read()).map(([name]) => name)).not.toContain('a2a.relay.forward');
  });

  it('does so only where it is told to', async () => {
    const usual = await startTestServer();
    const answer = (await (await send(usual, 'message/send', 'usual')).json()) as { error: { code: number } };
    expect(answer.error.code).toBe(-32011);
    await usual.close();
  });
});

describe('a signed card', () => {
  const signed = {
    name: 'Signed',
    description: 'Has a signature.',
    version: '1',
    protocolVersion: '0.3.0',
    preferredTransport: 'JSONRPC',
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    signatures: [{ protected: 'eyJhbGciOiJFZERTQSJ9', signature: 'c2lnbmF0dXJl' }],
  };
  let peer: Server;
  let url: string;
  beforeAll(async () => {
    peer = createServer((_, response) => response.end(JSON.stringify({ ...signed, url })));
    url = await listenOn(peer);
    await server.client.call('relay.peer.register', { id: 'signed', url });
  });
  afterAll(() => closeServer(peer));

  const card = async (path: string) => {
    const headers = { 'x-baton-key': server.ownerToken };
    const response = await fetch(`${server.url}/a2a/signed/.well-known/${path}`, { headers });
    return (await response.json()) as { url: string; signatures?: unknown };
  };

  it('loses its signature where its addresses are rewritten, which it no longer covers', async () => {
    const shown = await card('agent-card.json');
    expect(shown.url).toBe(`${server.url}/a2a/signed`);
    expect(shown.signatures).toBeUndefined();
  });

  it('stays readable as its agent signed it', async () => {
    expect(await card('agent-card.signed.json')).toEqual({ ...signed, url });
  });
});
