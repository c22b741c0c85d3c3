import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { batonBinary, runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type SdkPeer, startSdkPeer } from './sdk-peer.ts';

let dataDir: string;
let peer: SdkPeer;
let collector: TestServer;
let relay: ChildProcess;
let url: string;
let key: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'baton-serve-'));
  peer = await startSdkPeer('0.3');
  collector = await startTestServer();
  // The file gives what neither a flag nor the environment says.
  await writeFile(
    join(dataDir, 'relay.json'),
    JSON.stringify({ BATON_RELAY_CONTENT: 'none', OTEL_A2A_RELAY_PORT: '1' }),
  );
  relay = spawn(
    process.execPath,
    [await batonBinary(), 'relay', 'serve', '--peer', `echo=${peer.url}`, '--export', collector.url],
    {
      env: {
        PATH: process.env.PATH ?? '',
        NO_COLOR: '1',
        BATON_DATA: dataDir,
        BATON_LOG: 'fatal',
        OTEL_A2A_RELAY_PORT: '0',
        OTEL_A2A_RELAY_PEERS: `other=${peer.url}`,
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${collector.ownerToken}`,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let said = '';
  relay.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await vi.waitFor(() => expect(said).toContain('Press Ctrl+C'), 120_000);
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? '';
  key = (await readFile(join(dataDir, 'owner.key'), 'utf8')).trim();
});
afterAll(async () => {
  relay.kill('SIGKILL');
  await peer.close();
  await collector.close();
  await rm(dataDir, { recursive: true, force: true });
});

function rpc(path: string, method: string, params: object, headers: Record<string, string> = {}) {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

const message = (target: string | undefined, contextId: string) => ({
  message: {
    kind: 'message',
    messageId: 'm',
    role: 'user',
    contextId,
    parts: [{ kind: 'text', text: 'the words' }],
    metadata: { 'agent.id': 'A', ...(target && { 'agent.target': target }) },
  },
});

interface Answer {
  readonly result?: { readonly id: string; readonly status: { readonly state: string } };
  readonly error?: { readonly code: number };
}

describe('baton relay serve', () => {
  it('relays at its root by what the message names, and a task by its owner, without a key on loopback', async () => {
    const sent = (await (await rpc('/', 'message/send', message('echo', 'root'))).json()) as Answer;
    expect(sent.result?.status.state).toBe('completed');
    await expect
      .poll(async () => {
        const got = await rpc('/', 'tasks/get', { id: sent.result?.id });
        return got.status === 200 ? ((await got.json()) as Answer).result?.status.state : got.status;
      })
      .toBe('completed');
    const byUrl = await rpc('/a2a/other', 'message/send', message(undefined, 'by-url'));
    expect(((await byUrl.json()) as Answer).result?.status.state).toBe('completed');
  });

  it('lets nobody without a key ask for what is not open, and says in A2A what it cannot do', async () => {
    expect((await rpc('/', 'message/send', message('nobody', 'x'))).status).toBe(401);
    expect((await rpc('/', 'tasks/get', {})).status).toBe(401);
    expect((await fetch(`${url}/peers`)).status).toBe(401);
    expect((await fetch(`${url}/tasks`)).status).toBe(401);
    const keyed = await rpc('/', 'message/send', message('nobody', 'x'), { 'x-baton-key': key });
    expect(((await keyed.json()) as Answer).error?.code).toBe(-32011);
  });

  it('says at its root how it is, who is there and what came by', async () => {
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({
      status: 'ok',
      protocol: '0.4',
      peers: ['echo', 'other'],
      star_enforce: false,
      roles: {},
    });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ id: 'third', url: peer.url, role: 'worker' });
    expect((await fetch(`${url}/peers`, { method: 'POST', headers, body })).status).toBe(201);
    const { items } = (await (await fetch(`${url}/peers?cards=false`, { headers })).json()) as {
      items: { id: string }[];
    };
    expect(items.map(({ id }) => id)).toEqual(['echo', 'other', 'third']);
    expect((await fetch(`${url}/peers/third`, { method: 'DELETE', headers })).status).toBe(204);
    expect(JSON.stringify(await (await fetch(`${url}/tasks`, { headers })).json())).toContain(
      '"peer_id":"echo"',
    );
    expect((await fetch(`${url}/agent-channel`, { headers })).status).toBe(200);
  });

  it('goes by its flags, then the environment, then the file', async () => {
    await expect
      .poll(async () => (await collector.client.call('relay.spans', { session_id: 'root' })).items.length)
      .toBeGreaterThanOrEqual(3);
    const { items } = await collector.client.call('relay.spans', { session_id: 'root' });
    expect(JSON.stringify(items)).not.toContain('the words');
  });

  it('is what the other commands find', async () => {
    const { stdout } = await runBaton(['relay', 'view', 'root'], { env: { BATON_DATA: dataDir } });
    expect(stdout).toMatch(/relay → echo/);
  });

  it.each([
    [['--peer', 'echo'], 'Expected a name and an address', 2],
    [['--peer', 'echo=localhost:1'], 'Expected a name and an address', 2],
    [['--export', 'collector:4318'], 'OTEL_EXPORTER_OTLP_ENDPOINT', 1],
    [['--port', 'http'], 'OTEL_A2A_RELAY_PORT', 1],
  ])('refuses what cannot be meant: %j', async (flags, words, code) => {
    const data = await mkdtemp(join(tmpdir(), 'baton-serve-bad-'));
    const ran = await runBaton(['relay', 'serve', '--port', '0', ...flags], { env: { BATON_DATA: data } });
    expect(ran.stderr).toContain(words);
    expect(ran.code).toBe(code);
    await rm(data, { recursive: true, force: true });
  });
});
