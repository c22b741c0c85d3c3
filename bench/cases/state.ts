import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, openApp } from '../../src/app/compose.ts';
import { derivedTables } from '../../src/app/derived-tables.ts';
import { migrations } from '../../src/app/migrations.ts';
import { readSettings } from '../../src/app/settings.ts';
import { tables } from '../../src/app/tables.ts';
import { readDocument } from '../../src/kernel/json/reader.ts';
import { verifyStore } from '../../src/spine/journal/verify/verify-in-thread.ts';
import { packageTexts } from '../context/package-text.mjs';
import { type BenchCase, type Comparison, type Fact, median } from '../harness.ts';
import { manifestFor, SMALL_ACTIONS, SMALL_POLICIES } from '../policy/worlds.ts';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const DOCUMENTS = Number(process.env.BENCH_DOCUMENTS ?? 20_480);
const BATCH = 64;
/** Short rounds, and many: on a busy machine, sides that take turns quickly meet the same moments. */
const ROUND = 640;
const ROUNDS = 24;
const POSTGRES_ROUND = 256;
/** On PostgreSQL units of one session wait for each other. */
const SESSIONS = 32;
/** Rows, and events, of a unit that fills the store to be verified. */
const FILLED_AT_ONCE = 250;

const owner = {
  actor: { id: 'bench', type: 'agent' as const },
  scopes: new Set(['*']),
  projects: 'all' as const,
  defaultProject: 'default',
  credential: { kind: 'owner' as const, id: 'bench' },
  present: false,
  owner: true,
  speaksFor: ['*'],
};

const packageText = packageTexts('bench');

interface Store {
  readonly app: App;
  call(name: string, path: Readonly<Record<string, string>>, body: string): Promise<string>;
}

async function openStore(folder: string, databaseUrl?: string): Promise<Store> {
  const app = await openApp(
    readSettings({ BATON_DATA: folder, ...(databaseUrl && { BATON_DATABASE_URL: databaseUrl }) }),
  );
  return {
    app,
    async call(name, path, body) {
      const bound = app.registry.get(name);
      if (!bound) throw new Error(`there is no ${name}`);
      const { body: answer } = (await app.dispatcher.call(bound, {
        principal: owner,
        parts: { path, query: {}, headers: {}, document: readDocument(body) },
        requestId: 'bench',
        signal: new AbortController().signal,
      })) as { body: string };
      return answer;
    },
  };
}

async function inBatches(round: number, work: () => Promise<unknown>): Promise<number> {
  for (let done = 0; done < round; done += BATCH) await Promise.all(Array.from({ length: BATCH }, work));
  return round;
}

const ATLAS = JSON.stringify(manifestFor(SMALL_ACTIONS, SMALL_POLICIES));

async function resolving(store: Store): Promise<() => Promise<unknown>> {
  await store.call('atlas.load', {}, ATLAS);
  const sessions: string[] = [];
  for (let at = 0; at < SESSIONS; at += 1) {
    const started = await store.call(
      'carp.session.start',
      {},
      JSON.stringify({ agent_id: 'bench', goal: 'Measure.' }),
    );
    sessions.push((JSON.parse(started) as { session_id: string }).session_id);
  }
  let asked = 0;
  return () => {
    asked += 1;
    const session_id = sessions[asked % SESSIONS];
    return store.call(
      'carp.resolve',
      {},
      JSON.stringify({
        carp_version: '1.0',
        request_id: `00000000-0000-4000-8000-${String(asked).padStart(12, '0')}`,
        timestamp: new Date().toISOString(),
        operation: 'resolve',
        requester: { agent_id: 'bench', session_id },
        task: { goal: `Measure ${asked}.` },
      }),
    );
  };
}

/** A journal of many events, each about a row. */
async function fill({ app }: Store): Promise<void> {
  const { sessionId } = await app.db.write((uow) =>
    app.identity.standingSession(uow, 'default', owner.actor),
  );
  for (let at = 0; at < EVENTS; at += FILLED_AT_ONCE) {
    await app.db.write(async (uow) => {
      for (let n = at; n < at + FILLED_AT_ONCE; n += 1) {
        await uow.run(
          `insert into facts (project_id, fact_id, key_hash, subject, predicate, value, wire, valid_from, from_us, created_us)
           values ('default', ?, ?, 'service', 'has figure', ?, ?, '2026-01-01T00:00:00Z', ?, ?)`,
          [`fact_${n}`, `key_${n}`, `"value ${n}"`, `{"subject":"service","value":"value ${n}"}`, n, n],
        );
        await app.journal.append(uow, {
          chain: { sessionId, kind: 'ledger' },
          type: 'fact.asserted',
          payload: { fact_id: `fact_${n}`, subject: 'service' },
        });
      }
    });
  }
}

async function verification(store: Store): Promise<Fact[]> {
  await fill(store);
  const { db, tree, settings, payloadKeys } = store.app;
  await tree.checkpoint();
  const taken = { events: [] as number[], all: [] as number[] };
  for (let round = 0; round < 3; round += 1) {
    for (const part of ['events', 'all'] as const) {
      const began = performance.now();
      const report = await verifyStore({
        db,
        databaseUrl: settings.databaseUrl,
        declarations: tables,
        migrations,
        trustedKeys: tree.signer.trustedKeys,
        payloadKeys,
        eventsOnly: part === 'events',
      });
      if (!report.valid) throw new Error(JSON.stringify(report.faults.slice(0, 3)));
      taken[part].push((performance.now() - began) / 1000);
    }
  }
  const ratio = median(taken.all) / median(taken.events);
  return [
    {
      name: `events alone, ${EVENTS.toLocaleString('en')} and their records`,
      value: median(taken.events),
      unit: 's',
    },
    { name: 'events and state', value: median(taken.all), unit: 's' },
    {
      name: 'ratio',
      value: ratio,
      unit: 'times',
      goal: { text: 'at most 3 times the events alone', met: ratio <= 3 },
    },
  ];
}

/** What making the search index again adds, of packages that were deposited as anybody deposits them. */
async function derivation(store: Store): Promise<Fact[]> {
  for (let done = 0; done < DOCUMENTS; done += ROUND) {
    await inBatches(ROUND, () =>
      store.call('packages.deposit', { project_id: 'default' }, packageText('default')),
    );
  }
  const { db, tree, settings, payloadKeys } = store.app;
  await tree.checkpoint();
  const taken = { without: [] as number[], with: [] as number[] };
  for (let round = 0; round < 3; round += 1) {
    for (const part of ['without', 'with'] as const) {
      const began = performance.now();
      const report = await verifyStore({
        db,
        databaseUrl: settings.databaseUrl,
        declarations: tables,
        derived: derivedTables,
        migrations,
        trustedKeys: tree.signer.trustedKeys,
        payloadKeys,
        withoutDerived: part === 'without',
      });
      if (!report.valid) throw new Error(JSON.stringify(report.faults.slice(0, 3)));
      taken[part].push((performance.now() - began) / 1000);
    }
  }
  const [bare, all] = [median(taken.without), median(taken.with)];
  return [
    { name: `events and state of ${DOCUMENTS.toLocaleString('en')} packages`, value: bare, unit: 's' },
    { name: 'and the search index made again', value: all, unit: 's' },
    { name: 'the search index alone, per package', value: ((all - bare) / DOCUMENTS) * 1000, unit: 'ms' },
  ];
}

interface Pair {
  readonly recorded: Store;
  readonly bare: Store;
}

/** The same store twice, of which one records nothing. */
async function openPair(root: string, urlOf: (side: string) => string | undefined): Promise<Pair> {
  const recorded = await openStore(join(root, 'recorded'), urlOf('recorded'));
  const bare = await openStore(join(root, 'bare'), urlOf('bare'));
  bare.app.db.watch({ tables: new Map(), record: async () => {} });
  return { recorded, bare };
}

const keepsNineTenths = {
  text: 'at least 0.9 times the rate without records, in the median round',
  met: (_: unknown, kept: Readonly<Record<string, number>>) => kept['not recorded']! >= 0.9,
};

async function comparisonsOf({ recorded, bare }: Pair, engine: string, round: number): Promise<Comparison[]> {
  const deposit = (store: Store) => () =>
    inBatches(round, () => store.call('packages.deposit', { project_id: 'default' }, packageText('default')));
  const resolve = async (store: Store) => {
    const once = await resolving(store);
    return () => inBatches(round, once);
  };
  return [
    {
      title: `Durable deposits, ${BATCH} at a time, ${engine}`,
      unit: 'packages',
      rounds: ROUNDS,
      sides: { recorded: deposit(recorded), 'not recorded': deposit(bare) },
      goals: [keepsNineTenths],
    },
    {
      title: `Durable resolves with their trace, ${BATCH} at a time, ${engine}`,
      unit: 'resolves',
      rounds: ROUNDS,
      sides: { recorded: await resolve(recorded), 'not recorded': await resolve(bare) },
      goals: [keepsNineTenths],
    },
  ];
}

/** `BENCH_POSTGRES_URL` names a server on which schemas may be made; without it only SQLite is measured. */
const SERVER = process.env.BENCH_POSTGRES_URL;
const run = Date.now();

export const benchCase: BenchCase = {
  name: 'state',
  title: 'What it costs that state is provable',
  async prepare() {
    const root = await mkdtemp(join(tmpdir(), 'baton-bench-'));
    const facts = [
      ...(EVENTS === 0 ? [] : await verification(await openStore(join(root, 'verified')))),
      ...(DOCUMENTS === 0 ? [] : await derivation(await openStore(join(root, 'derived')))),
    ];
    const sqlite = await openPair(join(root, 'sqlite'), () => undefined);
    const postgres =
      SERVER && (await openPair(join(root, 'postgres'), (side) => `${SERVER}?schema=${side}_${run}`));
    return {
      facts,
      comparisons: [
        ...(await comparisonsOf(sqlite, 'SQLite', ROUND)),
        ...(postgres ? await comparisonsOf(postgres, 'PostgreSQL', POSTGRES_ROUND) : []),
      ],
      async close() {
        for (const pair of [sqlite, postgres]) {
          if (!pair) continue;
          await pair.recorded.app.close();
          await pair.bare.app.close();
        }
        await rm(root, { recursive: true, force: true });
      },
    };
  },
};
