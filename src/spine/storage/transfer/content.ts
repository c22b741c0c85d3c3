import { createHash } from 'node:crypto';
import type { Reader } from '../database.ts';
import type { CopiedTable } from './catalogue.ts';
import { pagesOf } from './pages.ts';

export interface Content {
  readonly rows: number;
  /** Over all cells of all rows in the order of the key: the same on both engines for the same content. */
  readonly digest: string;
}

export async function contentOf(reader: Reader, table: CopiedTable): Promise<Content> {
  const hash = createHash('sha256').update(JSON.stringify(table.columns));
  let rows = 0;
  for await (const page of pagesOf(reader, table)) {
    for (const row of page) {
      const cells = row.map((cell) =>
        cell instanceof Uint8Array ? { bytes: Buffer.from(cell).toString('base64') } : cell,
      );
      hash.update(`${JSON.stringify(cells)}\n`);
    }
    rows += page.length;
    await reader.giveTurn();
  }
  return { rows, digest: hash.digest('hex') };
}
