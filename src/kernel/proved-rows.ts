/** Rows of a store in a file that proves them: what each holds, and the event that recorded its digest. */
import { digestOf, formatDigest } from './digest.ts';
import type { Hasher } from './hasher.ts';
import { isJsonObject, type Json, type JsonObject } from './json/value.ts';

/** Events that record rows by their digests. */
const RECORDING_EVENTS: readonly Json[] = ['state.recorded', 'state.adopted', 'state.rewritten'];

/** What the store says of a row. All of it but the content is bound by the event that attests the explanation. */
export interface RowStatement {
  /** What of the explanation rests on the row: `package pkg_…`, or the place of a step. */
  readonly of: string;
  readonly table: string;
  readonly key: readonly (string | number)[];
  /** SHA-256 of the row as it is now; null if there is none. */
  readonly digest: string | null;
  /** The event that last recorded the row; null if none has. */
  readonly event_id: string | null;
  /** No event need have recorded it: the table is older than its records, and not adopted yet. */
  readonly unattested: boolean;
  /** Whether its content is in the file; if not, whoever asked may not read it. */
  readonly shown: boolean;
}

export interface ProvedRow extends RowStatement {
  /** Canonical JSON, whose hash is the digest. */
  readonly content?: string | undefined;
  /** Long texts, which are in the content as their hash. */
  readonly texts?: Readonly<Record<string, string>>;
}

export interface RowsReport {
  readonly rows: number;
  /** Proved by their digest alone. */
  readonly withheld: number;
  /** Whose last record says that they are gone. */
  readonly gone: number;
  readonly unattested: number;
}

/** A verdict about one row; `table` is undefined for one about all of them. */
export class RowFault extends Error {
  readonly table: string | undefined;
  readonly key: string | undefined;

  constructor(message: string, row?: { readonly table: string; readonly key: readonly Json[] }) {
    super(message);
    this.table = row?.table;
    this.key = row?.key.join(' ');
  }
}

/** As text, so that the content stays exactly what was hashed. */
export function formatRow({ content, texts, ...statement }: ProvedRow): string {
  const parts = [JSON.stringify(statement).slice(0, -1)];
  if (content !== undefined) parts.push(`"content":${content}`);
  if (texts !== undefined && Object.keys(texts).length > 0) parts.push(`"texts":${JSON.stringify(texts)}`);
  return `${parts.join(',')}}`;
}

/** What the journal keeps of the rows that an explanation was given with. */
export function rowsDigest(hasher: Hasher, rows: readonly RowStatement[]): string {
  const statements = rows.map(({ of, table, key, digest, event_id, unattested, shown }) => ({
    of,
    table,
    key: [...key],
    digest,
    event_id,
    unattested,
    shown,
  }));
  return formatDigest(digestOf(hasher, 'jcs', statements as unknown as Json));
}

/** Content ↔ digest ↔ record. That the records are in the journal is shown by their own proofs. */
export function checkRows(
  hasher: Hasher,
  rows: readonly Json[],
  records: ReadonlyMap<Json | undefined, JsonObject>,
): RowsReport & { readonly statements: readonly RowStatement[] } {
  const statements: RowStatement[] = [];
  const used = new Set<Json | undefined>();
  const counts = { rows: rows.length, withheld: 0, gone: 0, unattested: 0 };
  for (const value of rows) {
    const row = statementOf(value);
    statements.push(row);
    if (row.event_id !== null) {
      used.add(row.event_id);
      compareWithRecord(row, records.get(row.event_id));
    } else if (row.unattested) counts.unattested += 1;
    else throw new RowFault('The row was never recorded.', row);
    if (row.digest === null) counts.gone += 1;
    else if (!row.shown) counts.withheld += 1;
    compareWithContent(hasher, row, value as JsonObject);
  }
  for (const id of records.keys()) {
    if (!used.has(id)) throw new RowFault('The file holds a record that is of none of its rows.');
  }
  return { ...counts, statements };
}

function statementOf(value: Json): RowStatement {
  if (!isJsonObject(value)) throw new RowFault('A row is no object.');
  const { of, table, key, digest, event_id, unattested, shown, content: _, texts: __, ...others } = value;
  const isKey =
    Array.isArray(key) && key.every((cell) => typeof cell === 'string' || typeof cell === 'number');
  if (
    typeof of !== 'string' ||
    typeof table !== 'string' ||
    !isKey ||
    (digest !== null && typeof digest !== 'string') ||
    (event_id !== null && typeof event_id !== 'string') ||
    typeof unattested !== 'boolean' ||
    typeof shown !== 'boolean'
  ) {
    throw new RowFault('A row has no table, key, digest or record.');
  }
  const row = { of, table, key: key as (string | number)[], digest, event_id, unattested, shown };
  const [other] = Object.keys(others);
  if (other !== undefined) throw new RowFault(`The row has a member that means nothing here: ${other}.`, row);
  return row;
}

function compareWithRecord(row: RowStatement, event: JsonObject | undefined): void {
  if (event === undefined)
    throw new RowFault('The file has no proof of the event that records the row.', row);
  const payload = isJsonObject(event.payload ?? null) ? (event.payload as JsonObject) : {};
  if (!RECORDING_EVENTS.includes(event.event_type ?? null) || !Array.isArray(payload.rows)) {
    throw new RowFault('The event that is said to record the row records no rows.', row);
  }
  const key = JSON.stringify(row.key);
  const record = (payload.rows as readonly Json[]).findLast(
    (one) => Array.isArray(one) && one[0] === row.table && JSON.stringify(one[1]) === key,
  ) as readonly Json[] | undefined;
  const place = `event ${row.event_id}, leaf ${event.leaf}`;
  if (record === undefined) throw new RowFault(`No record of the row is in ${place}.`, row);
  const recorded = record[2] ?? null;
  if (recorded === row.digest) return;
  if (recorded === null) throw new RowFault(`The row was deleted, and is there (${place}).`, row);
  if (row.digest === null) throw new RowFault(`The row was recorded, and is not there (${place}).`, row);
  throw new RowFault(`The row is not as it was recorded (${place}).`, row);
}

function compareWithContent(hasher: Hasher, row: RowStatement, value: JsonObject): void {
  const { content, texts = {} } = value;
  if (content === undefined) {
    if (row.shown) throw new RowFault('The content of the row was taken out of the file.', row);
    if (isJsonObject(texts) && Object.keys(texts).length === 0) return;
    throw new RowFault('The row has texts, and no content that they belong to.', row);
  }
  if (!row.shown) throw new RowFault('The row is said to have no content in the file, and has one.', row);
  const cells = isJsonObject(content) ? content.row : undefined;
  if (!isJsonObject(content) || cells === undefined || !isJsonObject(cells) || content.table !== row.table) {
    throw new RowFault('The content is not that of a row of this table.', row);
  }
  if (digestOf(hasher, 'jcs', content).hex !== row.digest) {
    throw new RowFault('The content does not have the digest that was recorded.', row);
  }
  if (!isJsonObject(texts)) throw new RowFault('The texts are no object.', row);
  for (const [column, text] of Object.entries(texts)) {
    if (typeof text === 'string' && hasher.hex(text) === cells[column]) continue;
    throw new RowFault(`The text of ${column} is not the one that was recorded.`, row);
  }
}
