import type { StoreCopy } from './store-image.ts';

export interface Column {
  readonly name: string;
  readonly type: 'text' | 'int' | 'real' | 'bytes';
  /** Some bytes, as the engine writes them. */
  readonly someBytes: string;
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
    type: typeOf(String(type)),
    someBytes: engine === 'sqlite' ? "x'00ff'" : "'\\x00ff'",
  }));
}

function typeOf(type: string): Column['type'] {
  if (/int/i.test(type)) return 'int';
  if (/real|double/i.test(type)) return 'real';
  return /blob|bytea/i.test(type) ? 'bytes' : 'text';
}

/** Values that are another one and still look like one: a stranger's edit, not an accident. */
export function otherValues({ name, type, someBytes }: Column): string[] {
  // By one where no other row has that value; further away where every row has its own.
  if (type === 'int') return ['+ 1', '- 1', '+ 1000003'].map((step) => `coalesce(${name}, 0) ${step}`);
  if (type === 'real') return [`coalesce(${name}, 0) + 0.25`];
  if (type === 'bytes') return [someBytes];
  const moved = `substr(${name}, 1, length(${name}) - 1) || case when substr(${name}, length(${name})) = '0' then '1' else '0' end`;
  return [`coalesce(${moved}, '00000000-0000-4000-8000-000000000000')`];
}
