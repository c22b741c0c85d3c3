import type { ColumnKind, ColumnKinds } from './columns.ts';
import type { SqlValue } from './database.ts';

/**
 * An insert whose rows are known from its own values: the engine is asked only for the columns that it fills in itself.
 * To be told all that was just handed over costs an insert as much again.
 */
export interface PlainInsert {
  /** Returns a row for each that it inserts if `filled` or `own` says so. */
  readonly sql: string;
  /** How many rows it inserts, unless one of them is there already and it leaves that as it is. */
  readonly rows: number;
  /** How many cells of the returned row the engine has filled in; the statement's own follow. */
  readonly filled: number;
  readonly own: boolean;
  /** Whether both engines store these values as they are: a number given for text becomes one, for example. */
  keeps(values: readonly SqlValue[]): boolean;
  cellsOf(values: readonly SqlValue[], row: number, filled: readonly SqlValue[]): SqlValue[];
  /** How inserts of one row each become one statement; undefined where that would not be the same. */
  readonly merging?: Merging;
}

export interface Merging {
  /** Returns for each row its key and then what the engine has filled in; nothing if it fills in nothing. */
  statement(rows: number): string;
  /** How many cells of a returned row are its key. */
  readonly keyWidth: number;
  /** The key of the row that these values insert, as it will be returned. */
  keyOf(values: readonly SqlValue[]): readonly SqlValue[];
}

interface InsertText {
  readonly columns: readonly string[];
  /** For each row, which items are parameters. */
  readonly rows: readonly (readonly boolean[])[];
  /** The first of them as it is written. */
  readonly rowText: string;
  readonly unless: boolean;
  readonly returning: string | undefined;
  /** The statement without its own `returning`. */
  readonly base: string;
}

const HEAD = /^\s*insert\s+into\s+[a-z_]+\s+\(([a-z0-9_,\s]+)\)\s*values\s*/i;
/** Parameters and literals: of anything else only the engine knows what it comes to. */
const ROW = /^\(\s*((?:\?|-?\d+|null|'(?:[^']|'')*')(?:\s*,\s*(?:\?|-?\d+|null|'(?:[^']|'')*'))*)\s*\)\s*/i;
const ITEM = /\?|-?\d+|null|'(?:[^']|'')*'/gi;
const UNLESS = /^on\s+conflict\s*(?:\([a-z0-9_,\s]+\)\s*)?do\s+nothing\s*/i;
const RETURNING = /^returning\s+([^?]+)$/i;

function readInsert(sql: string): InsertText | undefined {
  const head = HEAD.exec(sql);
  if (head === null) return undefined;
  const columns = (head[1] as string).split(',').map((column) => column.trim().toLowerCase());
  let rest = sql.slice(head[0].length);
  const rows: boolean[][] = [];
  let rowText = '';
  for (let row = ROW.exec(rest); row !== null; row = ROW.exec(rest)) {
    if (rows.length === 0) rowText = `(${row[1]})`;
    rows.push([...(row[1] as string).matchAll(ITEM)].map(([item]) => item === '?'));
    rest = rest.slice(row[0].length);
    if (!rest.startsWith(',')) break;
    rest = rest.slice(1).trimStart();
  }
  const unless = UNLESS.exec(rest);
  if (unless !== null) rest = rest.slice(unless[0].length);
  const returning = RETURNING.exec(rest);
  if (returning === null && rest !== '') return undefined;
  if (rows.length === 0 || rows.some((items) => items.length !== columns.length)) return undefined;
  return {
    columns,
    rows,
    rowText,
    unless: unless !== null,
    returning: returning?.[1],
    base: sql.slice(0, sql.length - rest.length).trimEnd(),
  };
}

/** Undefined where the engine must be asked for whole rows. */
export function plainInsert(
  sql: string,
  table: {
    readonly columns: readonly string[];
    readonly key?: readonly string[];
    readonly kinds?: ColumnKinds;
  },
): PlainInsert | undefined {
  const text = readInsert(sql);
  if (text === undefined || new Set(text.columns).size !== text.columns.length) return undefined;
  const { rows, unless, returning, base } = text;
  const { kinds = new Map<string, ColumnKind>() } = table;
  const given = (column: string) => {
    const at = text.columns.indexOf(column);
    return at >= 0 && kinds.has(column) && rows.every((items) => items[at]) ? at : -1;
  };
  const filled = table.columns.filter((column) => given(column) < 0);
  if (filled.length === table.columns.length) return undefined;
  // Which of several rows a returned one is, or which were left out, the engines do not say.
  if (rows.length > 1 && (filled.length > 0 || unless || returning !== undefined)) return undefined;

  const starts: number[] = [];
  let parameters = 0;
  for (const items of rows) {
    starts.push(parameters);
    parameters += items.filter(Boolean).length;
  }
  const within = (items: readonly boolean[], at: number) => items.slice(0, at).filter(Boolean).length;
  const places = rows.map((items, row) =>
    table.columns.map((column) => {
      const at = given(column);
      return at < 0 ? -1 : (starts[row] as number) + within(items, at);
    }),
  );
  const expected = places.flatMap((ofRow) =>
    ofRow.flatMap((place, at) =>
      place < 0 ? [] : [{ place, kind: kinds.get(table.columns[at] as string) as ColumnKind }],
    ),
  );
  const returned = [...filled, ...(returning === undefined ? [] : [returning])];
  const keyPlaces = (table.key ?? []).map(
    (column) => (places[0] as number[])[table.columns.indexOf(column)] ?? -1,
  );
  const known = keyPlaces.length > 0 && keyPlaces.every((place) => place >= 0);
  const mergeable = rows.length === 1 && !unless && returning === undefined && (known || filled.length === 0);
  return {
    ...(mergeable && { merging: merging(base, text.rowText, filled, table.key ?? [], keyPlaces) }),
    sql: returned.length === 0 ? base : `${base} returning ${returned.join(', ')}`,
    rows: rows.length,
    filled: filled.length,
    own: returning !== undefined,
    keeps: (values) =>
      values.length === parameters && expected.every(({ place, kind }) => isKept(kind, values[place])),
    cellsOf(values, row, fromEngine) {
      let next = 0;
      return (places[row] as readonly number[]).map(
        (place) => (place < 0 ? fromEngine[next++] : values[place]) as SqlValue,
      );
    },
  };
}

function merging(
  base: string,
  rowText: string,
  filled: readonly string[],
  key: readonly string[],
  keyPlaces: readonly number[],
): Merging {
  const statements = new Map<number, string>();
  const ending = filled.length === 0 ? '' : ` returning ${[...key, ...filled].join(', ')}`;
  return {
    statement(rows) {
      let sql = statements.get(rows);
      if (sql === undefined) {
        sql = `${base}${`, ${rowText}`.repeat(rows - 1)}${ending}`;
        statements.set(rows, sql);
      }
      return sql;
    },
    keyWidth: filled.length === 0 ? 0 : key.length,
    keyOf: (values) => keyPlaces.map((place) => values[place] as SqlValue),
  };
}

function isKept(kind: ColumnKind, value: SqlValue | undefined): boolean {
  if (value === null) return true;
  return kind === 'text' ? typeof value === 'string' : Number.isInteger(value);
}
