import { describe, expect, test } from 'vitest';
import { fakeClock } from '../../platform/testing.ts';
import type { Database } from '../storage/database.ts';
import { describeOnEachEngine } from '../storage/testing.ts';
import type { SearchDocument } from './document.ts';
import type { SearchQuery } from './request.ts';
import { createSearchIndex } from './search-index.ts';
import { searchMigrations } from './store/migrations.ts';
import { createStaticEmbedder } from './vectors/static-embedder.ts';

const embedder = createStaticEmbedder();
const clock = fakeClock('2024-05-15T12:00:00Z');
const micros = (text: string) => Date.parse(text) * 1000;

const note = (id: string, text: string, more: Partial<SearchDocument> = {}): SearchDocument => ({
  projectId: 'p',
  collection: 'note',
  id,
  fields: [{ name: 'text', text }],
  ...more,
});

describeOnEachEngine('search', (open) => {
  async function setUp(documents: readonly SearchDocument[] = []) {
    const db = await open(searchMigrations);
    const index = createSearchIndex({ embedder, clock });
    const put = (...docs: readonly SearchDocument[]) =>
      db.write(async (uow) => {
        for (const document of docs) index.index(uow, document);
      });
    const remove = (id: string) =>
      db.write(async (uow) => index.remove(uow, { projectId: 'p', collection: 'note', id }));
    const find = (query: string, more: Partial<SearchQuery> = {}) =>
      db.read((reader) => index.search(reader, { projectId: 'p', query, ...more }));
    const ids = async (query: string, more: Partial<SearchQuery> = {}) =>
      (await find(query, more)).map(({ id }) => id);
    await put(...documents);
    return { db, index, put, remove, find, ids };
  }

  const three = [
    note('db', 'We decided to migrate the database to PostgreSQL in spring.'),
    note('tea', 'Green tea is best at eighty degrees.'),
    note('deploy', 'The deployment failed because of a missing migration.'),
  ];

  test('finds by stem and puts the better match first', async () => {
    const { ids } = await setUp(three);
    expect(await ids('database migrations')).toEqual(['db', 'deploy']);
  });

  test('finds identifiers whole and by their parts', async () => {
    const { ids } = await setUp([
      note('code', 'Call createSearchIndex from src/app.ts with max_batch_size.'),
      ...three,
    ]);
    for (const query of [
      'createSearchIndex',
      'create search',
      'src/app.ts',
      'max_batch_size',
      'batch size',
    ]) {
      expect((await ids(query))[0]).toBe('code');
    }
  });

  test('surfaces what is near in meaning and shares no word', async () => {
    const { find } = await setUp([
      ...three,
      note('doctor', 'Appointment with the doctor at the hospital on Friday.'),
    ]);
    const [first] = await find('physician');
    expect(first).toMatchObject({ id: 'doctor', parts: { text: 0 } });
    expect(first?.parts.vector).toBeGreaterThan(0);
    expect(first?.similarity).toBeGreaterThan(0.4);
  });

  test('finds nothing for nonsense, for nothing, and in an empty project', async () => {
    const { ids } = await setUp(three);
    for (const query of ['xqzzyv', '', '?!']) expect(await ids(query)).toEqual([]);
    const { ids: inEmpty } = await setUp();
    expect(await inEmpty('database')).toEqual([]);
  });

  test('says where the best match stands and shows it', async () => {
    const { find } = await setUp([
      note('talk', '', {
        fields: [
          { name: 'user', text: 'How warm should the water be?' },
          {
            name: 'assistant',
            text: `${'Well. '.repeat(80)}For sencha, about seventy degrees. ${'Yes. '.repeat(80)}`,
          },
        ],
      }),
    ]);
    const [hit] = await find('sencha degrees');
    expect(hit?.best).toMatchObject({ chunk: 1, field: 'assistant' });
    expect(hit?.best.snippet).toContain('sencha, about seventy degrees');
    expect(hit?.best.snippet.length).toBeLessThanOrEqual(240);
  });

  test('weighs a title by its weight', async () => {
    const fields = (title: string, text: string) => [
      { name: 'title', text: title, weight: 4 },
      { name: 'text', text },
    ];
    const { ids } = await setUp([
      note('mention', '', {
        fields: fields('Holiday plans', 'We talked about the harbour and other things.'),
      }),
      note('about', '', { fields: fields('The harbour', 'We talked about holidays and other things.') }),
    ]);
    expect(await ids('harbour')).toEqual(['about', 'mention']);
  });

  test('keeps projects and collections apart', async () => {
    const { index, db, ids } = await setUp([
      ...three,
      note('theirs', 'database migration', { projectId: 'q' }),
      note('fact', 'database migration', { collection: 'fact' }),
    ]);
    expect(await ids('database')).toEqual(['fact', 'db']);
    expect(await ids('database', { collections: ['note'] })).toEqual(['db']);
    const both = await db.read((reader) =>
      index.search(reader, { projectIds: ['p', 'q'], query: 'database' }),
    );
    expect(both.map(({ projectId, id }) => `${projectId} ${id}`).sort()).toEqual([
      'p db',
      'p fact',
      'q theirs',
    ]);
  });

  test('filters by attributes and by ids', async () => {
    const tagged = (id: string, status: string, author: string) =>
      note(id, 'the release plan', { attributes: { status, author } });
    const { ids } = await setUp([
      tagged('a', 'open', 'ada'),
      tagged('b', 'done', 'ada'),
      tagged('c', 'open', 'bob'),
      tagged('d', 'held', 'bob'),
    ]);
    const by = async (attributes: Record<string, string | string[]>) =>
      (await ids('release', { filter: { attributes } })).sort();
    expect(await by({ status: 'open' })).toEqual(['a', 'c']);
    expect(await by({ status: ['open', 'held'] })).toEqual(['a', 'c', 'd']);
    expect(await by({ status: ['open', 'held'], author: 'bob' })).toEqual(['c', 'd']);
    expect(await by({ status: 'unheard of' })).toEqual([]);
    expect(await ids('release', { filter: { ids: ['b', 'zzz'] } })).toEqual(['b']);
    expect(await ids('release', { filter: { ids: ['b', 'c'], attributes: { status: 'open' } } })).toEqual([
      'c',
    ]);
    expect(await ids('open')).toEqual([]);
  });

  test('leaves out what is later than asked for, and keeps what has no time', async () => {
    const { ids } = await setUp([
      note('old', 'budget meeting', { time: micros('2024-01-01') }),
      note('new', 'budget meeting', { time: micros('2024-04-01') }),
      note('timeless', 'budget meeting'),
    ]);
    expect((await ids('budget', { asOf: micros('2024-02-01') })).sort()).toEqual(['old', 'timeless']);
  });

  test('prefers the time that the query names', async () => {
    const { ids } = await setUp([
      note('january', 'standup notes', { time: micros('2024-01-10') }),
      note('lastWeek', 'standup notes', { time: micros('2024-05-08') }),
      note('today', 'standup notes', { time: micros('2024-05-15') }),
    ]);
    expect((await ids('standup last week'))[0]).toBe('lastWeek');
    expect((await ids('standup in January'))[0]).toBe('january');
    expect((await ids('standup last week', { now: micros('2024-01-16') }))[0]).toBe('january');
  });

  test('replaces a document that is indexed again', async () => {
    const { ids, put } = await setUp(three);
    await put(note('db', 'All about gardening.'));
    expect(await ids('postgresql')).toEqual([]);
    expect((await ids('gardening'))[0]).toBe('db');
  });

  test('forgets what is removed, and removing what is not there is no fault', async () => {
    const { ids, remove } = await setUp(three);
    await remove('db');
    await remove('db');
    await remove('never');
    expect(await ids('postgresql')).toEqual([]);
    expect(await ids('migration')).toEqual(['deploy']);
  });

  test('knows nothing of a unit that was rolled back', async () => {
    const { db, index, ids } = await setUp(three);
    const failing = db.write(async (uow) => {
      index.index(uow, note('ghost', 'a spectral appearance'));
      index.remove(uow, { projectId: 'p', collection: 'note', id: 'db' });
      await index.search(uow, { projectId: 'p', query: 'spectral' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await ids('spectral')).toEqual([]);
    expect(await ids('postgresql')).toEqual(['db']);
  });

  test('sees within a unit what the unit has indexed and removed', async () => {
    const { db, index } = await setUp(three);
    const seen = await db.write(async (uow) => {
      index.index(uow, note('fresh', 'brand new marmalade'));
      index.remove(uow, { projectId: 'p', collection: 'note', id: 'tea' });
      const found = await index.search(uow, { projectId: 'p', query: 'marmalade' });
      index.index(uow, note('fresh', 'brand new honey'));
      const after = await index.search(uow, { projectId: 'p', query: 'marmalade' });
      const tea = await index.search(uow, { projectId: 'p', query: 'eighty degrees' });
      return [found, after, tea].map((hits) =>
        hits.filter(({ parts }) => parts.text > 0).map(({ id }) => id),
      );
    });
    expect(seen).toEqual([['fresh'], [], []]);
  });

  test('takes documents without text and texts of every script', async () => {
    const { ids, put } = await setUp([note('empty', '')]);
    await put(note('mixed', 'Встреча в 東京 um café 💡'), note('empty', '  '));
    for (const query of ['встреча', '東京', 'cafe']) expect(await ids(query)).toEqual(['mixed']);
  });

  test('in a large project proposes what is rare, what is strong and what is near', async () => {
    const { ids } = await setUp([
      note('about', 'Frobnicator: how the frobnicator of a frobnicator works.', { time: 0 }),
      ...Array.from({ length: 1_100 }, (_, at) =>
        note(`n${at}`, `Report ${at} on the status of the project, with a summary by the frobnicator.`, {
          attributes: { parity: at % 2 === 0 ? 'even' : 'odd' },
          time: at,
        }),
      ),
      note('who', 'The concert of the band.', {
        fields: [{ name: 'title', text: 'The Who', weight: 3 }],
        time: 9,
      }),
      note('rare', 'Status report on the aqueduct.', { attributes: { parity: 'odd' } }),
      note('near', 'The doctor was late again.', { attributes: { parity: 'even' } }),
    ]);
    expect((await ids('status of the aqueduct'))[0]).toBe('rare');
    expect((await ids('frobnicator'))[0]).toBe('about');
    expect(await ids('aqueduct', { filter: { attributes: { parity: 'even' } } })).not.toContain('rare');
    expect(await ids('physician')).toContain('near');
    expect(await ids('physician', { filter: { attributes: { parity: 'odd' } } })).not.toContain('near');
    expect((await ids('status report 37'))[0]).toBe('n37');
    expect((await ids('The Who'))[0]).toBe('who');
    expect(await ids('status', { limit: 25 })).toHaveLength(25);
    expect(await ids('status', { asOf: 5, limit: 50 })).toHaveLength(7);
    expect(await ids('report', { filter: { ids: ['n5', 'n7', 'none'] } })).toHaveLength(2);
  });
});

describe('concurrent units', () => {
  describeOnEachEngine('that index into one space', (open) => {
    test('all arrive and the counts add up', async () => {
      const db = await open(searchMigrations);
      const index = createSearchIndex({ embedder, clock });
      await Promise.all(
        Array.from({ length: 24 }, (_, at) =>
          db.write(async (uow) => index.index(uow, note(`n${at % 20}`, `shared words and word${at % 20}`))),
        ),
      );
      const hits = await db.read((reader) =>
        index.search(reader, { projectId: 'p', query: 'shared', limit: 50 }),
      );
      expect(hits).toHaveLength(20);
      expect(await countsOf(db)).toMatchObject({ documents: 20, shared: 20 });
    });
  });
});

async function countsOf(db: Database) {
  return db.read(async (reader) => {
    const space = await reader.get<{ documents: number }>('select documents from search_spaces');
    const term = await reader.get<{ documents: number }>(
      `select documents from search_terms where word = 'share'`,
    );
    return { documents: space?.documents, shared: term?.documents };
  });
}
