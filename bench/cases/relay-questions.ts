/**
 * Twelve questions that people ask of their agents' traces, answered by the handlers of the API on a million spans.
 * `BATON_BENCH_DATABASE` names a PostgreSQL; `BATON_BENCH_SPANS` another number.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeHasher } from '../../src/platform/index.ts';
import { relayMigrations } from '../../src/slices/relay/migrations.ts';
import { type OtlpSpan, type PlainAttributes, toKeyValues } from '../../src/slices/relay/otlp/model.ts';
import { createSpanHandlers } from '../../src/slices/relay/spans/handlers.ts';
import { ensureOrigin, insertSpans, originOf } from '../../src/slices/relay/spans/store.ts';
import { createSpanFollower } from '../../src/slices/relay/traces/follow-spans.ts';
import { createTraceHandlers } from '../../src/slices/relay/traces/handlers.ts';
import { createUsageHandlers } from '../../src/slices/relay/usage/handlers.ts';
import { identityMigrations } from '../../src/spine/identity/migrations.ts';
import type { Principal } from '../../src/spine/identity/principal.ts';
import type { Database } from '../../src/spine/storage/database.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';
import { type BenchCase, type Fact, quantile } from '../harness.ts';

const SPANS = Number(process.env.BATON_BENCH_SPANS ?? 1_000_000);
const OF_A_TRACE = 8;
const TRACES_OF_A_SESSION = 25;
const DAYS = 30;
const UNIT = 1000;
const ROUNDS = 15;
const MOST_MS = 300;
const PROJECT = 'bench';
const NOW = 1_790_000_000e6;
const origin = originOf(
  { attributes: toKeyValues({ 'service.name': 'bench' }) },
  { name: 'bench' },
  nodeHasher,
);

export const benchCase: BenchCase = {
  name: 'relay-questions',
  title: `Relay: twelve questions on ${SPANS} spans`,
  async prepare() {
    const folder = await mkdtemp(join(tmpdir(), 'baton-questions-'));
    const db = await openDatabase(process.env.BATON_BENCH_DATABASE ?? `sqlite:${join(folder, 'bench.db')}`);
    try {
      await db.migrate([...identityMigrations, ...relayMigrations]);
      const started = performance.now();
      await fill(db);
      const facts: Fact[] = [
        {
          name: 'stored and summed up',
          value: (SPANS * 1000) / (performance.now() - started),
          unit: 'spans/s',
        },
      ];
      for (const [name, ask] of Object.entries(questions(db))) facts.push(await measure(name, ask));
      return { facts };
    } finally {
      await db.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function fill(db: Database): Promise<void> {
  const follower = createSpanFollower(db);
  await db.write((uow) => ensureOrigin(uow, origin));
  for (let first = 0; first < SPANS; first += UNIT) {
    const spans = Array.from({ length: UNIT }, (_, at) => spanOf(first + at));
    await db.write((uow) =>
      insertSpans(
        uow,
        spans.map((span) => ({ projectId: PROJECT, originId: origin.id, span, storedMicros: NOW })),
      ),
    );
    while (await follower.step());
  }
}

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0');
const traceId = (trace: number) =>
  `${hex(trace, 8)}${'b'.repeat(16)}${hex((trace * 2654435761) % 2 ** 32, 8)}`;
const sessionOf = (trace: number) => `session-${Math.floor(trace / TRACES_OF_A_SESSION)}`;

function spanOf(number: number): OtlpSpan {
  const [trace, step] = [Math.floor(number / OF_A_TRACE), number % OF_A_TRACE];
  const begin = BigInt(Math.round(NOW - DAYS * 86_400e6 * (1 - number / SPANS))) * 1000n;
  const millis = 5 + ((number * 7919) % 4000);
  const agent = `agent-${trace % 12}`;
  return {
    traceId: traceId(trace),
    spanId: hex(number + 1, 16),
    ...(step > 0 && { parentSpanId: hex(trace * OF_A_TRACE + 1, 16) }),
    name: step === 0 ? 'a2a.task' : step === 1 ? 'a2a.relay.forward' : step % 2 ? 'chat' : 'execute_tool',
    kind: 1,
    startTimeUnixNano: String(begin + BigInt(step) * 1_000_000n),
    endTimeUnixNano: String(begin + BigInt(step + millis) * 1_000_000n),
    attributes: toKeyValues({ ...attributesOf(number, step, agent), 'agent.id': agent }),
    status: number % 37 === 0 ? { code: 2, message: 'It failed.' } : {},
    ...(step === 0 && trace % 10 !== 0 && { traceState: '' }),
  };
}

function attributesOf(number: number, step: number, agent: string): PlainAttributes {
  const trace = Math.floor(number / OF_A_TRACE);
  const session: PlainAttributes = trace % 10 === 0 ? {} : { 'session.id': sessionOf(trace) };
  if (step === 0)
    return {
      ...session,
      'graph.node.id': 'relay',
      'graph.node.parent_id': agent,
      'o2r.message.text': 'Do it.',
    };
  if (step === 1)
    return { ...session, 'graph.node.id': `agent-${(trace + 1) % 12}`, 'graph.node.parent_id': 'relay' };
  if (step % 2 === 0)
    return { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': `tool-${number % 23}` };
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': `model-${number % 5}`,
    'gen_ai.usage.input_tokens': 1000 + (number % 500),
    'gen_ai.usage.output_tokens': number % 300,
  };
}

function questions(db: Database): Record<string, () => Promise<unknown>> {
  const follower = createSpanFollower(db);
  const clock = { now: () => NOW };
  // biome-ignore lint/suspicious/noExplicitAny: the handlers of three tables, asked by name
  const deps: any = { db, clock, follower, hasher: nodeHasher, ids: () => '', record: async () => undefined };
  const handlers = {
    ...createSpanHandlers(deps),
    ...createTraceHandlers(deps),
    ...createUsageHandlers(deps),
  };
  const principal = {
    defaultProject: PROJECT,
    projects: 'all',
    scopes: new Set(['*']),
  } as unknown as Principal;
  const ask =
    (name: keyof typeof handlers, query: object, path = {}) =>
    async () => {
      const call = { principal, input: { query, path } } as never;
      const handler = handlers[name] as (...args: never[]) => Promise<{ body: unknown }>;
      return (
        OF_READER.has(name) ? await db.read((reader) => handler(reader as never, call)) : await handler(call)
      ).body;
    };
  const middle = Math.floor(SPANS / OF_A_TRACE / 2) + 1;
  const session = { session_id: sessionOf(middle) };
  return {
    'which tool fails most': ask('relay.stats', { by: 'tool', sort: 'errors', from: '2026-08-01T00:00:00Z' }),
    'tokens per agent per day': ask('relay.stats', {
      by: 'agent',
      interval: 'day',
      from: '2026-08-25T00:00:00Z',
    }),
    'what each model cost this week': ask('relay.stats', { by: 'model', sort: 'cost' }),
    'which agent has the highest error rate': ask('relay.stats', { by: 'peer', sort: 'error_rate' }),
    'p95 of one agent by the hour': ask('relay.stats', { by: 'peer', interval: 'hour', peer: 'agent-3' }),
    'the slowest hop of this session': ask('relay.session', session),
    'what was said in this session': ask('relay.conversation', session),
    'the newest traces that failed': ask('relay.traces', { status: 'error' }),
    'traces without a session': ask('relay.traces', { without_session: true }),
    'the newest sessions and their errors': ask('relay.sessions', {}),
    'slow calls of one model': ask('relay.spans', {
      model: 'model-2',
      min_duration_ms: 3500,
      newest: true,
      limit: 50,
    }),
    'who talks to whom, how fast': ask('relay.graph', {}),
  };
}

const OF_READER: ReadonlySet<string> = new Set(['relay.waterfall', 'relay.compare']);

async function measure(name: string, ask: () => Promise<unknown>): Promise<Fact> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    const answer = JSON.stringify(await ask());
    times.push(performance.now() - started);
    if (answer.length < 100) throw new Error(`${name}: nothing was answered`);
  }
  const value = quantile(times, 0.9);
  return { name, value, unit: 'ms (p90)', goal: { text: `at most ${MOST_MS} ms`, met: value <= MOST_MS } };
}
