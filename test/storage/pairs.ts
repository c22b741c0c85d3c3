import type { Database, UnitOfWork } from '../../src/spine/storage/database.ts';
import type { Migration } from '../../src/spine/storage/migration.ts';

/** A unit that writes to two tables: a store that holds one half of it has broken its word. */
export const PAIRS: readonly Migration[] = [
  {
    name: 'test/0001-pairs',
    statements: (ddl) => [
      `create table lefts (id ${ddl.text} primary key, body ${ddl.text} not null) ${ddl.end}`,
      `create table rights (id ${ddl.text} primary key references lefts (id)) ${ddl.end}`,
    ],
  },
];

const BODY = 'b'.repeat(400);

export async function addPair(uow: UnitOfWork, id: string): Promise<void> {
  await uow.run('insert into lefts (id, body) values (?, ?)', [id, BODY]);
  await uow.run('insert into rights (id) values (?)', [id]);
}

export async function storedPairs(db: Database): Promise<{ ids: Set<string>; halves: number }> {
  return db.read(async (reader) => {
    const rows = await reader.all<{ id: string }>(
      'select rights.id from lefts join rights on rights.id = lefts.id',
    );
    const halves = await reader.get<{ n: number }>(
      'select count(*) as n from lefts where id not in (select id from rights)',
    );
    return { ids: new Set(rows.map(({ id }) => id)), halves: halves?.n ?? 0 };
  });
}
