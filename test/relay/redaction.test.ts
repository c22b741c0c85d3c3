import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type RpcPeer, startRpcPeer } from './rpc-peer.ts';
import { closeServer, listenOn } from './sdk-peer.ts';

const MESSAGES = process.env.BATON_PROVE ? 1_000 : 100;
const SEED = 20_261;

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const cases = fc.sample(
  fc.record({
    how: fc.constantFrom('whole', 'error', 'stream', 'stream beside another'),
    prefix: fc.constantFrom('sk-live-', 'ghp_', 'glpat-', 'Bearer ', 'password: ', 'api_key='),
    body: hex(32),
    cuts: fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 5 }),
  }),
  { seed: SEED, numRuns: MESSAGES },
);
const sentence = ({ prefix, body }: (typeof cases)[number]) => `use ${prefix}${body} now`;

function pieces(text: string, cuts: readonly number[]): string[] {
  const ends = [...cuts, text.length].sort((a, b) => a - b);
  return ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end));
}

let server: TestServer;
let peer: RpcPeer;
let collector: Server;
let dataDir: string;
const exported: Buffer[] = [];

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    exported.push(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  const url = await listenOn(collector);
  dataDir = await mkdtemp(join(tmpdir(), 'baton-redaction-'));
  await writeFile(join(dataDir, 'relay.json'), JSON.stringify({ OTEL_EXPORTER_OTLP_ENDPOINT: url }));
  server = await startTestServer({ dataDir });
  peer = await startRpcPeer(({ contextId, json, events, response }) => {
    const given = cases[Number(contextId)]!;
    const said = sentence(given);
    if (given.how === 'error') return json({ error: { code: -32603, message: said, data: { why: said } } });
    const about = { taskId: `t-${contextId}`, contextId };
    const task = { kind: 'task', id: about.taskId, contextId };
    if (given.how === 'whole') {
      const data = { kind: 'data', data: { deep: [{ value: said }] } };
      const text = { kind: 'text', text: said, metadata: { note: said } };
      const artifacts = [{ artifactId: 'a', parts: [text, data] }];
      return json({ result: { ...task, status: { state: 'completed' }, artifacts } });
    }
    const event = events();
    const tell = (artifactId: string, text: string) =>
      event({ kind: 'artifact-update', ...about, artifact: { artifactId, parts: [{ kind: 'text', text }] } });
    event({ ...task, status: { state: 'submitted' } });
    for (const piece of pieces(said, given.cuts)) {
      tell('a', piece);
      if (given.how === 'stream beside another') tell('b', ' meanwhile ');
    }
    event({ kind: 'status-update', ...about, status: { state: 'completed' }, final: true });
    response.end();
  });
  await server.client.call('relay.peer.register', { id: 'parrot', url: peer.url });
});
afterAll(async () => {
  await server.close();
  await peer.close();
  await closeServer(collector);
  await rm(dataDir, { recursive: true, force: true });
});

async function ask(contextId: string, { how }: (typeof cases)[number], said: string): Promise<string> {
  const parts = [
    { kind: 'text', text: said },
    { kind: 'data', data: { note: [said] } },
  ];
  const metadata = { said };
  const message = { kind: 'message', messageId: contextId, role: 'user', contextId, parts, metadata };
  const method = how.startsWith('stream') ? 'message/stream' : 'message/send';
  const response = await fetch(`${server.url}/a2a/parrot`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-baton-key': server.ownerToken },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message, metadata } }),
  });
  return response.text();
}

/** What the first artifact says, put together again. */
function heardIn(answer: string): string {
  const texts = answer.matchAll(/"artifactId":"a","parts":\[\{"kind":"text","text":"([^"]*)"/g);
  return [...texts].map(([, text]) => text).join('');
}

/** Long enough that no id of a span is the same by chance. */
const TELLING = 10;

function* tellingParts(text: string): Generator<string> {
  for (const [run] of text.matchAll(/[0-9a-f]+/g))
    for (let from = 0; from + TELLING <= run.length; from += 1) yield run.slice(from, from + TELLING);
}

describe('secrets in what agents say', () => {
  it('reach the other agent as they are and no span, wherever a stream was cut', async () => {
    for (const [at, given] of cases.entries()) {
      const answer = await ask(String(at), given, sentence(given));
      if (given.how === 'error') expect(answer).toContain(sentence(given));
      else expect(heardIn(answer)).toBe(sentence(given));
    }
    const last = { session_id: String(cases.length - 1) };
    await expect.poll(async () => (await server.client.call('relay.spans', last)).items.length).not.toBe(0);
    await expect.poll(async () => (await server.client.call('relay.status', {})).export.waiting).toBe(0);
    const sent = new Set(tellingParts(Buffer.concat(exported).toString('latin1')));
    for (const [at, { how, body }] of cases.entries()) {
      const { items } = await server.client.call('relay.spans', { session_id: String(at) });
      expect(items).toHaveLength(how === 'error' ? 2 : 3);
      const stored = JSON.stringify(items);
      expect(stored).toContain('__REDACTED__');
      const kept = new Set(tellingParts(stored));
      const seen = [...tellingParts(body)].filter((part) => kept.has(part) || sent.has(part));
      expect({ how, seen }).toEqual({ how, seen: [] });
    }
  });
});
