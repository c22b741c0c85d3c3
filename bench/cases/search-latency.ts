/**
 * How long a search takes in one project of ten and of a hundred thousand documents. With `BATON_BENCH_BEFORE`, a folder
 * with another checkout and its dependencies, both are filled and asked in turns (d3286436: before the second ranking):
 * `git archive d3286436 | tar -x -C DIR && ln -s "$PWD/node_modules" DIR && BATON_BENCH_BEFORE=DIR npm run bench -- search-latency`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchIndex } from '../../src/spine/search/search-index.ts';
import type { Database } from '../../src/spine/storage/database.ts';
import { type BenchCase, type Fact, quantile } from '../harness.ts';
import { type SyntheticCorpus, syntheticCorpus } from '../retrieval/synthetic.ts';
import { type SearchVersion, thisVersion, versionIn } from '../retrieval/version.ts';

const SIZES = [10_000, 100_000];
const UNIT = 250;
const QUERIES = 200;
const PROJECT = 'bench';

/** What a search of the largest project may take over an earlier version, and what indexing it may. */
const MOST_TIMES = 1.5;
const MOST_TIMES_INDEXING = 1.05;

interface Side {
  readonly name: string;
  readonly db: Database;
  readonly index: SearchIndex;
}

export const benchCase: BenchCase = {
  name: 'search-latency',
  title: 'Search: latency in one large project',
  async prepare() {
    const folder = await mkdtemp(join(tmpdir(), 'baton-search-'));
    const before = process.env.BATON_BENCH_BEFORE;
    const sides = [await openSide('now', thisVersion, folder, process.env.BATON_BENCH_DATABASE)];
    try {
      if (before !== undefined) sides.push(await openSide('before', await versionIn(before), folder));
      const corpus = syntheticCorpus(PROJECT);
      const facts: Fact[] = [];
      let filled = 0;
      for (const size of SIZES) {
        facts.push(...(await fill(sides, corpus, filled, size)));
        filled = size;
        facts.push(...(await measure(sides, corpus, size)));
      }
      return { facts };
    } finally {
      for (const { db } of sides) await db.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function openSide(name: string, version: SearchVersion, folder: string, url?: string): Promise<Side> {
  const db = await version.openDatabase(url ?? `sqlite:${join(folder, `${name}.db`)}`);
  await db.migrate(version.searchMigrations);
  const index = version.createSearchIndex({
    embedder: version.createStaticEmbedder(),
    clock: { now: () => 0 },
  });
  return { name, db, index };
}

/** By turns, so that a slow moment hits all alike. */
async function fill(
  sides: readonly Side[],
  corpus: SyntheticCorpus,
  from: number,
  to: number,
): Promise<Fact[]> {
  const took = new Map(sides.map(({ name }) => [name, 0]));
  for (let start = from; start < to; start += UNIT) {
    for (const { name, db, index } of sides) {
      const started = performance.now();
      await db.write(async (uow) => {
        for (let number = start; number < start + UNIT; number += 1)
          index.index(uow, corpus.document(number));
      });
      took.set(name, (took.get(name) ?? 0) + performance.now() - started);
    }
  }
  const facts: Fact[] = sides.map(({ name }) => ({
    name: `${to} documents, ${name}: indexed`,
    value: ((to - from) * 1000) / (took.get(name) ?? 1),
    unit: 'documents/s',
  }));
  const [now, before] = sides.map(({ name }) => took.get(name) ?? 0);
  if (now === undefined || before === undefined) return facts;
  return [
    ...facts,
    times(`${to} documents: time to index now by before`, now / before, to, MOST_TIMES_INDEXING),
  ];
}

function times(name: string, value: number, size: number, most: number): Fact {
  const fact = { name, value, unit: 'times' };
  return size < Math.max(...SIZES)
    ? fact
    : { ...fact, goal: { text: `at most ${most}`, met: value <= most } };
}

async function measure(sides: readonly Side[], corpus: SyntheticCorpus, size: number): Promise<Fact[]> {
  const facts: Fact[] = [];
  const time = async ({ db, index }: Side, query: string, filtered: boolean): Promise<number> => {
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
  for (const side of sides) {
    const value = await time(side, corpus.mixedQuery(1), false);
    facts.push({ name: `${size} documents, ${side.name}: first search`, value, unit: 'ms' });
  }
  for (const [kind, queryOf, filtered] of [
    ['mixed words', corpus.mixedQuery, false],
    ['common words', corpus.commonQuery, false],
    ['mixed words, filtered', corpus.mixedQuery, true],
  ] as const) {
    const timesOf = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
    for (let number = 0; number < QUERIES; number += 1) {
      const query = queryOf(Math.floor((number * size) / QUERIES));
      const inTurn = number % 2 === 0 ? sides : [...sides].reverse();
      for (const side of inTurn) timesOf.get(side.name)?.push(await time(side, query, filtered));
    }
    for (const [name, share] of [
      ['p50', 0.5],
      ['p95', 0.95],
    ] as const) {
      for (const side of sides) {
        const value = quantile(timesOf.get(side.name) ?? [], share);
        facts.push({ name: `${size} documents, ${kind}, ${side.name}: ${name}`, value, unit: 'ms' });
      }
    }
    const [now, before] = sides.map(({ name }) => quantile(timesOf.get(name) ?? [], 0.95));
    if (now === undefined || before === undefined) continue;
    facts.push(times(`${size} documents, ${kind}: p95 now by before`, now / before, size, MOST_TIMES));
  }
  return facts;
}
