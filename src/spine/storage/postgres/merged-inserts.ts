// For speed: with a statement for each row a deposit takes 2.5 statements instead of 1.6, and 4 % more processor time.
import type pg from 'pg';
import type { SqlValue } from '../database.ts';
import type { Merging } from '../plain-insert.ts';

/** What the engine has filled in of an inserted row. */
export type Filled = readonly SqlValue[];

interface Waiting {
  readonly values: readonly SqlValue[];
  readonly resolve: (filled: Filled) => void;
  readonly reject: (error: unknown) => void;
}

type Query = (sql: string, values: readonly SqlValue[]) => Promise<pg.QueryResult>;

/** So many rows to a statement, and few different numbers of them, so that the server keeps them prepared. */
const PORTIONS = [32, 16, 8, 4, 2, 1] as const;

/** Inserts of one row each that follow each other, and nothing else, go to the server as one statement. */
export class MergedInserts {
  readonly #query: Query;
  #merging: Merging | undefined;
  #waiting: Waiting[] = [];

  constructor(query: Query) {
    this.#query = query;
  }

  /** Goes out with the next statement that is not the same insert, at the latest with the commit. */
  add(merging: Merging, values: readonly SqlValue[]): Promise<Filled> {
    if (this.#merging !== merging) this.flush();
    this.#merging = merging;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ values, resolve, reject });
    });
  }

  flush(): void {
    const merging = this.#merging;
    if (merging === undefined) return;
    const waiting = this.#waiting;
    this.#merging = undefined;
    this.#waiting = [];
    for (let start = 0; start < waiting.length; ) {
      const rows = PORTIONS.find((portion) => portion <= waiting.length - start) ?? 1;
      this.#insert(merging, waiting.slice(start, start + rows));
      start += rows;
    }
  }

  #insert(merging: Merging, rows: readonly Waiting[]): void {
    const sql = merging.statement(rows.length);
    this.#query(
      sql,
      rows.flatMap(({ values }) => values),
    ).then(
      (answer) => answerRows(merging, rows, answer),
      (error) => {
        for (const { reject } of rows) reject(error);
      },
    );
  }
}

/** Which of the returned rows is whose only its key tells. */
function answerRows(merging: Merging, rows: readonly Waiting[], { rows: returned }: pg.QueryResult): void {
  const byKey = new Map<string, Filled>();
  for (const cells of returned as SqlValue[][]) {
    byKey.set(JSON.stringify(cells.slice(0, merging.keyWidth)), cells.slice(merging.keyWidth));
  }
  for (const { values, resolve, reject } of rows) {
    if (merging.keyWidth === 0) {
      resolve([]);
      continue;
    }
    const key = JSON.stringify(merging.keyOf(values));
    const filled = byKey.get(key);
    if (filled === undefined) reject(new Error(`An inserted row was not returned: ${key}`));
    else resolve(filled);
  }
}
