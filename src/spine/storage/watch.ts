import type { TableColumns } from './columns.ts';
import type { SqlValue, UnitOfWork } from './database.ts';
import { type PlainInsert, plainInsert } from './plain-insert.ts';

/** A table whose changed rows the store hands over. */
export interface WatchedTable extends Partial<TableColumns> {
  readonly name: string;
  /** What is handed over of a row. */
  readonly columns: readonly string[];
  /** What tells its rows apart, if that is known. */
  readonly key?: readonly string[];
  /** An update of these alone is not handed over. */
  readonly silent: ReadonlySet<string>;
}

/** Cells are those of the table's columns: of a row that is gone, as they last were. */
export interface RowChange {
  readonly table: WatchedTable;
  readonly cells: readonly SqlValue[];
  readonly gone: boolean;
}

export const inserted = (table: WatchedTable, cells: readonly SqlValue[]): RowChange => ({
  table,
  cells,
  gone: false,
});

export interface Watch {
  readonly tables: ReadonlyMap<string, WatchedTable>;
  /** Given all that a commit changed, in order. What it leaves to the commit must be applied `afterRecord`. */
  record(uow: UnitOfWork, changes: readonly RowChange[]): Promise<void>;
}

/** What a database hands to its units: the watch comes after the tables that it watches. */
export class Watching {
  #watch: Watch | undefined;
  readonly #statements = new Map<string, WatchedStatement | null>();

  set(watch: Watch): void {
    this.#watch = watch;
    this.#statements.clear();
  }

  get watch(): Watch | undefined {
    return this.#watch;
  }

  /** How to run a statement so that it hands over the rows it changes; undefined if it changes none that are watched. */
  statement(sql: string): WatchedStatement | undefined {
    if (this.#watch === undefined) return undefined;
    const known = this.#statements.get(sql);
    if (known !== undefined) return known ?? undefined;
    const statement = watchedStatement(sql, this.#watch.tables);
    if (this.#statements.size >= MANY_STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, statement ?? null);
    return statement;
  }
}

const MANY_STATEMENTS = 2_000;

export interface WatchedStatement {
  readonly table: WatchedTable;
  readonly gone: boolean;
  /** The same statement; its rows begin with the cells that are handed over. */
  readonly sql: string;
  /** How many cells those are; the statement's own follow. */
  readonly width: number;
  /** How to run it without asking for what is known, where its values allow it. */
  readonly plain?: PlainInsert;
}

const INSERT = /^\s*insert\s+into\s+([a-z_]+)\s+(?:as\s+([a-z_]+)\s+)?\(/i;
const UPDATE = /^\s*update\s+([a-z_]+)(?:\s+(?:as\s+)?(?!set\b)([a-z_]+))?\s+set\s/i;
const DELETE = /^\s*delete\s+from\s+([a-z_]+)(?:\s+as\s+([a-z_]+))?(?=\s|$)/i;
const RETURNING = /\sreturning\s+/i;

/** A write to a watched table that cannot be read as one would go unrecorded, so it is refused. */
export function watchedStatement(
  sql: string,
  tables: ReadonlyMap<string, WatchedTable>,
): WatchedStatement | undefined {
  const match = INSERT.exec(sql) ?? UPDATE.exec(sql) ?? DELETE.exec(sql);
  if (match === null) return refuseHidden(sql, tables);
  const table = tables.get(match[1]?.toLowerCase() ?? '');
  if (table === undefined) return undefined;
  const verb = sql.trimStart().slice(0, 6).toLowerCase();
  if (verb === 'update' && assignedColumns(sql).every((column) => table.silent.has(column))) return undefined;
  const gone = verb === 'delete';
  const from = match[2] ?? table.name;
  const cells = table.columns.map((column) => `${from}.${column}`).join(', ');
  const own = RETURNING.exec(sql);
  const plain = verb === 'insert' ? plainInsert(sql, table) : undefined;
  return {
    ...(plain && { plain }),
    table,
    gone,
    sql:
      own === null
        ? `${sql} returning ${cells}`
        : `${sql.slice(0, own.index)} returning ${cells}, ${sql.slice(own.index + own[0].length)}`,
    width: table.columns.length,
  };
}

const WRITES =
  /\b(?:insert\s+into|replace\s+into|insert\s+or\s+[a-z]+\s+into|update|delete\s+from)\s+([a-z_]+)/gi;
const READS = /^\s*(?:select|explain|pragma|savepoint|release|rollback)\b/i;

function refuseHidden(sql: string, tables: ReadonlyMap<string, WatchedTable>): undefined {
  if (READS.test(sql)) return undefined;
  for (const [, name] of sql.matchAll(WRITES)) {
    if (tables.has(name?.toLowerCase() ?? '')) {
      throw new Error(`A change of ${name} that cannot be recorded: ${sql}`);
    }
  }
  return undefined;
}

const SET = /\sset\s/i;
const SET_END = /^(?:where|from|returning)$/i;

/** The columns that an update assigns. */
export function assignedColumns(sql: string): string[] {
  const start = SET.exec(sql);
  if (start === null) return [];
  const columns: string[] = [];
  let depth = 0;
  let fresh = true;
  for (const [token] of sql
    .slice(start.index + start[0].length)
    .matchAll(/'(?:[^']|'')*'|[a-z_][a-z0-9_.]*|./gis)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if (depth > 0) continue;
    else if (SET_END.test(token)) break;
    else if (token === ',') fresh = true;
    else if (fresh && /^[a-z_]/i.test(token)) {
      columns.push(token.toLowerCase());
      fresh = false;
    }
  }
  return columns;
}
