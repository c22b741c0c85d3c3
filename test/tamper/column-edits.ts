import type { StoreCopy } from './store-image.ts';

export interface Column {
  readonly name: string;
  readonly type: 'text' | 'int';
}

/** The columns as the store has them, so that a new one is edited without anybody thinking of it. */
export async function columnsOf(
  engine: 'sqlite' | 'postgres',
  store: StoreCopy,
  table: string,
): Promise<Column[]> {
  const rows = await store.rows(
    engine === 'sqlite'
      ? `select name, type from pragma_table_info('${table}') order by cid`
      : `select column_name as name, data_type as type from information_schema.columns
         where table_schema = current_schema() and table_name = '${table}' order by ordinal_position`,
  );
  return rows.map(({ name, type }) => ({
    name: String(name),
    type: /int/i.test(String(type)) ? 'int' : 'text',
  }));
}

/** Values that are another one and still look like one: a stranger's edit, not an accident. */
export function otherValues({ name, type }: Column): string[] {
  // By one where no other row has that value; further away where every row has its own.
  if (type === 'int') return ['+ 1', '- 1', '+ 1000003'].map((step) => `coalesce(${name}, 0) ${step}`);
  const moved = `substr(${name}, 1, length(${name}) - 1) || case when substr(${name}, length(${name})) = '0' then '1' else '0' end`;
  return [`coalesce(${moved}, '00000000-0000-4000-8000-000000000000')`];
}
