import { expect, it } from 'vitest';
import type { Database } from './database.ts';
import type { Migration } from './migration.ts';
import { describeOnEachEngine } from './testing.ts';

const table = (name: string): Migration => ({
  name: `test/0001-${name}`,
  statements: (ddl) => [`create table ${name} (id ${ddl.serial}, body ${ddl.text}) ${ddl.end}`],
});

const FIRST = table('first');
const SECOND = table('second');

const applied = async (db: Database) =>
  (
    await db.read((reader) =>
      reader.all<{ name: string }>('select name from schema_migrations order by position'),
    )
  ).map(({ name }) => name);

describeOnEachEngine('migrations', (open) => {
  it('apply what is missing, in order, and nothing twice', async () => {
    const db = await open([FIRST]);
    await db.migrate([FIRST]);
    await db.migrate([FIRST, SECOND]);
    await db.migrate([FIRST, SECOND]);
    expect(await applied(db)).toEqual(['test/0001-first', 'test/0001-second']);
    await db.write((uow) => uow.run("insert into second (body) values ('x')"));
  });

  it('are applied once when several processes start together', async () => {
    const db = await open([]);
    const handles = await Promise.all(Array.from({ length: 5 }, () => open([], { beside: db })));
    await Promise.all(handles.map((handle) => handle.migrate([FIRST, SECOND])));
    expect(await applied(db)).toEqual(['test/0001-first', 'test/0001-second']);
  });

  it('refuse a store that knows more than this version', async () => {
    const db = await open([FIRST, SECOND]);
    await expect(db.migrate([FIRST])).rejects.toMatchObject({
      code: 'storage_newer',
      message: expect.stringContaining('test/0001-second'),
      details: { unknown: ['test/0001-second'] },
    });
  });

  it('refuse a released step that was edited', async () => {
    const db = await open([FIRST]);
    const edited: Migration = {
      name: FIRST.name,
      statements: (ddl) => [`create table other (id ${ddl.serial})`],
    };
    await expect(db.migrate([edited])).rejects.toMatchObject({
      code: 'storage_changed',
      details: { edited: ['test/0001-first'] },
    });
  });

  it('leave nothing of a step that fails', async () => {
    const db = await open([FIRST]);
    const broken: Migration = {
      name: 'test/0002-broken',
      statements: (ddl) => [`create table half (id ${ddl.serial})`, 'create nonsense'],
    };
    await expect(db.migrate([FIRST, broken])).rejects.toThrow();
    expect(await applied(db)).toEqual(['test/0001-first']);
    await expect(db.read((reader) => reader.all('select id from half'))).rejects.toThrow('half');
  });

  it('refuse bad names, names used twice, and keys checked only at the commit', async () => {
    const db = await open([]);
    await expect(db.migrate([{ name: 'first', statements: () => [] }])).rejects.toThrow('<room>');
    await expect(db.migrate([FIRST, FIRST])).rejects.toThrow('Two migrations');
    const deferred: Migration = {
      name: 'test/0001-late',
      statements: () => ['create table a (b text references c (d) deferrable initially deferred)'],
    };
    await expect(db.migrate([deferred])).rejects.toThrow('deferred');
  });

  it('may be run while statements prepared before them are in use', async () => {
    const db = await open([FIRST]);
    const other = await open([FIRST], { beside: db });
    await db.write((uow) => uow.run("insert into first (body) values ('x')"));
    const read = () => db.read((reader) => reader.all('select * from first'));
    const write = () => db.write((uow) => uow.all('select * from first'));
    expect([await read(), await write()]).toEqual([[{ id: 1, body: 'x' }], [{ id: 1, body: 'x' }]]);
    const wider: Migration = {
      name: 'test/0002-wider',
      statements: (ddl) => [`alter table first add column more ${ddl.int}`],
    };
    await other.migrate([FIRST, wider]);
    const after = [{ id: 1, body: 'x', more: null }];
    expect([await write(), await read()]).toEqual([after, after]);
  });
});
