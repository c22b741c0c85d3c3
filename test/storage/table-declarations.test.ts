import { beforeAll, expect, it } from 'vitest';
import { migrations } from '../../src/app/migrations.ts';
import { tables } from '../../src/app/tables.ts';
import { selectColumns } from '../../src/spine/storage/columns.ts';
import type { Database } from '../../src/spine/storage/database.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';

/** What FTS5 keeps its index in, and the rows that units lock on PostgreSQL, which say nothing. */
const isShadow = (table: string) => /^search_postings_|^sqlite_|^storage_locks$/.test(table);

describeOnEachEngine('the declarations of tables', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open(migrations);
  });

  it('name every table of the store, and none besides', async () => {
    const there = [...(await db.read(selectColumns)).keys()].filter((table) => !isShadow(table));
    expect(Object.keys(tables).sort()).toEqual(there.sort());
  });

  it('speak of columns that there are', async () => {
    const columns = await db.read(selectColumns);
    const unknown = Object.entries(tables).flatMap(([table, declared]) => {
      if (declared.proof !== 'state') return [];
      const named = [
        ...declared.key,
        ...(declared.project === undefined ? [] : [declared.project]),
        ...(declared.volatile ?? []),
        ...(declared.hashed ?? []),
        ...(declared.erasable ? [...declared.erasable.columns, declared.erasable.salt] : []),
        ...Object.keys(declared.sealed ?? {}),
      ];
      return named
        .filter((column) => !columns.get(table)?.includes(column))
        .map((column) => `${table}.${column}`);
    });
    expect(unknown).toEqual([]);
  });

  it('know each row of a provable table by a key that no other row has', async () => {
    const loose: string[] = [];
    for (const [table, declared] of Object.entries(tables)) {
      if (declared.proof !== 'state') continue;
      const unique = await db.read((reader) =>
        reader.all<{ columns: string }>(
          open.engine === 'sqlite'
            ? `select (select group_concat(name) from (select i.name from pragma_index_info(l.name) i order by i.name)) as columns
                 from pragma_index_list('${table}') l where l."unique" = 1 and l.partial = 0
               union all select group_concat(name) from
                 (select name from pragma_table_info('${table}') where pk > 0 order by name)`
            : `select string_agg(a.attname, ',' order by a.attname) as columns
                 from pg_index x join pg_attribute a on a.attrelid = x.indrelid and a.attnum = any (x.indkey)
                 where x.indrelid = '${table}'::regclass and x.indisunique and x.indpred is null group by x.indexrelid`,
        ),
      );
      const key = [...declared.key].sort().join(',');
      if (!unique.some(({ columns }) => columns === key)) loose.push(`${table} (${key})`);
    }
    expect(loose).toEqual([]);
  });
});
