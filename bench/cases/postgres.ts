import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type PostgresServer, startPostgres } from '../../test/setup/postgres-server.ts';
import { type BenchCase, type Fact, median, quantile } from '../harness.ts';
import { ServerActivity, type Waits } from '../postgres/activity.ts';
import { countingLink } from '../postgres/counting-link.ts';
import { Clients, type Deposits, type Fleet, startFleet } from '../postgres/fleet.ts';

/** `BENCH_PARTS=one,link,fleet,read,frozen`: all by default. */
const PARTS = new Set((process.env.BENCH_PARTS ?? 'one,link,fleet,read,frozen').split(','));
const DEPOSITS = Number(process.env.BENCH_DEPOSITS ?? 4_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const PROJECTS = Array.from({ length: 64 }, (_, nth) => `project-${nth}`);
const LINK_DELAY_MS = 5;

interface Measured {
  readonly rate: number;
  readonly cpuPerThousand: number;
  readonly databaseCpuPerThousand: number;
}

class Bench {
  readonly clients = new Clients();
  readonly #postgres: PostgresServer;
  readonly activity: ServerActivity;
  #databases = 0;

  private constructor(postgres: PostgresServer, activity: ServerActivity) {
    this.#postgres = postgres;
    this.activity = activity;
  }

  static async start(): Promise<Bench> {
    // The bundle of a case lies as deep in the checkout as its source.
    const here = dirname(fileURLToPath(import.meta.url));
    const postgres = await startPostgres({
      fsync: true,
      script: join(here, '..', '..', 'test', 'setup', 'postgres-child.mjs'),
    });
    return new Bench(postgres, await ServerActivity.of(postgres.url));
  }

  /** The address of a database of its own. */
  async database(): Promise<string> {
    this.#databases += 1;
    const name = `bench_${this.#databases}`;
    const client = new pg.Client(this.#postgres.url);
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    const url = new URL(this.#postgres.url);
    url.pathname = `/${name}`;
    return url.href;
  }

  async measure(fleet: Fleet, deposits: Deposits, onPostgres: boolean): Promise<Measured> {
    const [serverBefore, databaseBefore] = [await fleet.cpu(), await this.activity.cpu()];
    const started = performance.now();
    await this.clients.deposit(fleet, deposits);
    const seconds = (performance.now() - started) / 1000;
    const database = (await this.activity.cpu()) - databaseBefore;
    const server = (await fleet.cpu()) - serverBefore;
    const perThousand = (cpu: number) => (cpu / deposits.count) * 1000;
    return {
      rate: deposits.count / seconds,
      cpuPerThousand: perThousand(server + (onPostgres ? database : 0)),
      databaseCpuPerThousand: perThousand(database),
    };
  }

  /** Apart from what is measured: to look costs the server as well. */
  waits(fleet: Fleet, deposits: Deposits): Promise<Waits> {
    return this.activity.waitsDuring(this.clients.deposit(fleet, deposits));
  }

  async close(): Promise<void> {
    this.clients.close();
    await this.activity.close();
    await this.#postgres.stop();
  }
}

const ratio = (name: string, value: number, text: string, met: boolean): Fact => ({
  name,
  value,
  unit: 'times',
  goal: { text, met },
});

function waitFacts(name: string, waits: Waits): Fact[] {
  return waits.byEvent.slice(0, 5).map(([event, samples]) => ({
    name: `${name}: connections in a transaction seen at ${event}`,
    value: (100 * samples) / waits.samples,
    unit: '% of samples',
  }));
}

/** One project, 64 clients, one process, on each engine in turn. */
async function oneProject(bench: Bench): Promise<{ facts: Fact[]; sqliteRate: number }> {
  const sqlite = await startFleet(1);
  const postgres = await startFleet(1, await bench.database());
  const seen: { sqlite: Measured[]; postgres: Measured[] } = { sqlite: [], postgres: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const deposits = { count: DEPOSITS };
    const onSqlite = await bench.measure(sqlite, deposits, false);
    const onPostgres = await bench.measure(postgres, deposits, true);
    // The first is for warming up.
    if (round === 0) continue;
    seen.sqlite.push(onSqlite);
    seen.postgres.push(onPostgres);
  }
  const waits = await bench.waits(postgres, { count: DEPOSITS });
  await sqlite.close();
  await postgres.close();
  const sides = seen.sqlite.map((onSqlite, round) => [onSqlite, seen.postgres[round] as Measured] as const);
  const rates = median(sides.map(([onSqlite, onPostgres]) => onPostgres.rate / onSqlite.rate));
  const cpu = median(
    sides.map(([onSqlite, onPostgres]) => onPostgres.cpuPerThousand / onSqlite.cpuPerThousand),
  );
  const of = (side: 'sqlite' | 'postgres', figure: (measured: Measured) => number) =>
    median(seen[side].map(figure));
  const sqliteRate = of('sqlite', ({ rate }) => rate);
  return {
    sqliteRate,
    facts: [
      { name: 'SQLite, 64 clients', value: sqliteRate, unit: 'deposits/s' },
      { name: 'PostgreSQL, 64 clients', value: of('postgres', ({ rate }) => rate), unit: 'deposits/s' },
      ratio('PostgreSQL by SQLite, deposits/s', rates, 'at least 0.5', rates >= 0.5),
      {
        name: 'SQLite, processor',
        value: of('sqlite', (m) => m.cpuPerThousand),
        unit: 's for 1,000 deposits',
      },
      {
        name: 'PostgreSQL, processor of both processes',
        value: of('postgres', (m) => m.cpuPerThousand),
        unit: 's for 1,000 deposits',
      },
      {
        name: 'PostgreSQL, processor of the database alone',
        value: of('postgres', (m) => m.databaseCpuPerThousand),
        unit: 's for 1,000 deposits',
      },
      ratio('PostgreSQL by SQLite, processor', cpu, 'at most 2.5', cpu <= 2.5),
      ...waitFacts('one process', waits),
    ],
  };
}

/** What passes between server and database, and what it costs when that is far. */
async function overLink(bench: Bench, sqliteRate: number): Promise<Fact[]> {
  const link = await countingLink(await bench.database());
  const fleet = await startFleet(1, link.url);
  await bench.clients.deposit(fleet, { count: DEPOSITS / 2 });
  const before = link.counts();
  await bench.clients.deposit(fleet, { count: DEPOSITS });
  const after = link.counts();
  link.delayMs = LINK_DELAY_MS;
  const started = performance.now();
  await bench.clients.deposit(fleet, { count: DEPOSITS });
  const rate = DEPOSITS / ((performance.now() - started) / 1000);
  link.delayMs = 0;
  await fleet.close();
  link.close();
  const trips = (after.roundTrips - before.roundTrips) / DEPOSITS;
  return [
    { name: 'statements', value: (after.statements - before.statements) / DEPOSITS, unit: 'for a deposit' },
    {
      name: 'round trips',
      value: trips,
      unit: 'for a deposit',
      goal: { text: 'at most 3', met: trips <= 3 },
    },
    { name: `PostgreSQL, ${LINK_DELAY_MS} ms away`, value: rate, unit: 'deposits/s' },
    ratio(
      `PostgreSQL, ${LINK_DELAY_MS} ms away, by SQLite`,
      rate / sqliteRate,
      'at least 0.2',
      rate / sqliteRate >= 0.2,
    ),
  ];
}

/** 64 projects, by one process and by three. */
async function threeProcesses(bench: Bench): Promise<Fact[]> {
  const seen: Measured[][] = [];
  const waits: Waits[] = [];
  for (const processes of [1, 3]) {
    const fleet = await startFleet(processes, await bench.database());
    const deposits = { count: DEPOSITS, projects: PROJECTS };
    await bench.clients.deposit(fleet, deposits);
    const measured: Measured[] = [];
    for (let round = 0; round < ROUNDS; round += 1) measured.push(await bench.measure(fleet, deposits, true));
    seen.push(measured);
    waits.push(await bench.waits(fleet, deposits));
    await fleet.close();
  }
  const [one = [], three = []] = seen;
  const cpu = (of: readonly Measured[]) => median(of.map((m) => m.databaseCpuPerThousand));
  const rate = (of: readonly Measured[]) => median(of.map((m) => m.rate));
  const ofThree = waits[1] as Waits;
  const { onLocks } = ofThree;
  const times = cpu(three) / cpu(one);
  return [
    { name: 'one process, 64 projects', value: rate(one), unit: 'deposits/s' },
    { name: 'three processes, 64 projects', value: rate(three), unit: 'deposits/s' },
    { name: 'one process, processor of the database', value: cpu(one), unit: 's for 1,000 deposits' },
    { name: 'three processes, processor of the database', value: cpu(three), unit: 's for 1,000 deposits' },
    ratio('three by one, processor of the database', times, 'at most 1.2', times <= 1.2),
    {
      name: 'three processes, connections that wait for locks',
      value: 100 * onLocks,
      unit: '% of samples',
      goal: { text: 'at most 5 %', met: onLocks <= 0.05 },
    },
    ...waitFacts('three processes', ofThree),
  ];
}

async function readTimes({ urls, token }: Fleet, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const started = performance.now();
    const response = await fetch(`${urls[0]}/v1/projects/quiet/packages?limit=5`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`a read answered ${response.status}`);
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return times;
}

/** A read in another project beside 64 writers. */
async function readBeside(bench: Bench): Promise<Fact[]> {
  const fleet = await startFleet(1, await bench.database());
  await bench.clients.deposit(fleet, { count: 200, projects: ['quiet'] });
  await bench.clients.deposit(fleet, { count: DEPOSITS });
  const idle = quantile(await readTimes(fleet, 200), 0.95);
  let writing = true;
  const writers = bench.clients.deposit(fleet, { count: DEPOSITS * 2 }).finally(() => {
    writing = false;
  });
  const beside: number[] = [];
  while (writing) beside.push(...(await readTimes(fleet, 10)));
  await writers;
  await fleet.close();
  const busy = quantile(beside, 0.95);
  return [
    { name: 'read in another project, idle, p95', value: idle, unit: 'ms' },
    { name: 'read in another project beside 64 writers, p95', value: busy, unit: 'ms' },
    ratio('beside by idle', busy / idle, 'at most 5', busy / idle <= 5),
  ];
}

const FROZEN_MS = 12_000;

/** One of three processes stops in the middle of its work, and the others go on. */
async function frozenProcess(bench: Bench): Promise<Fact[]> {
  const fleet = await startFleet(3, await bench.database());
  const [frozen, ...others] = fleet.urls;
  const [pid = 0] = fleet.pids;
  await bench.clients.deposit(fleet, { count: DEPOSITS / 2 });
  const victims = new Clients();
  // Their process stops with requests under way, which are answered when it goes on.
  const held = victims.deposit(fleet, { count: DEPOSITS, urls: [frozen as string] });
  await new Promise((resolve) => setTimeout(resolve, 300));
  process.kill(pid, 'SIGSTOP');
  const until = performance.now() + FROZEN_MS;
  let slowest = 0;
  try {
    while (performance.now() < until) {
      const { slowestMs } = await bench.clients.deposit(fleet, { count: 500, urls: others });
      slowest = Math.max(slowest, slowestMs);
    }
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await held;
  victims.close();
  await fleet.close();
  return [
    {
      name: 'one of three processes frozen, the slowest deposit of the others',
      value: slowest / 1000,
      unit: 's',
      goal: { text: 'at most 5 s', met: slowest <= 5_000 },
    },
  ];
}

export const benchCase: BenchCase = {
  name: 'postgres',
  title: 'PostgreSQL beside SQLite',
  async prepare() {
    const bench = await Bench.start();
    const facts: Fact[] = [];
    try {
      const one = PARTS.has('one') ? await oneProject(bench) : undefined;
      facts.push(...(one?.facts ?? []));
      if (PARTS.has('link')) facts.push(...(await overLink(bench, one?.sqliteRate ?? Number.NaN)));
      if (PARTS.has('fleet')) facts.push(...(await threeProcesses(bench)));
      if (PARTS.has('read')) facts.push(...(await readBeside(bench)));
      if (PARTS.has('frozen')) facts.push(...(await frozenProcess(bench)));
    } finally {
      await bench.close();
    }
    return { facts };
  },
};
