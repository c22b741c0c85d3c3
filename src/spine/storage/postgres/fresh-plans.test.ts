import { expect, it } from 'vitest';
import type { Database } from '../database.ts';
import type { Migration } from '../migration.ts';
import { describeOnPostgres } from '../testing.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    name: 'test/0001-places',
    statements: (ddl) => [`create table places (place ${ddl.serial}, town ${ddl.int} not null) ${ddl.end}`],
  },
];

const FIND = `select count(*) as n from places
  where place in (select cast(value as bigint) from json_array_elements_text(cast(? as json)))`;

/** As a lane's only connection would run the statement now. */
async function planOf(db: Database): Promise<string> {
  return db.write(async (uow) => {
    // A connection that had to be made anew has not prepared it yet.
    await uow.get(FIND, ['[7]']);
    const prepared = await uow.get<{ name: string }>(
      "select name from pg_prepared_statements where statement like 'select count(*) as n from places%'",
    );
    // Where other tests of this process have used up the names, it is planned each time.
    const run = prepared ? `execute ${prepared.name}('[7]')` : FIND.replace('?', "'[7]'");
    const rows = await uow.all<{ 'QUERY PLAN': string }>(`explain ${run}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

const findTimes = async (db: Database, times: number) => {
  for (let n = 0; n < times; n += 1) await db.write((uow) => uow.get(FIND, ['[7]']));
};

describeOnPostgres('a statement that was prepared for an empty store', (open) => {
  it('is planned anew when the store has grown, without waiting for the server to analyze it', async () => {
    const db = await open(MIGRATIONS, { lanes: 1 });
    await db.write((uow) => uow.run('alter table places set (autovacuum_enabled = off)'));
    await findTimes(db, 8);
    const before = await planOf(db);
    await db.write((uow) =>
      uow.run('insert into places (town) select n from generate_series(1, 100000) as n'),
    );
    await findTimes(db, 60);
    const after = await planOf(db);
    expect(before).toContain('Seq Scan on places');
    expect(after).not.toContain('Seq Scan on places');
  });
});
