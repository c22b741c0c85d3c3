/** Recall with and without a consent filter that hides half, over one large profile; proposals made durable per second. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/spine/storage/open.ts';
import { type BenchCase, type Comparison, type Fact, quantile } from '../harness.ts';
import { agent, type BenchWorld, openBenchWorld, owner } from '../memory/world.ts';

const MEMORIES = Number(process.env.BATON_BENCH_MEMORIES ?? 100_000);
const QUERIES = 200;
const PROPOSALS = 200;
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

export const benchCase: BenchCase = {
  name: 'memory',
  title: 'Memory: recall under consent, and durable proposals',
  async prepare() {
    const world = await openBenchWorld();
    const began = performance.now();
    await world.call('memory.profile.import', { document: profileOf(MEMORIES) }, owner);
    const loaded = (performance.now() - began) / 1000;
    const rows = await openBareRows();
    return {
      facts: [
        { name: `${MEMORIES} memories: imported in`, value: loaded, unit: 's' },
        ...(await recallFacts(world)),
      ],
      comparisons: [proposalsBesideRows(world, rows.insert)],
      async close() {
        await world.close();
        await rows.close();
      },
    };
  },
};

/** Both through the operation, as agents, on record; they take turns, so that a slow moment hits both alike. */
async function recallFacts({ call }: BenchWorld): Promise<Fact[]> {
  const times = { all: [] as number[], half: [] as number[] };
  for (let at = 0; at < QUERIES; at += 1) {
    const query = `${TOPICS[at % 12]} ${TOPICS[(at * 5 + 1) % 12]} ${at * 37}`;
    for (const who of at % 2 === 0 ? (['all', 'half'] as const) : (['half', 'all'] as const)) {
      const began = performance.now();
      const { memories } = await call('memory.recall', { profile: DID, query, limit: 10 }, agent(who));
      times[who].push(performance.now() - began);
      if (memories.length === 0) throw new Error(`nothing was found for ${query}`);
    }
  }
  const [open, half] = [quantile(times.all, 0.5), quantile(times.half, 0.5)];
  return [
    { name: `${MEMORIES} memories: recall p50, everything allowed`, value: open, unit: 'ms' },
    { name: `${MEMORIES} memories: recall p50, half hidden`, value: half, unit: 'ms' },
    { name: `${MEMORIES} memories: recall p99, half hidden`, value: quantile(times.half, 0.99), unit: 'ms' },
    {
      name: 'half hidden to everything allowed',
      value: half / open,
      unit: 'times',
      goal: { text: 'at most 1.5 times', met: half / open <= 1.5 },
    },
  ];
}

/** A proposal is its rows, its text, an inbox item and an event of the journal; a bare row is one insert. */
function proposalsBesideRows({ call }: BenchWorld, insert: (text: string) => Promise<void>): Comparison {
  let made = 0;
  const together = async (work: (text: string) => Promise<unknown>) => {
    await Promise.all(
      Array.from({ length: PROPOSALS }, () => work(`Fact ${made} about ${TOPICS[made++ % 12]}`)),
    );
    return PROPOSALS;
  };
  return {
    title: `Durable, ${PROPOSALS} at once`,
    unit: 'writes',
    sides: {
      proposals: () => together((content) => call('memory.propose', { profile: DID, content }, owner)),
      'bare rows': () => together(insert),
    },
    goals: [],
  };
}

async function openBareRows() {
  const folder = await mkdtemp(join(tmpdir(), 'baton-memory-rows-'));
  const db = await openDatabase(`sqlite:${join(folder, 'rows.db')}`);
  await db.migrate([
    {
      name: 'bench/0001-rows',
      statements: (ddl) => [
        `create table bench_rows (seq ${ddl.serial}, body ${ddl.text} not null) ${ddl.end}`,
      ],
    },
  ]);
  return {
    insert: (text: string) =>
      db.write(async (uow) => {
        await uow.run('insert into bench_rows (body) values (?)', [text]);
      }),
    async close() {
      await db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function profileOf(count: number) {
  const policy = (id: string, name: string, allow: readonly string[]) => ({
    id,
    agentPattern: `did:a2p:agent:local:${name}`,
    permissions: ['read_scoped'],
    allow,
  });
  return {
    id: DID,
    memories: { 'a2p:semantic': Array.from({ length: count }, (_, at) => memoryOf(at)) },
    accessPolicies: [
      policy('policy_all', 'all', ['a2p:*']),
      policy('policy_half', 'half', ['a2p:interests']),
    ],
  };
}

function memoryOf(at: number) {
  return {
    id: `mem_${String(at).padStart(7, '0')}`,
    content: `User spoke of ${TOPICS[at % 12]} and ${TOPICS[(at * 7 + 3) % 12]} with friend ${at % 997}, note ${at}`,
    category: at % 2 === 0 ? 'a2p:interests' : 'a2p:context',
    confidence: 0.8,
    status: 'approved',
  };
}
