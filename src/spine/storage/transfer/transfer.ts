import type { Database, Reader, UnitOfWork } from '../database.ts';
import { storageErrors } from '../errors.ts';
import type { Migration } from '../migration.ts';
import { arriveIn, completeArrival } from './arrival.ts';
import { type CopiedTable, selectCatalogue } from './catalogue.ts';
import { type Content, contentOf } from './content.ts';
import { copyTable, forgetTable } from './copy-table.ts';
import { leave } from './departure.ts';
import { selectMark } from './marks.ts';
import { selectSerials, setSerials } from './serials.ts';

export interface Transfer {
  readonly source: Database;
  readonly target: Database;
  readonly migrations: readonly Migration[];
  /** Those that are copied and compared; the others are made again. */
  readonly tables: ReadonlySet<string>;
  /** The table without which nothing is recorded: the source takes no rows into it any more. */
  readonly fence: string;
  /** Whether the source can be copied as it is; asked while nobody writes to it. */
  readonly isReady: (source: Reader) => Promise<boolean>;
  /** Makes what each engine keeps in its own way. */
  readonly remake: (source: Reader, target: Database) => Promise<void>;
  /** Throws unless the target holds together by itself. */
  readonly verify: () => Promise<void>;
  readonly progress?: (phase: TransferPhase, done: number, total: number) => void;
}

export type TransferPhase = 'copying' | 'comparing' | 'verifying';

export interface TransferredTable extends Content {
  readonly name: string;
}

/** Nothing was moved: the source changed before it could be held still. Another attempt may do. */
export class NotReady extends Error {}

/**
 * Moves a store whole. While it runs nobody writes to the source. In this order, so that a kill at any moment leaves one
 * store that can be opened: the target is filled and verified, the source is closed for good, the target is opened.
 */
export async function transfer(plan: Transfer): Promise<TransferredTable[]> {
  const { source, target, migrations } = plan;
  const name = await arriveIn(target, migrations);
  const tables = await source.exclusively(async (held) => {
    const moved = await selectMark(held, 'moved');
    if (moved === name) return contents(target, plan.tables);
    if (moved !== undefined) throw storageErrors.storage_moved();
    return move(plan, held, name);
  });
  await completeArrival(target);
  return tables;
}

async function move(plan: Transfer, held: UnitOfWork, name: string): Promise<TransferredTable[]> {
  const { source, target, progress } = plan;
  if (!(await plan.isReady(held))) throw new NotReady();
  const tables = await selectCatalogue(held, plan.tables);
  const total = await countRows(held, tables);
  // What an interrupted attempt has copied may have changed since: such a table is copied again, once.
  for (const attempt of ['first', 'last']) {
    let done = 0;
    for (const table of tables) {
      await copyTable(held, target, table, (rows) => {
        done += rows;
        progress?.('copying', Math.min(done, total), total);
      });
    }
    const { same, differing } = await compare(plan, held, tables, total);
    if (differing.length === 0) {
      await target.write(async (uow) => setSerials(uow, await selectSerials(held)));
      await plan.remake(held, target);
      if (target.engine === 'postgres') await target.write(async (uow) => void (await uow.run('analyze')));
      await plan.verify();
      await leave(held, name, plan.fence);
      return same;
    }
    if (attempt === 'last') {
      throw storageErrors.migration_differs({ details: { tables: differing.map((table) => table.name) } });
    }
    await forgetWithChildren(target, tables, differing);
  }
  throw new Error(`The store of ${source.engine} was neither moved nor refused.`);
}

async function compare(plan: Transfer, held: Reader, tables: readonly CopiedTable[], total: number) {
  const same: TransferredTable[] = [];
  const differing: CopiedTable[] = [];
  let done = 0;
  for (const table of tables) {
    const before = await contentOf(held, table);
    const after = await plan.target.read((reader) => contentOf(reader, table));
    if (before.digest === after.digest && before.rows === after.rows)
      same.push({ name: table.name, ...after });
    else differing.push(table);
    done += before.rows;
    plan.progress?.('comparing', Math.min(done, total), total);
  }
  return { same, differing };
}

/** Rows of other tables may refer to those that are removed: everything from the first of them on goes, children first. */
async function forgetWithChildren(
  target: Database,
  tables: readonly CopiedTable[],
  differing: readonly CopiedTable[],
): Promise<void> {
  const first = tables.findIndex((table) => differing.includes(table));
  for (const table of tables.slice(first).reverse()) {
    await target.write(async (uow) => void (await uow.run(`delete from ${table.name}`)));
    await forgetTable(target, table);
  }
}

async function contents(target: Database, names: ReadonlySet<string>): Promise<TransferredTable[]> {
  return target.read(async (reader) => {
    const all: TransferredTable[] = [];
    for (const table of await selectCatalogue(reader, names)) {
      all.push({ name: table.name, ...(await contentOf(reader, table)) });
    }
    return all;
  });
}

async function countRows(reader: Reader, tables: readonly CopiedTable[]): Promise<number> {
  let total = 0;
  for (const { name } of tables) {
    total += (await reader.get<{ n: number }>(`select count(*) as n from ${name}`))?.n ?? 0;
  }
  return total;
}
