import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { exportRequestFields, exportResponseFields } from '../../src/slices/relay/otlp/fields.ts';
import type { ExportRequest } from '../../src/slices/relay/otlp/model.ts';
import { decodeMessage } from '../../src/slices/relay/otlp/protobuf-reader.ts';
import { encodeMessage } from '../../src/slices/relay/otlp/protobuf-writer.ts';
import { batonBinary } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { closeServer, listenOn, startSdkPeer } from './sdk-peer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.close();
});

const id = (digit: string, length: number) => digit.repeat(length);

function request(traceId: string, session: string, parents: readonly (string | undefined)[]): ExportRequest {
  return {
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'agent-x' } }] },
        scopeSpans: [
          {
            scope: { name: 'test' },
            spans: parents.map((parent, i) => ({
              traceId,
              spanId: id(String(i + 1), 16),
              ...(parent && { parentSpanId: parent }),
              name: `span ${i + 1}`,
              kind: 2,
              startTimeUnixNano: String(1_700_000_000_000_000_000n + BigInt(i)),
              endTimeUnixNano: '1700000001000000000',
              attributes: [
                { key: 'session.id', value: { stringValue: session } },
                { key: 'agent.id', value: { stringValue: `agent-${i}` } },
                ...(i > 0 ? [{ key: 'graph.node.parent_id', value: { stringValue: `agent-${i - 1}` } }] : []),
              ],
            })),
          },
        ],
      },
    ],
  };
}

const send = (body: Uint8Array | string, headers: Record<string, string>) =>
  server.fetch('/v1/traces', { method: 'POST', body: body as never, headers });

describe('the collector', () => {
  it('takes protobuf and JSON, packed or not, and shows one tree and one graph', async () => {
    const [proto, json] = [
      request(id('a', 32), 's1', [undefined, id('1', 16), id('2', 16)]),
      request(id('b', 32), 's1', [undefined]),
    ];
    const first = await send(gzipSync(encodeMessage(exportRequestFields, proto)), {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
    });
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/x-protobuf']);
    expect((await send(JSON.stringify(json), { 'content-type': 'application/json' })).status).toBe(200);
    const { items } = await server.client.call('relay.sessions', {});
    expect(items).toMatchObject([{ session_id: 's1', traces: 2, spans: 4, agents: 3, errors: 0 }]);
    const tree = await server.client.call('relay.trace', { trace_id: id('a', 32) });
    expect(tree.roots).toMatchObject([
      { name: 'span 1', children: [{ name: 'span 2', children: [{ name: 'span 3' }] }] },
    ]);
    const { edges } = await server.client.call('relay.graph', { session_id: 's1' });
    expect(edges.map(({ from, to }) => `${from}→${to}`)).toEqual(['agent-0→agent-1', 'agent-1→agent-2']);
  });

  it('keeps a span that comes twice once', async () => {
    const again = request(id('c', 32), 's2', [undefined]);
    for (let i = 0; i < 2; i += 1) await send(JSON.stringify(again), { 'content-type': 'application/json' });
    expect((await server.client.call('relay.spans', { session_id: 's2' })).items).toHaveLength(1);
  });

  it('is looked at project by project, as far as the credential sees them', async () => {
    await server.client.call('projects.create', { project_id: 'quiet', name: 'Quiet' });
    const session = { session_id: 's1' };
    expect((await server.client.call('relay.spans', session)).items.length).toBeGreaterThan(0);
    const { token = '' } = await server.client.call('keys.create', {
      actor_id: 'quiet-one',
      actor_type: 'agent',
      projects: ['quiet'],
      default_project: 'quiet',
      scopes: ['trace:read'],
    });
    for (const client of [server.client, createClient({ url: server.url, token })]) {
      const within = { project: 'quiet' };
      expect((await client.call('relay.sessions', within)).items).toEqual([]);
      expect((await client.call('relay.spans', { ...within, ...session })).items).toEqual([]);
      expect((await client.call('relay.graph', within)).nodes).toEqual([]);
      const trace = client.call('relay.trace', { ...within, trace_id: id('a', 32) });
      await expect(trace).rejects.toMatchObject({ code: 'trace_not_found' });
    }
    const stranger = createClient({ url: server.url, token });
    for (const name of ['relay.sessions', 'relay.spans', 'relay.graph'] as const) {
      const asked = stranger.call(name, { project: 'default' });
      await expect(asked, name).rejects.toMatchObject({ code: 'project_not_found' });
    }
  });

  it('says what it did not take', async () => {
    const bad = request(id('0', 32), 's3', [undefined]);
    const response = await send(encodeMessage(exportRequestFields, bad), {
      'content-type': 'application/x-protobuf',
    });
    expect(decodeMessage(exportResponseFields, new Uint8Array(await response.arrayBuffer()))).toMatchObject({
      partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringContaining('trace id') },
    });
    expect((await send('x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await send('{', { 'content-type': 'application/json' })).status).toBe(400);
    expect((await send('\u0001\u0002', { 'content-type': 'application/x-protobuf' })).status).toBe(400);
  });
});

function ask(url: string, token: string, agent: string, text: string, method = 'message/send') {
  const parts = [{ kind: 'text', text }];
  return fetch(`${url}/a2a/${agent}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-baton-key': token },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { message: { kind: 'message', messageId: 'm', role: 'user', contextId: `c-${text}`, parts } },
    }),
  });
}

describe('export', () => {
  it('reaches an endpoint that was down, busy and picky, each span once', async () => {
    const moods = [503, 429, 500, 200];
    const received: string[] = [];
    const endpoint = createServer(async (incoming, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of incoming) pieces.push(piece as Buffer);
      const mood = moods.shift() ?? 200;
      response.statusCode = mood;
      if (mood === 429) response.setHeader('retry-after', '0');
      if (mood !== 200) return response.end();
      const { resourceSpans = [] } = decodeMessage(
        exportRequestFields,
        Buffer.concat(pieces),
      ) as ExportRequest;
      for (const { scopeSpans = [] } of resourceSpans) {
        for (const { spans = [] } of scopeSpans) received.push(...spans.map(({ spanId }) => spanId));
      }
      response.setHeader('content-type', 'application/x-protobuf');
      return response.end(
        encodeMessage(exportResponseFields, {
          partialSuccess: { rejectedSpans: '1', errorMessage: 'one too many' },
        }),
      );
    });
    const url = await listenOn(endpoint);
    const dataDir = await mkdtemp(join(tmpdir(), 'baton-export-'));
    await writeFile(join(dataDir, 'relay.json'), JSON.stringify({ OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/` }));
    const exporting = await startTestServer({ dataDir });
    const peer = await startSdkPeer('0.3');
    await exporting.client.call('relay.peer.register', { id: 'echo', url: peer.url });
    for (let i = 0; i < 5; i += 1)
      await (await ask(exporting.url, exporting.ownerToken, 'echo', `n${i}`)).text();
    await expect.poll(() => received.length).toBe(15);
    expect(new Set(received).size).toBe(15);
    const exported = async () => (await exporting.client.call('relay.status', {})).export;
    await expect.poll(async () => (await exported()).waiting).toBe(0);
    expect((await exported()).rejected).toBeGreaterThan(0);
    await exporting.close();
    await peer.close();
    await closeServer(endpoint);
    await rm(dataDir, { recursive: true, force: true });
  });
});

describe('a relay that is killed', () => {
  it('keeps what was finished and says of what was open that it was', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'baton-relay-kill-'));
    const peer = await startSdkPeer('0.3');
    const env = { PATH: process.env.PATH ?? '', BATON_DATA: dataDir, BATON_PORT: '0' };
    const child = spawn(process.execPath, [await batonBinary(), 'up'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await expect.poll(() => said).toMatch(/is up at/);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? '';
    const token = (await readFile(join(dataDir, 'owner.key'), 'utf8')).trim();
    const running = createClient({ url, token });
    await running.call('relay.peer.register', { id: 'echo', url: peer.url });
    await (await ask(url, token, 'echo', 'done')).text();
    const stream = await ask(url, token, 'echo', 'wait', 'message/stream');
    await stream.body?.getReader().read();
    await expect
      .poll(async () => (await running.call('relay.spans', { session_id: 'c-done' })).items.length)
      .toBe(3);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.on('exit', resolve));
    const after = await startTestServer({ dataDir });
    const read = async (session: string) =>
      (await after.client.call('relay.spans', { session_id: session })).items;
    expect(await read('c-done')).toHaveLength(3);
    await expect
      .poll(() => read('c-wait'))
      .toMatchObject([
        {
          name: 'a2a.task',
          status: 'error',
          attributes: { 'o2r.relay.recovered': true, 'o2r.relay.failure_class': 'recovered' },
        },
      ]);
    await after.close();
    await peer.close();
    await rm(dataDir, { recursive: true, force: true });
  });
});
