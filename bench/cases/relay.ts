import { createServer } from 'node:http';
import { closeServer, listenOn, sleep, startSdkPeer } from '../../test/relay/sdk-peer.ts';
import { startTestServer } from '../../test/setup/server.ts';
import { type BenchCase, type Fact, quantile } from '../harness.ts';

const SENDS = Number(process.env.BENCH_SENDS ?? 1_000);
const CHUNKS = 5_000;
const PARALLEL = 100;

function message(method: string, text: string): string {
  const parts = [{ kind: 'text', text }];
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { message: { kind: 'message', messageId: 'm', role: 'user', contextId: 'bench', parts } },
  });
}

interface Way {
  readonly url: string;
  readonly headers: Record<string, string>;
}

async function send({ url, headers }: Way, method: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, { method: 'POST', headers, body: message(method, 'hello') });
  if (method === 'message/send') await response.arrayBuffer();
  else {
    const reader = response.body!.getReader();
    await reader.read();
    const first = performance.now() - started;
    while (!(await reader.read()).done);
    return first;
  }
  return performance.now() - started;
}

/** Both ways in turn, so that what the machine does meanwhile hits both. */
async function compared(
  direct: Way,
  relayed: Way,
  method: string,
): Promise<{ direct: number[]; relayed: number[] }> {
  const times = { direct: [] as number[], relayed: [] as number[] };
  for (let i = 0; i < SENDS + 50; i += 1) {
    const [a, b] = [await send(direct, method), await send(relayed, method)];
    if (i >= 50) {
      times.direct.push(a);
      times.relayed.push(b);
    }
  }
  return times;
}

function facts(name: string, times: { direct: number[]; relayed: number[] }, most: number): Fact[] {
  const [direct, relayed] = [quantile(times.direct, 0.5), quantile(times.relayed, 0.5)];
  return [
    { name: `${name}, direct, p50`, value: direct, unit: 'ms' },
    { name: `${name}, through the relay, p50`, value: relayed, unit: 'ms' },
    { name: `${name}, through the relay, p99`, value: quantile(times.relayed, 0.99), unit: 'ms' },
    {
      name: `${name}, relay / direct`,
      value: relayed / direct,
      unit: '×',
      goal: { text: `at most ${most}×`, met: relayed / direct <= most },
    },
  ];
}

/** A peer that answers after a second, or streams thousands of pieces. */
function slowPeer() {
  return createServer(async (request, response) => {
    if (request.method === 'GET') return response.writeHead(404).end();
    let body = '';
    for await (const piece of request) body += piece;
    const { id, method } = JSON.parse(body);
    const frame = (result: object) =>
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    if (method === 'message/send') {
      await sleep(1_000);
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          result: { kind: 'task', id: 't', contextId: 'bench', status: { state: 'completed' } },
        }),
      );
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    frame({ kind: 'task', id: 'chunks', contextId: 'bench-chunks', status: { state: 'submitted' } });
    frame({
      kind: 'status-update',
      taskId: 'chunks',
      contextId: 'bench-chunks',
      status: { state: 'working' },
      final: false,
    });
    for (let i = 0; i < CHUNKS; i += 1) {
      frame({
        kind: 'artifact-update',
        taskId: 'chunks',
        contextId: 'bench-chunks',
        append: i > 0,
        artifact: { artifactId: 'a', parts: [{ kind: 'text', text: `${i} ` }] },
      });
    }
    frame({
      kind: 'status-update',
      taskId: 'chunks',
      contextId: 'bench-chunks',
      status: { state: 'completed' },
      final: true,
    });
    return response.end();
  });
}

export const benchCase: BenchCase = {
  name: 'relay',
  title: 'The relay between a caller and a peer',
  async prepare() {
    const server = await startTestServer();
    const peer = await startSdkPeer('0.3');
    const slow = slowPeer();
    const slowUrl = await listenOn(slow);
    await server.client.call('relay.peer.register', { id: 'echo', url: peer.url });
    await server.client.call('relay.peer.register', { id: 'slow', url: slowUrl, version: '0.3' });
    const headers = { 'content-type': 'application/json', 'x-baton-key': server.ownerToken };
    const direct: Way = { url: peer.url, headers: { 'content-type': 'application/json' } };
    const relayed: Way = { url: `${server.url}/a2a/echo`, headers };
    const found: Fact[] = [
      ...facts('unary', await compared(direct, relayed, 'message/send'), 1.8),
      ...facts('first stream event', await compared(direct, relayed, 'message/stream'), 1.6),
    ];
    const started = performance.now();
    await Promise.all(
      Array.from({ length: PARALLEL }, () =>
        send({ url: `${server.url}/a2a/slow`, headers }, 'message/send'),
      ),
    );
    const took = (performance.now() - started) / 1000;
    found.push({
      name: `${PARALLEL} parallel sends to a one-second peer`,
      value: took,
      unit: 's',
      goal: { text: 'at most 1.5 s', met: took <= 1.5 },
    });
    await sleep(500);
    let before = 0;
    for (let page = -1; page !== before; ) {
      page = before;
      before = (await server.client.call('relay.spans', { session_id: 'bench', limit: 1000, after: before }))
        .next;
    }
    await send({ url: `${server.url}/a2a/slow`, headers }, 'message/stream');
    await sleep(500);
    const { items } = await server.client.call('relay.spans', {
      session_id: 'bench',
      limit: 1000,
      after: before,
    });
    const task = items.find(
      ({ name, attributes }) => name === 'a2a.task' && attributes['o2r.task.id'] === 'chunks',
    );
    const changes = task?.events.filter(({ name }) => name === 'o2r.task.state_change').length ?? 0;
    found.push({
      name: `state changes kept of a ${CHUNKS}-piece stream`,
      value: changes,
      unit: 'of 2',
      goal: { text: 'none lost', met: changes === 2 },
    });
    found.push({ name: 'events of its span', value: task?.events.length ?? 0, unit: '' });
    return {
      facts: found,
      close: async () => {
        await server.close();
        await peer.close();
        await closeServer(slow);
      },
    };
  },
};
