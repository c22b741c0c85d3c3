/** Recall with and without a consent filter that hides half, over one large profile; proposals made durable per second. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../../src/app/compose.ts';
import { partsFromFlat } from '../../src/dispatch/flat-input.ts';
import type { Principal } from '../../src/identity/principal.ts';
import { DEFAULT_PROJECT } from '../../src/identity/settings.ts';
import { createMemories } from '../../src/memory/service/memories.ts';
import { selectClasses } from '../../src/memory/store/item-store.ts';
import { selectProfile } from '../../src/memory/store/profile-store.ts';
import { readSettings } from '../../src/settings.ts';
import { type BenchCase, type Fact, quantile } from '../harness.ts';

const MEMORIES = Number(process.env.BATON_BENCH_MEMORIES ?? 100_000);
const UNIT = 250;
const QUERIES = 200;
const PROPOSALS = 1000;
const DID = 'did:a2p:user:local:bench';
const TOPICS = [
  'tea',
  'jazz',
  'chess',
  'rust',
  'sailing',
  'bread',
  'running',
  'opera',
  'gardens',
  'maps',
  'birds',
  'trains',
];

const owner: Principal = {
  actor: { id: 'bench', type: 'human' },
  scopes: new Set(['*']),
  projects: 'all',
  defaultProject: DEFAULT_PROJECT,
  credential: { kind: 'owner', id: 'bench' },
  present: true,
};

export const benchCase: BenchCase = {
  name: 'memory',
  title: 'Memory: recall under consent, and durable proposals',
  async prepare() {
    const folder = await mkdtemp(join(tmpdir(), 'baton-memory-bench-'));
    const databaseUrl = process.env.BATON_BENCH_DATABASE ?? `sqlite:${join(folder, 'bench.db')}`;
    const app = await openApp({ ...readSettings({ BATON_DATA: folder, BATON_PORT: '0' }), databaseUrl });
    const call = async (operation: string, flat: Record<string, unknown>, principal = owner) => {
      const bound = app.registry.get(operation);
      if (!bound) throw new Error(`no operation ${operation}`);
      const parts = partsFromFlat(bound.operation, flat);
      return app.dispatcher.call(bound, {
        principal,
        parts,
        requestId: 'bench',
        signal: new AbortController().signal,
      });
    };
    try {
      await call('memory.profile.create', { did: DID });
      const profile = await app.db.read((reader) => selectProfile(reader, DID));
      if (!profile) throw new Error('the profile is not there');
      const memories = createMemories(
        {
          ...app,
          settings: {},
          record: app.identity.record,
          limiter: app.identity.limiter,
          verify: () => false,
        },
        async () => undefined,
      );
      for (let start = 0; start < MEMORIES; start += UNIT) {
        await app.db.write(async (uow) => {
          for (let at = start; at < Math.min(MEMORIES, start + UNIT); at += 1)
            await memories.put(uow, profile, memoryOf(at));
        });
      }
      const open = await timeOf(undefined);
      const classes = await app.db.read((reader) => selectClasses(reader, DID));
      const shown = classes
        .filter(({ category }) => category === 'a2p:interests')
        .map(({ classId }) => String(classId));
      const half = await timeOf(shown);
      const ratio = half.p50 / open.p50;
      const facts: Fact[] = [
        { name: `${MEMORIES} memories: unfiltered p50`, value: open.p50, unit: 'ms' },
        { name: `${MEMORIES} memories: half hidden p50`, value: half.p50, unit: 'ms' },
        {
          name: 'filtered to unfiltered',
          value: ratio,
          unit: 'times',
          goal: { text: 'at most 1.5 times', met: ratio <= 1.5 },
        },
      ];
      const started = performance.now();
      await Promise.all(
        Array.from({ length: PROPOSALS }, (_, at) =>
          call('memory.propose', { content: `Fact ${at} about ${TOPICS[at % 12]}` }),
        ),
      );
      facts.push({
        name: 'proposals, durable',
        value: (PROPOSALS * 1000) / (performance.now() - started),
        unit: 'proposals/s',
      });
      return { facts };
    } finally {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    }

    async function timeOf(shown: readonly string[] | undefined): Promise<{ p50: number }> {
      const times: number[] = [];
      for (let at = 0; at < QUERIES; at += 1) {
        const query = `${TOPICS[at % 12]} ${TOPICS[(at * 5 + 1) % 12]} ${at * 37}`;
        const began = performance.now();
        await app.search.searchIn(app.db, {
          projectId: DEFAULT_PROJECT,
          collections: ['memory'],
          query,
          limit: 10,
          ...(shown && { filter: { attributes: { class: shown } } }),
        });
        times.push(performance.now() - began);
      }
      return { p50: quantile(times, 0.5) };
    }
  },
};

function memoryOf(at: number) {
  const id = `mem_${String(at).padStart(7, '0')}`;
  const content = `User spoke of ${TOPICS[at % 12]} and ${TOPICS[(at * 7 + 3) % 12]} with friend ${at % 997}, note ${at}`;
  const category = at % 2 === 0 ? 'a2p:interests' : 'a2p:context';
  return {
    id,
    type: 'semantic' as const,
    document: { id, content, category, confidence: 0.8, status: 'approved' },
  };
}
