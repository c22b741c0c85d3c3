import type { Database, Reader, SqlValue } from '../database.ts';
import { type Insertion, insertion } from '../insertion.ts';
import type { CopiedTable } from './catalogue.ts';
import { type Cells, keyOf, pagesOf } from './pages.ts';
import { selectProgress, setProgress } from './progress-store.ts';

/** Copies the rows of a table that are not there yet; each page is a unit that also says how far it came. */
export async function copyTable(
  source: Reader,
  target: Database,
  table: CopiedTable,
  copied: (rows: number) => void,
): Promise<void> {
  const before = await target.read((reader) => selectProgress(reader, table.name));
  if (before?.complete) return;
  const rows = insertion({ into: table.name, columns: table.columns });
  if (before === undefined) {
    // What the schema puts into a new store is in the source too.
    await target.write(async (uow) => {
      await uow.run(`delete from ${table.name}`);
      await setProgress(uow, table.name, { after: undefined, complete: false });
    });
  }
  for await (const page of pagesOf(source, table, before?.after)) {
    await copyPage(target, table, rows, page);
    copied(page.length);
  }
  if (table.own.length > 0) await tieOwnRows(source, target, table);
  await target.write((uow) => setProgress(uow, table.name, { after: undefined, complete: true }));
}

/** So that the next copy begins with it again. */
export async function forgetTable(target: Database, table: CopiedTable): Promise<void> {
  await target.write((uow) => setProgress(uow, table.name, undefined));
}

async function copyPage(
  target: Database,
  table: CopiedTable,
  rows: Insertion,
  page: readonly Cells[],
): Promise<void> {
  const loose = new Set(table.own.map((column) => table.columns.indexOf(column)));
  const untied =
    loose.size === 0 ? page : page.map((row) => row.map((cell, at) => (loose.has(at) ? null : cell)));
  await target.write(async (uow) => {
    await rows.run(uow, untied);
    const after = keyOf(table, page.at(-1) as Cells);
    await setProgress(uow, table.name, { after, complete: false });
  });
}

/** Rows that name rows of their own table are written without that first: the one that is named may come later. */
async function tieOwnRows(source: Reader, target: Database, table: CopiedTable): Promise<void> {
  const places = table.own.map((column) => table.columns.indexOf(column));
  const sql = `update ${table.name} set ${table.own.map((column) => `${column} = ?`).join(', ')}
    where ${table.key.map((column) => `${column} = ?`).join(' and ')}`;
  for await (const page of pagesOf(source, table)) {
    const tied = page.filter((row) => places.some((at) => row[at] !== null));
    if (tied.length === 0) continue;
    await target.write(async (uow) => {
      for (const row of tied)
        await uow.send(sql, [...places.map((at) => row[at] as SqlValue), ...keyOf(table, row)]);
    });
  }
}
