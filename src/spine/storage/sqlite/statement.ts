import type { StatementSyncInstance } from '@photostructure/sqlite';
import type { SqlValue } from '../database.ts';
import type { SqlText } from '../sql-text.ts';
import { isTooLarge } from './sqlite-error.ts';

type Row = object;
const INT32 = 2 ** 31;

/** A prepared statement whose rows are plain objects, built from arrays because that is faster than the library's. */
export class Statement {
  readonly sql: SqlText;
  readonly #native: StatementSyncInstance;
  readonly #inexact: boolean;
  #names: readonly string[];

  /** `inexact`: integers that are too large are read as the nearest number, as `DatabaseOptions` has it. */
  constructor(sql: SqlText, native: StatementSyncInstance, inexact = false) {
    this.sql = sql;
    native.setReturnArrays(true);
    this.#native = native;
    this.#inexact = inexact;
    this.#names = this.#readNames();
  }

  all(values: readonly SqlValue[]): Row[] {
    return this.cells(values).map((row) => this.#toRow(row));
  }

  get(values: readonly SqlValue[]): Row | undefined {
    const row = this.#read(() => this.#native.get(...bind(values)) as unknown[] | undefined, numbers);
    return row === undefined ? undefined : this.#toRow(row);
  }

  cells(values: readonly SqlValue[]): SqlValue[][] {
    return this.#read(
      () => this.#native.all(...bind(values)) as SqlValue[][],
      (rows) => rows.map(numbers) as SqlValue[][],
    );
  }

  #read<T>(read: () => T, narrowed: (wide: T) => T): T {
    if (!this.#inexact) return read();
    try {
      return read();
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      this.#native.setReadBigInts(true);
      try {
        return narrowed(read());
      } finally {
        this.#native.setReadBigInts(false);
      }
    }
  }

  split(values: readonly SqlValue[], width: number): { rows: Row[]; changed: SqlValue[][] } {
    const all = this.cells(values);
    if (this.#names.length === width) return { rows: [], changed: all };
    return {
      rows: all.map((cells) => this.#toRow(cells, width)),
      changed: all.map((cells) => cells.slice(0, width)),
    };
  }

  run(values: readonly SqlValue[]): number {
    return this.#native.run(...bind(values)).changes;
  }

  /** Of the row that was inserted last, its number. */
  insert(values: readonly SqlValue[]): { readonly count: number; readonly number: number } {
    const { changes, lastInsertRowid } = this.#native.run(...bind(values));
    return { count: changes, number: Number(lastInsertRowid) };
  }

  #toRow(cells: readonly unknown[], from = 0): Row {
    // SQLite prepares again by itself when another process has changed the schema.
    if (cells.length !== this.#names.length) this.#names = this.#readNames();
    const row: Record<string, unknown> = {};
    for (let at = from; at < cells.length; at++) row[this.#names[at] as string] = cells[at];
    return row;
  }

  #readNames(): readonly string[] {
    return this.#native.columns().map((column) => column.name);
  }
}

function numbers<T extends readonly unknown[] | undefined>(row: T): T {
  return row?.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell)) as unknown as T;
}

/** Integers beyond 32 bits go in as BigInt: the library would bind them as REAL, and `? / 2` would be a fraction. */
function bind(values: readonly SqlValue[]): readonly (SqlValue | bigint)[] {
  for (const value of values) if (isWide(value)) return values.map((v) => (isWide(v) ? BigInt(v) : v));
  return values;
}

function isWide(value: SqlValue): value is number {
  return typeof value === 'number' && Number.isInteger(value) && (value >= INT32 || value < -INT32);
}
