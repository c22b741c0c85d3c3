/** The table that the suites of this folder write to. */
import type { Database, UnitOfWork } from './database.ts';
import type { Migration } from './migration.ts';

export const NOTES: readonly Migration[] = [
  {
    name: 'test/0001-notes',
    statements: (ddl) => [
      `create table notes (id ${ddl.text} primary key, n ${ddl.int} not null) ${ddl.end}`,
      `create table counters (name ${ddl.text} primary key, value ${ddl.int} not null) ${ddl.end}`,
    ],
  },
];

export const insertNote = (uow: UnitOfWork, id: string, n = 0) =>
  uow.run('insert into notes (id, n) values (?, ?)', [id, n]);

export const noteIds = async (db: Database) =>
  (await db.read((reader) => reader.all<{ id: string }>('select id from notes order by id'))).map(
    ({ id }) => id,
  );
