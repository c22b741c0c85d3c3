import { fileURLToPath } from 'node:url';
import { createClient } from '../../packages/client/src/client.ts';
import { actionOf, manifestOf } from '../../src/slices/governance/testing/manifest.ts';
import { type BenchCase, type Fact, quantile } from '../harness.ts';
import { CHUNKS, playRole, type Running, startRole } from '../relay/processes.ts';

const SENDS = Number(process.env.BENCH_SENDS ?? 1_000);
/** A relay runs for days: what counts is how long a message takes once the engine has compiled its way. */
const WARM_UP = 1_000;
const PARALLEL = 100;
/** Of each way, for each number of clients at a time: in rounds, so that what the machine does meanwhile hits all. */
const ROUNDS = 10;
const AT_A_TIME = [1, 16, 64];
/** Of a round, for each client. */
const SENDS_OF_ROUND = { 1: 200, 16: 40, 64: 12 } as Readonly<Record<number, number>>;

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
  for (let i = 0; i < SENDS + WARM_UP; i += 1) {
    const [a, b] = [await send(direct, method), await send(relayed, method)];
    if (i >= WARM_UP) {
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
    { name: `${name}, direct, p99`, value: quantile(times.direct, 0.99), unit: 'ms' },
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

interface Measured {
  readonly times: number[];
  cpuMs: number;
}

interface Contender {
  readonly way: Way;
  /** The process in between, if there is one. */
  readonly between: Running | undefined;
}

/** Each way in turn, by so many clients at a time. */
async function underLoad(
  contenders: Readonly<Record<string, Contender>>,
  clients: number,
): Promise<Readonly<Record<string, Measured>>> {
  const sends = SENDS_OF_ROUND[clients] ?? 10;
  const measured: Record<string, Measured> = {};
  for (const name of Object.keys(contenders)) measured[name] = { times: [], cpuMs: 0 };
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const [name, { way, between }] of Object.entries(contenders)) {
      const before = (await between?.cpu()) ?? 0;
      const times: number[] = [];
      const client = async () => {
        for (let n = 0; n < sends; n += 1) times.push(await send(way, 'message/send'));
      };
      await Promise.all(Array.from({ length: clients }, client));
      // What is left to be stored is part of the price.
      await new Promise((resolve) => setTimeout(resolve, between ? 300 : 0));
      const own = measured[name];
      if (round < 0 || !own) continue;
      own.times.push(...times);
      own.cpuMs += ((await between?.cpu()) ?? 0) - before;
    }
  }
  return measured;
}

function loadFacts(clients: number, measured: Readonly<Record<string, Measured>>): Fact[] {
  const of = (name: string, q: number) => quantile(measured[name]?.times ?? [], q);
  const cpu = (name: string) => (measured[name]?.cpuMs ?? 0) / (measured[name]?.times.length ?? 1);
  const at = (what: string) => `${clients} at a time, ${what}`;
  const most = (name: string, value: number, limit: number): Fact => ({
    ...{ name: at(name), value, unit: '×' },
    goal: { text: `at most ${limit}×`, met: value <= limit },
  });
  const [against, limit] = clients === 1 ? (['direct', 1.8] as const) : (['http-proxy', 1.5] as const);
  return [
    ...Object.keys(measured).flatMap((name) => [
      { name: at(`${name}, p50`), value: of(name, 0.5), unit: 'ms' },
      { name: at(`${name}, p99`), value: of(name, 0.99), unit: 'ms' },
    ]),
    ...['http-proxy', 'relay', 'governed'].map((name) => ({
      ...{ name: at(`${name}, processor time a request`), value: cpu(name), unit: 'ms' },
    })),
    most(`p50, relay / ${against}`, of('relay', 0.5) / of(against, 0.5), limit),
    most('processor time, relay / http-proxy', cpu('relay') / cpu('http-proxy'), 2.5),
    ...(clients === 16 ? [most('p99, relay / direct', of('relay', 0.99) / of('direct', 0.99), 2)] : []),
    most('p50, governed / relay', of('governed', 0.5) / of('relay', 0.5), 1.5),
  ];
}

async function parallelSends(way: Way): Promise<Fact> {
  const started = performance.now();
  await Promise.all(Array.from({ length: PARALLEL }, () => send(way, 'message/send')));
  const took = (performance.now() - started) / 1000;
  return {
    name: `${PARALLEL} parallel sends to a one-second peer`,
    value: took,
    unit: 's',
    goal: { text: 'at most 1.5 s', met: took <= 1.5 },
  };
}

async function longStream(way: Way, client: ReturnType<typeof createClient>): Promise<Fact[]> {
  let before = 0;
  for (let page = -1; page !== before; ) {
    page = before;
    before = (await client.call('relay.spans', { session_id: 'bench', limit: 1000, after: before })).next;
  }
  await send(way, 'message/stream');
  let task: { events: { name: string }[] } | undefined;
  for (const until = performance.now() + 5_000; !task && performance.now() < until; ) {
    const asked = { session_id: 'bench', limit: 1000, after: before };
    task = (await client.call('relay.spans', asked)).items.find(
      ({ name, attributes }) => name === 'a2a.task' && attributes['o2r.task.id'] === 'chunks',
    );
  }
  const changes = task?.events.filter(({ name }) => name === 'o2r.task.state_change').length ?? 0;
  return [
    {
      name: `state changes kept of a ${CHUNKS}-piece stream`,
      value: changes,
      unit: 'of 2',
      goal: { text: 'none lost', met: changes === 2 },
    },
    { name: 'events of its span', value: task?.events.length ?? 0, unit: '' },
  ];
}

export const benchCase: BenchCase = {
  name: 'relay',
  title: 'The relay between a caller and a peer',
  async prepare() {
    const bundle = fileURLToPath(import.meta.url);
    const server = await startRole(bundle, 'server');
    const echo = await startRole(bundle, 'echo');
    const slow = await startRole(bundle, 'slow');
    const client = createClient({ url: server.url, token: server.ownerToken ?? '' });
    await client.call('relay.peer.register', { id: 'echo', url: echo.url });
    const proxy = await startRole(bundle, 'proxy', { target: echo.url });
    await client.call('atlas.load', {
      manifest: manifestOf({
        actions: [actionOf('peer.ask')],
        policies: [{ policy_id: 'ask', type: 'allow', actions: ['peer.ask'] }],
      }),
    });
    await client.call('relay.peer.register', { id: 'governed', url: echo.url, governed_action: 'peer.ask' });
    await client.call('relay.peer.register', { id: 'slow', url: slow.url, version: '0.3' });
    const json = { 'content-type': 'application/json' };
    const headers = { ...json, 'x-baton-key': server.ownerToken ?? '' };
    const direct: Way = { url: echo.url, headers: json };
    const relayed: Way = { url: `${server.url}/a2a/echo`, headers };
    const contenders: Readonly<Record<string, Contender>> = {
      direct: { way: direct, between: undefined },
      'http-proxy': { way: { url: proxy.url, headers: json }, between: proxy },
      relay: { way: relayed, between: server },
      governed: { way: { url: `${server.url}/a2a/governed`, headers }, between: server },
    };
    const load: Fact[] = [];
    for (const clients of AT_A_TIME) load.push(...loadFacts(clients, await underLoad(contenders, clients)));
    const slowly: Way = { url: `${server.url}/a2a/slow`, headers };
    return {
      facts: [
        ...load,
        ...facts('unary', await compared(direct, relayed, 'message/send'), 1.8),
        ...facts('first stream event', await compared(direct, relayed, 'message/stream'), 1.6),
        await parallelSends(slowly),
        ...(await longStream(slowly, client)),
      ],
      close: async () => {
        for (const one of [server, proxy, echo, slow]) await one.stop();
      },
    };
  },
};

await playRole();
