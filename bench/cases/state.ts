import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, openApp } from '../../src/app/compose.ts';
import { readSettings } from '../../src/app/settings.ts';
import { tables } from '../../src/app/tables.ts';
import { readDocument } from '../../src/kernel/json/reader.ts';
import { verifyStore } from '../../src/spine/journal/verify/verify-in-thread.ts';
import { packageTexts } from '../context/package-text.mjs';
import { type BenchCase, type Fact, median } from '../harness.ts';
import { manifestFor, SMALL_ACTIONS, SMALL_POLICIES } from '../policy/worlds.ts';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const BATCH = 64;
const ROUND = 1_280;
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

async function openStore(folder: string): Promise<Store> {
  const app = await openApp(readSettings({ BATON_DATA: folder }));
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

async function inBatches(work: () => Promise<unknown>): Promise<number> {
  for (let done = 0; done < ROUND; done += BATCH) await Promise.all(Array.from({ length: BATCH }, work));
  return ROUND;
}

const ATLAS = JSON.stringify(manifestFor(SMALL_ACTIONS, SMALL_POLICIES));

async function resolving(store: Store): Promise<() => Promise<unknown>> {
  await store.call('atlas.load', {}, ATLAS);
  const started = await store.call(
    'carp.session.start',
    {},
    JSON.stringify({ agent_id: 'bench', goal: 'Measure.' }),
  );
  const { session_id } = JSON.parse(started) as { session_id: string };
  let asked = 0;
  return () => {
    asked += 1;
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

export const benchCase: BenchCase = {
  name: 'state',
  title: 'What it costs that state is provable',
  async prepare() {
    const root = await mkdtemp(join(tmpdir(), 'baton-bench-'));
    const recorded = await openStore(join(root, 'recorded'));
    const bare = await openStore(join(root, 'bare'));
    const facts = await verification(await openStore(join(root, 'verified')));
    bare.app.db.watch({ tables: new Map(), record: async () => {} });
    const deposit = (store: Store) => () =>
      inBatches(() => store.call('packages.deposit', { project_id: 'default' }, packageText('default')));
    const [resolveRecorded, resolveBare] = [await resolving(recorded), await resolving(bare)];
    const keepsNineTenths = [
      {
        text: 'at least 0.9 times the rate without records',
        met: (rates: Readonly<Record<string, number>>) => rates.recorded! >= 0.9 * rates['not recorded']!,
      },
    ];
    return {
      facts,
      comparisons: [
        {
          title: `Durable deposits, ${BATCH} at a time`,
          unit: 'packages',
          rounds: 9,
          sides: { recorded: deposit(recorded), 'not recorded': deposit(bare) },
          goals: keepsNineTenths,
        },
        {
          title: `Durable resolves with their trace, ${BATCH} at a time`,
          unit: 'resolves',
          rounds: 9,
          sides: {
            recorded: () => inBatches(resolveRecorded),
            'not recorded': () => inBatches(resolveBare),
          },
          goals: keepsNineTenths,
        },
      ],
      async close() {
        await recorded.app.close();
        await bare.app.close();
        await rm(root, { recursive: true, force: true });
      },
    };
  },
};
