import { type ColumnKind, constantOf, type TableColumns } from './columns.ts';
import type { SqlValue } from './database.ts';

/**
 * An insert whose rows are known from its own values and the defaults of its table: the engine is asked only for what it
 * makes up itself. To be told of a row at all costs an insert half as much again.
 */
export interface PlainInsert {
  /** Returns a row for each that it inserts if `filled` or `own` says so. */
  readonly sql: string;
  /** How many rows it inserts, unless one of them is there already and it leaves that as it is. */
  readonly rows: number;
  /** How many cells of the returned row the engine has filled in; the statement's own follow. */
  readonly filled: number;
  readonly own: boolean;
  /** The one cell that only the engine knows is the number it gives the row, which it tells without being asked. */
  readonly numbered: boolean;
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
  /** The items of each row: parameters and literals. */
  readonly rows: readonly (readonly string[])[];
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
  const rows: string[][] = [];
  let rowText = '';
  for (let row = ROW.exec(rest); row !== null; row = ROW.exec(rest)) {
    if (rows.length === 0) rowText = `(${row[1]})`;
    rows.push([...(row[1] as string).matchAll(ITEM)].map(([item]) => item));
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

/** Where a cell comes from: a parameter, by its place among them; the engine; or neither, where it is known before. */
type Source = { readonly parameter: number } | { readonly constant: SqlValue } | 'engine';

/** Undefined where the engine must be asked for whole rows. */
export function plainInsert(
  sql: string,
  table: { readonly columns: readonly string[]; readonly key?: readonly string[] } & Partial<TableColumns>,
): PlainInsert | undefined {
  const text = readInsert(sql);
  if (text === undefined || new Set(text.columns).size !== text.columns.length) return undefined;
  const { rows, unless, returning, base } = text;

  let parameters = 0;
  const sources = rows.map((items) => {
    const places = items.map((item) => (item === '?' ? parameters++ : -1));
    return table.columns.map((column) =>
      sourceOf(column, text.columns.indexOf(column), items, places, table),
    );
  });
  const filled = table.columns.filter((_, at) => sources.some((row) => row[at] === 'engine'));
  if (filled.length === table.columns.length) return undefined;
  // Which of several rows a returned one is, or which were left out, the engines do not say.
  if (rows.length > 1 && (filled.length > 0 || unless || returning !== undefined)) return undefined;

  const expected = sources.flatMap((row) =>
    row.flatMap((source, at) =>
      source !== 'engine' && 'parameter' in source
        ? [{ place: source.parameter, kind: table.kinds?.get(table.columns[at] as string) as ColumnKind }]
        : [],
    ),
  );
  const numbered = returning === undefined && filled.length === 1 && filled[0] === table.numbered;
  const asked = numbered ? [] : filled;
  const returned = [...asked, ...(returning === undefined ? [] : [returning])];
  const key = table.key ?? [];
  const keySources = key.flatMap((column) => (sources[0] as Source[])[table.columns.indexOf(column)] ?? []);
  const known = key.length > 0 && key.length === keySources.length && !keySources.includes('engine');
  const mergeable = rows.length === 1 && !unless && returning === undefined && (known || filled.length === 0);
  return {
    ...(mergeable && {
      merging: {
        ...mergedStatements(base, text.rowText, filled.length === 0 ? [] : [...key, ...filled]),
        keyWidth: filled.length === 0 ? 0 : key.length,
        keyOf: (values) => keySources.map((source) => cellOf(source, values) as SqlValue),
      },
    }),
    sql: returned.length === 0 ? base : `${base} returning ${returned.join(', ')}`,
    rows: rows.length,
    filled: asked.length,
    own: returning !== undefined,
    numbered,
    keeps: (values) =>
      values.length === parameters && expected.every(({ place, kind }) => isKept(kind, values[place])),
    cellsOf(values, row, fromEngine) {
      let next = 0;
      return (sources[row] as readonly Source[]).map((source) => {
        if (source === 'engine') return fromEngine[next++] as SqlValue;
        return cellOf(source, values) as SqlValue;
      });
    },
  };
}

function sourceOf(
  column: string,
  at: number,
  items: readonly string[],
  places: readonly number[],
  { kinds, defaults }: Partial<TableColumns>,
): Source {
  if (at < 0) {
    const constant = defaults?.get(column);
    return constant === undefined ? 'engine' : { constant };
  }
  const kind = kinds?.get(column);
  if (items[at] === '?') return kind === undefined ? 'engine' : { parameter: places[at] as number };
  // SQLite takes a null for the number of a row as the wish for one.
  const made = kind === undefined && !defaults?.has(column);
  const constant = made ? undefined : constantOf(items[at] as string, kind);
  return constant === undefined ? 'engine' : { constant };
}

function cellOf(source: Source, values: readonly SqlValue[]): SqlValue | undefined {
  if (source === 'engine') return undefined;
  return 'parameter' in source ? values[source.parameter] : source.constant;
}

/** The insert of many rows, all written like the one. */
function mergedStatements(
  base: string,
  rowText: string,
  returned: readonly string[],
): Pick<Merging, 'statement'> {
  const statements = new Map<number, string>();
  const ending = returned.length === 0 ? '' : ` returning ${returned.join(', ')}`;
  return {
    statement(rows) {
      const known = statements.get(rows);
      if (known !== undefined) return known;
      const sql = `${base}${`, ${rowText}`.repeat(rows - 1)}${ending}`;
      statements.set(rows, sql);
      return sql;
    },
  };
}

function isKept(kind: ColumnKind, value: SqlValue | undefined): boolean {
  if (value === null) return true;
  return kind === 'text' ? typeof value === 'string' : Number.isInteger(value);
}
