import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Hasher } from '../../../kernel/hasher.ts';
import type { ProvedRow } from '../../../kernel/proved-rows.ts';
import type { Database, Reader } from '../../storage/database.ts';
import type { PayloadCodec } from '../events/payload-codec.ts';
import type { Sequencer } from '../numbers/sequencer.ts';
import type { HeldRow } from '../provenance.ts';
import { hasUnnumbered, selectRecordsBefore } from './record-store.ts';
import { recordsOf, STORE, type StateTable } from './row-digest.ts';
import { selectStateRow } from './row-store.ts';
import { rowId, type StatePayload } from './state-event.ts';

/** A row that something rests on. */
export interface WantedRow extends HeldRow {
  readonly of: string;
}

export interface RowEvidenceDeps {
  readonly db: Database;
  readonly sequencer: Sequencer;
  readonly hasher: Hasher;
  readonly payloads: PayloadCodec;
  readonly tables: ReadonlyMap<string, StateTable>;
}

/**
 * Rows of a project as they are now, each with the event that last recorded it. Rows of no project only if `ofStore`: the
 * events that record them name rows of everybody's.
 */
export type RowEvidence = (
  projectId: string,
  wanted: readonly WantedRow[],
  asked: { readonly ofStore: boolean },
) => Promise<ProvedRow[]>;

/** About 5 ms of work, so that a server stays responsive while it looks for an old record. */
const RECORDS_AT_ONCE = 500;
/** Other commits come in between at most so often. */
const TRIES = 5;
/** All long texts of a file together; what does not fit is proved by its hash. */
const MOST_TEXT = 8_000_000;

/**
 * Reads records from the newest back until each wanted row is found: no table says where a row was last recorded,
 * because every write would have to pay for it.
 */
export function rowEvidence({ db, sequencer, hasher, payloads, tables }: RowEvidenceDeps): RowEvidence {
  return async (projectId, wanted, { ofStore }) => {
    const known = unique(wanted).filter(({ table: name }) => {
      const table = tables.get(name);
      return table !== undefined && (ofStore || !table.ofStore);
    });
    for (let tries = 1; ; tries += 1) {
      await sequencer.run();
      const found = await db.read((reader) => look(reader, projectId, known, tries < TRIES));
      if (found !== undefined) return found;
    }
  };

  /** Undefined while events that may be about these rows have no number, as happens on PostgreSQL. */
  async function look(
    reader: Reader,
    projectId: string,
    wanted: readonly WantedRow[],
    mayRetry: boolean,
  ): Promise<ProvedRow[] | undefined> {
    const places = [recordsOf(projectId), STORE];
    if (mayRetry && (await hasUnnumbered(reader, places))) return undefined;
    const records = new Records(wanted);
    for (const place of places) await readBack(reader, place, records);
    const rows: ProvedRow[] = [];
    let textLeft = MOST_TEXT;
    for (const one of wanted) {
      const row = await proved(reader, one, records, textLeft);
      if (row === undefined) continue;
      for (const text of Object.values(row.texts ?? {})) textLeft -= text.length;
      rows.push(row);
    }
    return rows;
  }

  async function readBack(reader: Reader, place: string, records: Records): Promise<void> {
    for (let before = Number.MAX_SAFE_INTEGER; !records.done; ) {
      const page = await selectRecordsBefore(reader, place, before, RECORDS_AT_ONCE);
      for (const { event_id, payload } of page) {
        if (payload !== null) records.take(event_id, payloads.open(payload, event_id));
      }
      if (page.length < RECORDS_AT_ONCE) return;
      before = page.at(-1)?.project_seq ?? 0;
      await nextTurn();
    }
  }

  async function proved(
    reader: Reader,
    { of, table: name, key, shown }: WantedRow,
    records: Records,
    textLeft: number,
  ): Promise<ProvedRow | undefined> {
    const table = tables.get(name) as StateTable;
    const cells = await selectStateRow(reader, table, key);
    const content = cells && table.preimage(cells);
    const event_id = records.eventOf(name, key);
    // A thing that never had such a row.
    if (content === undefined && event_id === null) return undefined;
    const row: ProvedRow = {
      of,
      table: name,
      key,
      digest: content === undefined ? null : hasher.hex(content),
      event_id,
      unattested: event_id === null && !records.isComplete(name),
      shown: shown && cells !== undefined,
    };
    if (cells === undefined || !shown) return row;
    const texts = table.texts(cells);
    const length = Object.values(texts).reduce((sum, text) => sum + text.length, 0);
    return { ...row, content, ...(length <= textLeft && { texts }) };
  }
}

function unique(wanted: readonly WantedRow[]): WantedRow[] {
  const rows = new Map<string, WantedRow>();
  for (const one of wanted) {
    const id = rowId(one.table, one.key);
    if (!rows.has(id)) rows.set(id, one);
  }
  return [...rows.values()];
}

/** An event that somebody rewrote records nothing: what it should record is then found missing or changed. */
function payloadOf(text: string): StatePayload {
  try {
    const payload = JSON.parse(text) as StatePayload;
    return Array.isArray(payload.rows) ? payload : { rows: [] };
  } catch {
    return { rows: [] };
  }
}

/** Which event last recorded each of the wanted rows, as far as has been read. */
class Records {
  readonly #missing: Set<string>;
  readonly #found = new Map<string, string>();
  readonly #complete = new Set<string>();

  constructor(wanted: readonly WantedRow[]) {
    this.#missing = new Set(wanted.map(({ table, key }) => rowId(table, key)));
  }

  get done(): boolean {
    return this.#missing.size === 0;
  }

  take(eventId: string, payload: string): void {
    const { rows, complete = [] } = payloadOf(payload);
    for (const table of complete) this.#complete.add(table);
    for (const [table, key] of rows) {
      const id = rowId(table, key);
      if (this.#missing.delete(id)) this.#found.set(id, eventId);
    }
  }

  eventOf(table: string, key: HeldRow['key']): string | null {
    return this.#found.get(rowId(table, key)) ?? null;
  }

  /** Known once all was read, which it is if a row was not found. */
  isComplete(table: string): boolean {
    return this.#complete.has(table);
  }
}
