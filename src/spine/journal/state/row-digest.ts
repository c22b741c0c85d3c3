import type { Hasher } from '../../../kernel/hasher.ts';
import type { SqlValue } from '../../storage/database.ts';
import type { ProvableTable, Row } from '../../storage/tables.ts';
import type { WatchedTable } from '../../storage/watch.ts';
import { openedOrStored, type PayloadCodec } from '../events/payload-codec.ts';
import type { RowKey } from './state-event.ts';

/** A table with what its rows are digested by. */
export interface StateTable extends WatchedTable {
  readonly key: readonly string[];
  /** Identifies a row among those of its table. */
  keyOf(cells: readonly SqlValue[]): RowKey;
  projectOf(cells: readonly SqlValue[]): string;
  /**
   * The row as canonical JSON (JCS): its cells by column, without those that are null, so that a column added later
   * changes no digest. Erasable and large cells stand in it as their hash.
   */
  preimage(cells: readonly SqlValue[]): string;
}

/** Rows of no project are recorded here; no project can be called so. */
export const STORE = '*';

type Cells = readonly SqlValue[];

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

  const write = handed.map((column, at) => {
    if (at === salt) return undefined;
    const member = `${JSON.stringify(column)}:`;
    const bound = sealed[column];
    return (cells: Cells): string => {
      let cell = cells[at] as SqlValue;
      if (typeof cell === 'number') return `${member}${JSON.stringify(cell)}`;
      if (typeof cell === 'string') {
        if (bound !== undefined) cell = openedOrStored(cell, bound(rowOf(cells)), payloads);
        if (erasable.has(column)) cell = hasher.hex(`${cells[salt as number]}:${cell}`);
        else if (hashed.has(column)) cell = hasher.hex(cell);
        return `${member}${JSON.stringify(cell)}`;
      }
      return cell === null ? '' : `${member}"${hasher.hex(cell)}"`;
    };
  });

  return {
    name,
    key: declared.key,
    columns: handed,
    silent,
    keyOf: (cells) => keyPlaces.map((place) => cells[place] as string | number),
    projectOf: (cells) => (projectPlace === undefined ? STORE : String(cells[projectPlace])),
    preimage(cells) {
      let row = '';
      for (const member of write) {
        const text = member?.(cells) ?? '';
        if (text !== '') row += row === '' ? text : `,${text}`;
      }
      return `{"row":{${row}},"table":${JSON.stringify(name)}}`;
    },
  };
}
