import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { fakeClock } from '../../platform/testing.ts';
import { Faults } from '../journal/verify/report.ts';
import type { Database } from '../storage/database.ts';
import { describeOnEachEngine, describeOnSqlite } from '../storage/testing.ts';
import { searchIndexCheck } from './check/index-check.ts';
import type { DocumentSource, SearchDocument } from './document.ts';
import { analyze } from './rules/analysis.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';
import { applyChanges } from './store/apply-changes.ts';
import { engineOf } from './store/engine.ts';
import { searchMigrations } from './store/migrations.ts';
import { type Embedder, toUnitVector } from './vectors/embedder.ts';
import { createStaticEmbedder } from './vectors/static-embedder.ts';

const clock = fakeClock();

/** Speaks of a text by whether it is about the sea, as a service would; it needs I/O and can fail. */
function seaEmbedder(id = 'sea-1'): Embedder & { asked: string[]; broken: boolean } {
  const embedder = {
    id,
    dim: 3,
    floor: 0.5,
    asked: [] as string[],
    broken: false,
    async embed(texts: readonly string[]) {
      await new Promise((resolve) => setImmediate(resolve));
      if (embedder.broken) throw new Error('no answer');
      embedder.asked.push(...texts);
      return texts.map((text) =>
        toUnitVector(/ship|harbour|maritime/.test(text) ? [1, 0.1, 0] : [0, 0.1, 1]),
      );
    },
  };
  return embedder;
}

const note = (id: string, text: string): SearchDocument => ({
  projectId: 'p',
  collection: 'note',
  id,
  fields: [{ name: 'text', text }],
});
const NOTES = [note('sea', 'A ship left the harbour.'), note('tea', 'A cup of green tea.'), note('none', '')];

const put = (db: Database, index: SearchIndex, documents: readonly SearchDocument[]) =>
  db.write(async (uow) => {
    for (const document of documents) index.index(uow, document);
  });
const find = async (db: Database, index: SearchIndex, query: string) =>
  (await index.searchIn(db, { projectId: 'p', query })).map(({ id }) => id);
async function catchUpFully(db: Database, index: SearchIndex, batch?: number): Promise<number> {
  let embedded = 0;
  for (;;) {
    const progress = await index.catchUp(db, batch);
    embedded += progress.embedded;
    if (!progress.left) return embedded;
  }
}

describeOnEachEngine('vectors that follow', (open) => {
  test('are searched once they are there; until then words are', async () => {
    const db = await open(searchMigrations);
    const index = createSearchIndex({ embedder: seaEmbedder(), clock });
    await put(db, index, NOTES);
    expect(await find(db, index, 'maritime')).toEqual([]);
    expect(await find(db, index, 'harbour')).toEqual(['sea']);
    expect(await catchUpFully(db, index, 1)).toBe(3);
    expect(await find(db, index, 'maritime')).toEqual(['sea']);
  });

  test('are made once for each passage, and again for one that changed', async () => {
    const db = await open(searchMigrations);
    const embedder = seaEmbedder();
    const index = createSearchIndex({ embedder, clock });
    await put(db, index, NOTES);
    await catchUpFully(db, index);
    await catchUpFully(db, index);
    expect(embedder.asked).toEqual(['A ship left the harbour.', 'A cup of green tea.']);
    await put(db, index, [note('tea', 'A maritime tea house.')]);
    await catchUpFully(db, index);
    expect(embedder.asked).toEqual([
      'A ship left the harbour.',
      'A cup of green tea.',
      'A maritime tea house.',
    ]);
  });

  test('are made anew, over the old ones, when the embedder changes, and back again', async () => {
    const db = await open(searchMigrations);
    const first = createSearchIndex({ embedder: seaEmbedder('sea-1'), clock });
    const second = createSearchIndex({ embedder: seaEmbedder('sea-2'), clock });
    const builtIn = createSearchIndex({ embedder: createStaticEmbedder(), clock });
    await put(db, first, NOTES);
    for (const index of [first, second, first, builtIn]) {
      expect(await catchUpFully(db, index)).toBe(3);
      expect(await catchUpFully(db, index)).toBe(0);
    }
    const rows = await db.read((reader) => reader.all('select distinct embedder from search_codes'));
    expect(rows).toEqual([{ embedder: builtIn.embedder.id }]);
  });

  test('of the built-in embedder are written in the unit, so that nothing is left to follow', async () => {
    const db = await open(searchMigrations);
    const index = createSearchIndex({ embedder: createStaticEmbedder(), clock });
    await put(db, index, NOTES);
    await put(db, index, [note('doctor', 'The doctor was late.')]);
    expect(await index.catchUp(db)).toEqual({ embedded: 0, left: false });
    expect(await find(db, index, 'physician')).toEqual(['doctor']);
  });

  test('wait while the embedder is broken, and the search goes by words', async () => {
    const db = await open(searchMigrations);
    const embedder = seaEmbedder();
    const told: unknown[] = [];
    const index = createSearchIndex({ embedder, clock, onEmbedderError: (error) => told.push(error) });
    await put(db, index, NOTES);
    embedder.broken = true;
    await expect(index.catchUp(db)).rejects.toThrow('no answer');
    expect(await find(db, index, 'harbour')).toEqual(['sea']);
    expect(told).toHaveLength(1);
    embedder.broken = false;
    expect(await catchUpFully(db, index)).toBe(3);
  });

  test('may be followed by two at the same time, and a document may go meanwhile', async () => {
    const db = await open(searchMigrations);
    const index = createSearchIndex({ embedder: seaEmbedder(), clock });
    await put(
      db,
      index,
      Array.from({ length: 30 }, (_, at) => note(`n${at}`, `A ship number ${at}.`)),
    );
    await Promise.all([
      catchUpFully(db, index, 4),
      catchUpFully(db, index, 4),
      db.write(async (uow) => index.remove(uow, { projectId: 'p', collection: 'note', id: 'n29' })),
    ]);
    const count = await db.read((reader) =>
      reader.get<{ n: number }>('select count(*) as n from search_codes'),
    );
    expect(count?.n).toBe(29);
  });
});

/** The documents that a slice would have, and how it would hand them out. */
function sourceOf(documents: readonly SearchDocument[]): DocumentSource {
  return {
    async page(_, after, limit) {
      const from = after === undefined ? 0 : Number(after);
      const next = from + limit < documents.length ? String(from + limit) : undefined;
      return { documents: documents.slice(from, from + limit), next };
    },
  };
}

async function faultsOf(db: Database, documents: readonly SearchDocument[]): Promise<string[]> {
  const faults = new Faults();
  const check = searchIndexCheck([sourceOf(documents)], createStaticEmbedder);
  await db.read((reader) => check.run(reader, faults, async () => {}));
  return faults.list.map(({ kind, table, key }) => `${kind} ${table} ${key}`);
}

describeOnEachEngine('a check of the index', (open) => {
  async function filled() {
    const db = await open(searchMigrations);
    const index = createSearchIndex({ embedder: createStaticEmbedder(), clock });
    const documents = [
      ...Array.from({ length: 230 }, (_, at) => note(`n${at}`, `Note ${at} on the weather.`)),
      { ...note('full', 'Everything.'), time: 5, attributes: { kind: 'x' } },
    ];
    await put(db, index, documents);
    return { db, index, documents };
  }

  test('finds nothing wrong after ordinary work', async () => {
    const { db, index, documents } = await filled();
    await db.write(async (uow) => index.remove(uow, documents[3] as SearchDocument));
    await put(db, index, [documents[3] as SearchDocument, documents[7] as SearchDocument]);
    expect(await faultsOf(db, documents)).toEqual([]);
  });

  test('takes a conversation as it was indexed before its turns were told apart, but nothing else', async () => {
    const { db, index, documents } = await filled();
    const talk = note(
      'talk',
      ['Which lamp did we buy for the hall?', 'The tall one.', 'And where is the other one?', 'In the attic.']
        .map((text, at) => `${at % 2 ? 'assistant' : 'user'}: ${text} ${'It was said before. '.repeat(2)}`)
        .join('\n\n'),
    );
    const before = analyze(talk.fields, false).passages;
    expect(before).toHaveLength(1);
    expect(analyze(talk.fields).passages).toHaveLength(4);
    const packed = before.map(({ frequencies, words, ...passage }) => ({
      ...passage,
      terms: [...frequencies.keys()].join(' '),
      counts: Uint32Array.from(frequencies.values()),
      words: words.join(' '),
    }));
    const analysis = { passages: packed, whole: true };
    await db.write((uow) => applyChanges(uow, index.embedder, [{ key: talk, document: talk, analysis }]));
    expect(await find(db, index, 'tall lamp attic')).toContain('talk');
    expect(await faultsOf(db, [...documents, talk])).toEqual([]);
    const [field] = talk.fields as [SearchDocument['fields'][number]];
    const changed = note('talk', field.text.replace('attic', 'cellar'));
    expect(await faultsOf(db, [...documents, changed])).toContain('derived_changed search_bodies 232');
    await put(db, index, [talk]);
    expect(await faultsOf(db, [...documents, talk])).toEqual([]);
  });

  test('finds what search forgot, knows otherwise, or should have forgotten', async () => {
    const { db, documents } = await filled();
    const changed = documents.map((document) =>
      document.id === 'n5' ? note('n5', 'Something else.') : document,
    );
    const truth = [...changed.filter(({ id }) => id !== 'n9'), note('lost', 'Never indexed.')];
    const named = await faultsOf(db, truth);
    expect(named).toEqual(
      expect.arrayContaining([
        'derived_missing search_documents p note lost',
        'derived_changed search_documents p note n5',
        'derived_surplus search_documents p note n9',
      ]),
    );
  });

  test('finds a document that the engine would never propose, and a rebuild repairs it', async () => {
    const { db, index, documents } = await filled();
    await db.write(async (uow) => {
      await engineOf(uow).clear(uow);
      await uow.run('update search_terms set documents = documents + 1');
    });
    const named = await faultsOf(db, documents);
    expect(named.filter((fault) => fault.startsWith('derived_changed search_postings'))).toHaveLength(231);
    expect(named.filter((fault) => fault.startsWith('derived_changed search_terms')).length).toBeGreaterThan(
      231,
    );
    expect(await index.rebuild(db, sourceOf(documents))).toEqual({ documents: 231 });
    expect(await faultsOf(db, documents)).toEqual([]);
    expect(await index.catchUp(db)).toEqual({ embedded: 0, left: false });
    expect(await find(db, index, 'note 77')).toContain('n77');
  });
});

describeOnSqlite('removal', (open) => {
  test('leaves no byte of the text in the file', async () => {
    const db = await open(searchMigrations);
    const index = createSearchIndex({ embedder: createStaticEmbedder(), clock });
    const secret = note('secret', 'The zanzibarquux of Kolokythenia weighs 90210 grams.');
    await put(db, index, [...NOTES, secret]);
    await put(
      db,
      index,
      Array.from({ length: 300 }, (_, at) => note(`n${at}`, `Ordinary words number ${at}.`)),
    );
    const path = open.urlOf(db).slice('sqlite:'.length);
    const holds = async () => {
      const bytes = Buffer.concat(
        await Promise.all([path, `${path}-wal`].map((file) => readFile(file).catch(() => Buffer.alloc(0)))),
      );
      return ['zanzibarquux', 'kolokythenia', 'Kolokythenia', '90210'].filter((word) => bytes.includes(word));
    };
    expect(await holds()).not.toEqual([]);
    await db.write(async (uow) => index.remove(uow, secret));
    await db.close();
    expect(await holds()).toEqual([]);
  });
});
