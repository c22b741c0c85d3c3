import type { Hasher } from '../../../kernel/hasher.ts';
import type { SqlValue } from '../../storage/database.ts';
import type { ProvableTable, Row } from '../../storage/tables.ts';
import type { WatchedTable } from '../../storage/watch.ts';
import { recordsOf, STORE } from '../chains/chain.ts';
import { isSealed, openedOrStored, type PayloadCodec } from '../events/payload-codec.ts';
import type { RowKey } from './state-event.ts';

/** A table with what its rows are digested by. */
export interface StateTable extends WatchedTable {
  readonly key: readonly string[];
  /** Identifies a row among those of its table. */
  keyOf(cells: readonly SqlValue[]): RowKey;
  /** Its rows belong to no project. */
  readonly ofStore: boolean;
  /** Where the row is recorded. */
  recordedIn(cells: readonly SqlValue[]): string;
  /**
   * The row as canonical JSON (JCS): its cells by column, without those that are null, so that a column added later
   * changes no digest. Erasable and large cells stand in it as their hash.
   */
  preimage(cells: readonly SqlValue[]): string;
  /** The texts that stand in the preimage as their plain hash, by column. Those that can be erased are never among them. */
  texts(cells: readonly SqlValue[]): Readonly<Record<string, string>>;
}

export { recordsOf, STORE };

type Cells = readonly SqlValue[];

const SHORT = 80;
const PLAIN_ASCII = /^[ !#-[\]-~]*$/;

/** Most cells are ids and hashes: to see that nothing is to be escaped takes a third of the time of `JSON.stringify`. */
function quoted(text: string): string {
  return text.length <= SHORT && PLAIN_ASCII.test(text) ? `"${text}"` : JSON.stringify(text);
}

export interface DigestDeps {
  readonly hasher: Hasher;
  readonly payloads: PayloadCodec;
}

/** `columns`: all that the table has, in the order of their names. */
export function stateTable(
  name: string,
  declared: ProvableTable,
  columns: readonly string[],
  { hasher, payloads }: DigestDeps,
): StateTable {
  const silent = new Set(declared.volatile ?? []);
  const handed = columns.filter((column) => !silent.has(column));
  const places = new Map(handed.map((column, at) => [column, at]));
  const placeOf = (column: string) => {
    const place = places.get(column);
    if (place === undefined) throw new Error(`The table ${name} has no column ${column} to be known by.`);
    return place;
  };
  const keyPlaces = declared.key.map(placeOf);
  const projectPlace = declared.project === undefined ? undefined : placeOf(declared.project);
  const hashed = new Set(declared.hashed ?? []);
  const erasable = new Set(declared.erasable?.columns ?? []);
  const salt = declared.erasable && placeOf(declared.erasable.salt);
  const sealed = declared.sealed ?? {};
  const rowOf = (cells: Cells): Row => Object.fromEntries(handed.map((column, at) => [column, cells[at]]));

  const members = handed.map((column) => `${JSON.stringify(column)}:`);
  const special = handed.map(
    (column) => erasable.has(column) || hashed.has(column) || sealed[column] !== undefined,
  );

  function plainText(cells: Cells, at: number): string {
    const bound = sealed[handed[at] as string];
    const stored = cells[at] as string;
    if (bound === undefined || !isSealed(stored)) return stored;
    return openedOrStored(stored, bound(rowOf(cells)), payloads);
  }

  /** The JSON of the text that stands for a cell's own. */
  function represented(cells: Cells, at: number): string {
    const column = handed[at] as string;
    const text = plainText(cells, at);
    if (erasable.has(column)) return `"${hasher.hex(`${cells[salt as number]}:${text}`)}"`;
    return hashed.has(column) ? `"${hasher.hex(text)}"` : quoted(text);
  }

  return {
    name,
    key: declared.key,
    ofStore: projectPlace === undefined,
    columns: handed,
    silent,
    keyOf: (cells) => keyPlaces.map((place) => cells[place] as string | number),
    recordedIn: (cells) => (projectPlace === undefined ? STORE : recordsOf(String(cells[projectPlace]))),
    preimage(cells) {
      let row = '';
      for (let at = 0; at < handed.length; at += 1) {
        const cell = cells[at] as SqlValue;
        if (cell === null || at === salt) continue;
        if (row !== '') row += ',';
        row += members[at];
        if (typeof cell === 'number') row += cell;
        else if (typeof cell !== 'string') row += `"${hasher.hex(cell)}"`;
        else row += special[at] ? represented(cells, at) : quoted(cell);
      }
      return `{"row":{${row}},"table":${JSON.stringify(name)}}`;
    },
    texts: (cells) =>
      Object.fromEntries(
        handed.flatMap((column, at) =>
          hashed.has(column) && !erasable.has(column) && typeof cells[at] === 'string'
            ? [[column, plainText(cells, at)]]
            : [],
        ),
      ),
  };
}
