import type { SqlValue, UnitOfWork } from './database.ts';

type Values = readonly SqlValue[];

/** Many rows go in by few statements, and by few different ones, so that the engines keep them prepared. */
const ROWS_PER_STATEMENT = [32, 8, 1] as const;

export interface Insertion {
  run(uow: UnitOfWork, rows: readonly Values[]): Promise<void>;
  /** The rows as stored, in no order. */
  returning<R extends object>(uow: UnitOfWork, rows: readonly Values[]): Promise<R[]>;
}

export interface InsertionShape {
  readonly into: string;
  readonly columns: readonly string[];
  /** How the values of a row are written in the statement; by default one mark per column. */
  readonly marks?: string;
  /** `on conflict … do nothing`, where rows that are there already are left as they are. */
  readonly unless?: string;
  readonly returning?: string;
}

export function insertion({ into, columns, marks, unless, returning }: InsertionShape): Insertion {
  const row = `(${marks ?? columns.map(() => '?').join(', ')})`;
  const statements = new Map(
    ROWS_PER_STATEMENT.map((count) => [
      count,
      [
        `insert into ${into} (${columns.join(', ')}) values ${Array(count).fill(row).join(', ')}`,
        ...(unless === undefined ? [] : [unless]),
        ...(returning === undefined ? [] : [`returning ${returning}`]),
      ].join(' '),
    ]),
  );

  function* portions(rows: readonly Values[]): Generator<{ sql: string; values: SqlValue[] }> {
    let start = 0;
    for (const [count, sql] of statements) {
      for (; rows.length - start >= count; start += count) {
        const values: SqlValue[] = [];
        for (let at = start; at < start + count; at += 1) values.push(...(rows[at] as Values));
        yield { sql, values };
      }
    }
  }

  return {
    async run(uow, rows) {
      for (const { sql, values } of portions(rows)) await uow.run(sql, values);
    },
    async returning<R extends object>(uow: UnitOfWork, rows: readonly Values[]) {
      const all: R[] = [];
      for (const { sql, values } of portions(rows)) all.push(...(await uow.all<R>(sql, values)));
      return all;
    },
  };
}
