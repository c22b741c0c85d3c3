import { selectColumns, selectTableColumns } from '../../storage/columns.ts';
import type { Reader } from '../../storage/database.ts';
import type { TableDeclarations } from '../../storage/tables.ts';
import { type DigestDeps, type StateTable, stateTable } from './row-digest.ts';

/** The provable tables of this store, with the columns that they have in it. */
export async function readStateTables(
  reader: Reader,
  declarations: TableDeclarations,
  deps: DigestDeps,
): Promise<ReadonlyMap<string, StateTable>> {
  const columns = await selectColumns(reader);
  const known = await selectTableColumns(reader);
  const tables = new Map<string, StateTable>();
  for (const [name, declared] of Object.entries(declarations)) {
    const own = columns.get(name);
    if (declared.proof !== 'state' || own === undefined) continue;
    tables.set(name, { ...stateTable(name, declared, own, deps), ...known.get(name) });
  }
  return tables;
}
