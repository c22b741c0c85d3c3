/** How long a search takes in one project of ten and of a hundred thousand documents. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSearchIndex, type SearchIndex } from '../../src/spine/search/search-index.ts';
import { searchMigrations } from '../../src/spine/search/store/migrations.ts';
import { createStaticEmbedder } from '../../src/spine/search/vectors/static-embedder.ts';
import type { Database } from '../../src/spine/storage/database.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';
import { type BenchCase, type Fact, quantile } from '../harness.ts';
import { type SyntheticCorpus, syntheticCorpus } from '../retrieval/synthetic.ts';

const SIZES = [10_000, 100_000];
const UNIT = 250;
const QUERIES = 200;
const PROJECT = 'bench';

export const benchCase: BenchCase = {
  name: 'search-latency',
  title: 'Search: latency in one large project',
  async prepare() {
    const folder = await mkdtemp(join(tmpdir(), 'baton-search-'));
    const db = await openDatabase(process.env.BATON_BENCH_DATABASE ?? `sqlite:${join(folder, 'bench.db')}`);
    try {
      await db.migrate(searchMigrations);
      const index = createSearchIndex({ embedder: createStaticEmbedder(), clock: { now: () => 0 } });
      const corpus = syntheticCorpus(PROJECT);
      const facts: Fact[] = [];
      let filled = 0;
      for (const size of SIZES) {
        const started = performance.now();
        await fill(db, index, corpus, filled, size);
        const rate = ((size - filled) * 1000) / (performance.now() - started);
        filled = size;
        facts.push({ name: `${size} documents: indexed`, value: rate, unit: 'documents/s' });
        facts.push(...(await measure(db, index, corpus, size)));
      }
      return { facts };
    } finally {
      await db.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function fill(db: Database, index: SearchIndex, corpus: SyntheticCorpus, from: number, to: number) {
  for (let start = from; start < to; start += UNIT) {
    await db.write(async (uow) => {
      for (let number = start; number < start + UNIT; number += 1) index.index(uow, corpus.document(number));
    });
  }
}

async function measure(
  db: Database,
  index: SearchIndex,
  corpus: SyntheticCorpus,
  size: number,
): Promise<Fact[]> {
  const facts: Fact[] = [];
  const time = async (query: string, filtered: boolean): Promise<number> => {
    const started = performance.now();
    await db.read((reader) =>
      index.search(reader, {
        projectId: PROJECT,
        query,
        ...(filtered ? { filter: { attributes: { author: 'author-7' } } } : {}),
      }),
    );
    return performance.now() - started;
  };
  facts.push({
    name: `${size} documents: first search`,
    value: await time(corpus.mixedQuery(1), false),
    unit: 'ms',
  });
  for (const [kind, queryOf, filtered] of [
    ['mixed words', corpus.mixedQuery, false],
    ['common words', corpus.commonQuery, false],
    ['mixed words, filtered', corpus.mixedQuery, true],
  ] as const) {
    const times: number[] = [];
    for (let number = 0; number < QUERIES; number += 1) {
      times.push(await time(queryOf(Math.floor((number * size) / QUERIES)), filtered));
    }
    for (const [name, share] of [
      ['p50', 0.5],
      ['p95', 0.95],
    ] as const) {
      facts.push({ name: `${size} documents, ${kind}: ${name}`, value: quantile(times, share), unit: 'ms' });
    }
  }
  return facts;
}
