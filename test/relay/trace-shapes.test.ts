import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AnsweringAgent,
  startAnsweringAgent,
} from '../../packages/conformance/src/relay/answering-agent.ts';
import { SPAN_CHECKS } from '../../packages/conformance/src/relay/span-checks.ts';
import { otlpSink } from '../../packages/conformance/src/relay/span-sink.ts';
import type { ObservedSpan } from '../../packages/conformance/src/relay/trace-query.ts';
import { createTracedAgent, type TracedAgent } from '../../packages/conformance/src/relay/traced-agent.ts';
import {
  answerByText,
  type Outcome,
  playWorkedExample,
} from '../../packages/conformance/src/relay/worked-example.ts';
import { nodeRandom, systemClock } from '../../src/platform/index.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { chunkText, startChunkPeer } from './chunk-peer.ts';
import { startMisbehavingPeer } from './misbehaving-peer.ts';
import { startSdkPeer } from './sdk-peer.ts';

const CHUNKS = 300;

let free: TestServer;
let star: TestServer;
let starData: string;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  free = await startTestServer();
  starData = await mkdtemp(join(tmpdir(), 'baton-star-'));
  await writeFile(join(starData, 'relay.json'), JSON.stringify({ OTEL_A2A_RELAY_STAR_ENFORCE: 'yes' }));
  star = await startTestServer({ dataDir: starData });
  const [echo03, echo10, bad] = [
    await startSdkPeer('0.3'),
    await startSdkPeer('1.0'),
    await startMisbehavingPeer(),
  ];
  const long = await startChunkPeer(CHUNKS);
  closing.push(echo03.close, echo10.close, bad.close, long.close);
  await register(free, 'long', long.url, { version: '0.3' });
  await register(free, 'echo', echo03.url);
  await register(free, 'echo-new', echo10.url);
  await register(free, 'bad', bad.url);
  await register(free, 'hasty', bad.url, { timeout_seconds: 1 });
  for (const [id, role] of [
    ['lead', 'orchestrator'],
    ['left', 'worker'],
    ['right', 'worker'],
  ] as const) {
    await register(star, id, echo03.url, { role });
  }
});
afterAll(async () => {
  await free.close();
  await star.close();
  for (const close of closing) await close();
  await rm(starData, { recursive: true, force: true });
});

const register = (server: TestServer, id: string, url: string, more: object = {}) =>
  server.client.call('relay.peer.register', { id, url, ...more } as never);

/** Agents come with a key of their own, so that what they declare and what they can prove agree. */
async function agent(server: TestServer, id: string, role = 'worker'): Promise<TracedAgent> {
  const { token } = await server.client.call('keys.create', {
    actor_id: id,
    actor_type: 'agent',
    scopes: ['relay:send', 'trace:write'],
  });
  return createTracedAgent({
    id,
    role,
    addressOf: (to) => `${server.url}/a2a/${to}`,
    headers: { 'x-baton-key': token ?? '' },
    sink: otlpSink(server.url, { authorization: `Bearer ${token}` }),
    clock: systemClock,
    random: nodeRandom,
  });
}

async function answering(
  server: TestServer,
  id: string,
  work: Parameters<typeof startAnsweringAgent>[1],
): Promise<AnsweringAgent> {
  const started = await startAnsweringAgent(await agent(server, id), work);
  closing.push(started.close);
  await register(server, id, started.url);
  return started;
}

async function spansOf(server: TestServer, sessionId: string): Promise<ObservedSpan[]> {
  return (await server.client.call('relay.spans', { session_id: sessionId, limit: 1000 })).items;
}

/** Spans are stored a moment after the answer: waited for until the number is the one that the shape has. */
async function capture(server: TestServer, sessionId: string, count: number): Promise<ObservedSpan[]> {
  await expect.poll(async () => (await spansOf(server, sessionId)).length).toBe(count);
  return spansOf(server, sessionId);
}

async function say(
  from: TracedAgent,
  to: string,
  text: string,
  sessionId: string,
  method?: 'message/stream',
) {
  const said = await from.send({ to, text, sessionId, ...(method && { method }) });
  const body = await said.response.text();
  await said.end({});
  return body;
}

const names = (spans: readonly ObservedSpan[]) => spans.map(({ name }) => name).sort();
const traces = (spans: readonly ObservedSpan[]) => new Set(spans.map(({ trace_id }) => trace_id)).size;
const taskOf = (spans: readonly ObservedSpan[]) =>
  spans.find(({ name, attributes }) => name === 'a2a.task' && attributes['agent.id'] === 'relay');
const edges = (spans: readonly ObservedSpan[]) =>
  new Set(
    spans
      .filter(({ attributes }) => attributes['graph.node.parent_id'])
      .map(({ attributes }) => `${attributes['graph.node.parent_id']} → ${attributes['graph.node.id']}`),
  );

function expectSound(spans: readonly ObservedSpan[]): void {
  const wrong = Object.entries(SPAN_CHECKS).flatMap(([check, run]) =>
    run(spans).map((problem) => `${check}: ${problem}`),
  );
  expect(wrong).toEqual([]);
}

/** Drives one shape of exchange and answers the spans of each session in it, after what is special to it was looked at. */
type Shape = () => Promise<readonly (readonly ObservedSpan[])[]>;

function workedExample(outcome: Outcome, spanCount: number, bursts: number): Shape {
  return async () => {
    const session = `worked-${outcome}`;
    await answering(free, `b-${outcome}`, answerByText);
    const a = await agent(free, `a-${outcome}`, 'orchestrator');
    await playWorkedExample(a, `b-${outcome}`, session, outcome, async () => {
      await expect.poll(async () => taskOf(await spansOf(free, session))).toBeDefined();
    });
    const spans = await capture(free, session, spanCount);
    expect(traces(spans)).toBe(bursts);
    expect(taskOf(spans)).toMatchObject({
      parent_span_id: null,
      status: outcome === 'completed' ? 'ok' : 'error',
      attributes: { 'o2r.task.state': outcome },
    });
    const forward = spans.find(
      (span) => span.parent_span_id === taskOf(spans)?.span_id && span.name === 'a2a.relay.forward',
    );
    const own = spans.find(
      ({ attributes, name }) => name === 'a2a.task' && attributes['agent.id'] === `b-${outcome}`,
    );
    expect(own?.parent_span_id).toBe(forward?.span_id);
    expect(names(spans)).toContain('a2a.client.recv');
    expect(edges(spans)).toContain(`a-${outcome} → relay`);
    return [spans];
  };
}

const SHAPES: Readonly<Record<string, Shape>> = {
  'worked example, completed': workedExample('completed', 9, 3),
  'worked example, failed': workedExample('failed', 9, 3),
  'worked example, canceled': workedExample('canceled', 11, 4),

  'single sync': async () => {
    await say(await agent(free, 'single'), 'echo-new', 'hello', 'single-sync');
    const spans = await capture(free, 'single-sync', 5);
    expect(traces(spans)).toBe(1);
    expect(names(spans)).toEqual([
      'a2a.client.send',
      'a2a.message.send',
      'a2a.message.send',
      'a2a.relay.forward',
      'a2a.task',
    ]);
    return [spans];
  },

  'long stream': async () => {
    await say(await agent(free, 'listener'), 'long', 'go on', 'long-stream', 'message/stream');
    const spans = await capture(free, 'long-stream', 5);
    const task = taskOf(spans);
    const pieces = task?.events.filter(({ name }) => name === 'a2a.message.stream_chunk') ?? [];
    expect(task?.attributes['o2r.stream.chunks']).toBe(CHUNKS);
    expect(pieces.length).toBeLessThanOrEqual(64);
    expect(pieces.map(({ attributes }) => attributes.text).join('')).toBe(chunkText(CHUNKS));
    expect(task?.events.filter(({ name }) => name === 'o2r.task.state_change')).toHaveLength(2);
    return [spans];
  },

  'topology reject': async () => {
    const body = await say(await agent(star, 'left'), 'right', 'psst', 'reject');
    expect(JSON.parse(body).error.code).toBe(-32010);
    const spans = await capture(star, 'reject', 3);
    expect(spans.find(({ name }) => name === 'a2a.relay.reject')).toMatchObject({
      status: 'error',
      attributes: { 'o2r.relay.mode': 'reject', 'o2r.relay.failure_class': 'topology_violation' },
    });
    return [spans];
  },

  'peer 404': () => failing('json-404', 'peer_404'),
  'peer timeout': () => failing('slow', 'timeout', 'hasty'),

  'multi-session': async () => {
    const a = await agent(free, 'busy');
    await Promise.all(['one', 'two'].map((name) => say(a, 'echo', name, `session-${name}`)));
    const [one, two] = [await capture(free, 'session-one', 5), await capture(free, 'session-two', 5)];
    const shared = new Set(one.map(({ trace_id }) => trace_id));
    expect(two.some(({ trace_id }) => shared.has(trace_id))).toBe(false);
    return [one, two];
  },

  hub: async () => {
    const lead = await agent(free, 'hub', 'orchestrator');
    for (const to of ['echo', 'echo-new', 'echo']) await say(lead, to, 'your turn', 'hub');
    const spans = await capture(free, 'hub', 15);
    expect(edges(spans)).toEqual(new Set(['hub → relay', 'relay → echo', 'relay → echo-new']));
    return [spans];
  },

  '3-hop chain': async () => {
    await answering(free, 'third', async ({ text }) => ({ state: 'completed', text: `${text}!` }));
    await passingOn('second', 'third');
    await passingOn('first', 'second');
    await say(await agent(free, 'origin'), 'first', 'pass it on', 'chain');
    const spans = await capture(free, 'chain', 18);
    expect(traces(spans)).toBe(1);
    expect(spans.filter(({ parent_span_id }) => parent_span_id === null)).toHaveLength(1);
    for (const [from, to] of [
      ['origin', 'first'],
      ['first', 'second'],
      ['second', 'third'],
    ])
      expect(edges(spans)).toContain(`${from} → ${to}`);
    return [spans];
  },

  'concurrent workers': async () => {
    const lead = await agent(free, 'foreman', 'orchestrator');
    const root = lead.newTrace();
    await Promise.all(
      ['echo', 'echo-new', 'echo', 'echo-new'].map(async (to, at) => {
        const said = await lead.send({ to, text: `part ${at}`, sessionId: 'concurrent', within: root });
        await said.response.text();
        await said.end({});
      }),
    );
    const spans = await capture(free, 'concurrent', 20);
    expect(traces(spans)).toBe(1);
    const forwards = new Set(
      spans.filter(({ name }) => name === 'a2a.relay.forward').map(({ span_id }) => span_id),
    );
    expect(forwards.size).toBe(4);
    return [spans];
  },

  'tool call': async () => {
    const caller = await agent(free, 'toolsmith');
    await answering(free, 'toolsmith', async ({ sessionId, within }) => {
      const [model, tool] = [caller.newSpan(within), caller.newSpan(within)];
      const start = caller.now();
      const used = { start: start + 1, end: caller.now() + 1 };
      const common = { ...caller.attributes(sessionId), 'o2r.task.id': '' };
      await caller.export({
        ...tool,
        name: 'weather',
        kind: 'internal',
        parentSpanId: model.spanId,
        ...used,
        attributes: { ...common, 'openinference.span.kind': 'TOOL', 'tool.name': 'weather' },
      });
      await caller.export({
        ...model,
        name: 'think',
        kind: 'internal',
        parentSpanId: within.spanId,
        start,
        end: caller.now() + 2,
        attributes: {
          ...common,
          'openinference.span.kind': 'LLM',
          'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'weather',
        },
      });
      return { state: 'completed', text: 'Rain.' };
    });
    await say(await agent(free, 'walker'), 'toolsmith', 'weather?', 'tools');
    return [await capture(free, 'tools', 8)];
  },

  'star passthrough': async () => {
    const body = await say(await agent(star, 'lead', 'orchestrator'), 'left', 'go', 'passthrough');
    expect(JSON.parse(body).result.status.state).toBe('completed');
    const spans = await capture(star, 'passthrough', 5);
    expect(taskOf(spans)?.attributes).toMatchObject({
      'o2r.peer.sender_role': 'orchestrator',
      'o2r.peer.target_role': 'worker',
    });
    return [spans];
  },

  'user propagation': async () => {
    await say(await agent(free, 'ann'), 'echo', 'it is me', 'user');
    const spans = await capture(free, 'user', 5);
    expect(new Set(spans.map(({ attributes }) => attributes['user.id']))).toEqual(new Set(['ann']));
    return [spans];
  },
};

async function failing(fault: string, failureClass: string, to = 'bad') {
  await say(await agent(free, `caller-${fault}`), to, fault, `shape-${fault}`);
  const spans = await capture(free, `shape-${fault}`, 4);
  expect(taskOf(spans)).toMatchObject({
    status: 'error',
    attributes: { 'o2r.relay.failure_class': failureClass, 'o2r.task.state': 'failed' },
  });
  return [spans];
}

async function passingOn(id: string, to: string): Promise<void> {
  const speaker = await agent(free, id);
  await answering(free, id, async ({ text, sessionId, within }) => {
    const said = await speaker.send({ to, text, sessionId, within });
    const { result } = (await said.response.json()) as {
      result: { artifacts: { parts: { text: string }[] }[] };
    };
    await said.end({ state: 'completed' });
    return { state: 'completed', text: result.artifacts[0]?.parts[0]?.text ?? '' };
  });
}

describe('the spans of a live exchange hold to all eight assertions', () => {
  it.each(Object.keys(SHAPES))('%s', async (name) => {
    for (const spans of await SHAPES[name]!()) {
      expect(spans.length).toBeGreaterThan(2);
      expectSound(spans);
    }
  });

  it('is true of fifteen shapes', () => {
    expect(Object.keys(SHAPES)).toHaveLength(15);
    expect(Object.keys(SPAN_CHECKS)).toHaveLength(8);
  });
});
