import type { Hasher } from '../../../kernel/hasher.ts';
import type { Reader, SqlValue } from '../../storage/database.ts';
import type { TableDeclarations } from '../../storage/tables.ts';
import { selectEventAt, selectPlaceAt } from '../events/event-store.ts';
import { type PayloadCodec, plainPayloads } from '../events/payload-codec.ts';
import { type CheckedEvent, placeOf } from '../verify/checked-event.ts';
import type { Faults, StateReport } from '../verify/report.ts';
import type { OpenStateCheck, StateCheck } from '../verify/state-slot.ts';
import { DigestMap } from './digest-map.ts';
import type { Rewrite } from './rewrite.ts';
import { RewriteCheck } from './rewrite-check.ts';
import type { StateTable } from './row-digest.ts';
import { selectStateRows } from './row-store.ts';
import {
  isStateEvent,
  type RowKey,
  rowId,
  STATE_ADOPTED,
  STATE_REWRITTEN,
  type StatePayload,
} from './state-event.ts';
import { readStateTables } from './state-tables.ts';

export interface StateCheckDeps {
  readonly declarations: TableDeclarations;
  readonly hasher: Hasher;
  readonly payloads?: PayloadCodec;
  /** Two words that no one can foresee. */
  readonly seed: readonly [number, number];
  /** The tables that steps of the schema have rewritten, as the program knows them. */
  readonly rewrites?: readonly Rewrite[];
  readonly pause?: () => Promise<void>;
}

const ROWS_AT_ONCE = 1_000;
/** Rows that are missing are named by reading the event again. */
const NAMED_MISSING = 1_000;
/** Of a row that Baton never writes. */
const NO_DIGEST = '00'.repeat(32);
/** Times of one commit, in microseconds: chains that are written often run ahead of the clock by a little. */
const ONE_COMMIT = 60_000_000;
/** For events that have no leaf yet. */
const NO_LEAF = -1;

/** Replays what events say of rows, then compares every provable table with it. */
export function stateCheck(deps: StateCheckDeps): OpenStateCheck {
  return (reader, faults) => new Check(reader, faults, deps);
}

class Check implements StateCheck {
  readonly #reader: Reader;
  readonly #faults: Faults;
  readonly #deps: StateCheckDeps;
  readonly #digests: DigestMap;
  /** Tables of which every row is recorded. */
  readonly #complete = new Set<string>();
  /** When it was said of a table that its adoption is complete. */
  readonly #adopted = new Map<string, number>();
  readonly #unnumbered: StatePayload[] = [];
  readonly #rewrites: RewriteCheck;
  #attestedFrom: number | null = null;

  constructor(reader: Reader, faults: Faults, deps: StateCheckDeps) {
    this.#reader = reader;
    this.#faults = faults;
    this.#deps = deps;
    this.#digests = new DigestMap(deps.seed);
    this.#rewrites = new RewriteCheck(deps.rewrites ?? [], faults);
  }

  push(events: readonly CheckedEvent[]): void {
    for (const event of events) {
      if (!isStateEvent(event.eventType) || event.preimage === null) continue;
      const payload = payloadOf(event.preimage);
      if (payload === undefined) continue;
      if (event.leaf === null) this.#unnumbered.push(payload);
      const leaf = event.leaf ?? NO_LEAF;
      if (event.eventType === STATE_REWRITTEN) this.#rewrites.push(event, payload);
      if (event.eventType === STATE_ADOPTED) this.#checkAdoption(event, payload);
      for (const [table, key, digest] of payload.rows) this.#digests.set(rowId(table, key), digest, leaf);
      for (const table of payload.complete ?? []) {
        this.#complete.add(table);
        this.#attestedFrom = leaf;
      }
    }
  }

  /** Rows are adopted once, and as they were when somebody recorded them before: else forged ones could be adopted again. */
  #checkAdoption(event: CheckedEvent, { rows, complete = [] }: StatePayload): void {
    const { key: _, ...place } = placeOf(event);
    // The events of one commit are numbered by project: its rows may come behind what says that they are all.
    const again = rows
      .map(([table]) => table)
      .filter((table) => event.time > (this.#adopted.get(table) ?? Number.POSITIVE_INFINITY) + ONE_COMMIT);
    for (const table of new Set([...again, ...complete.filter((each) => this.#adopted.has(each))])) {
      this.#faults.add({ ...ADOPTED_AGAIN, ...place, table });
    }
    for (const table of complete) this.#adopted.set(table, event.time);
    for (const [table, key, digest] of rows) {
      if (this.#digests.contradicts(rowId(table, key), digest))
        this.#faults.add({ ...ADOPTED_CHANGED, ...place, table, key: key.join(' ') });
    }
  }

  async finish(): Promise<StateReport> {
    const { declarations, hasher, payloads = plainPayloads } = this.#deps;
    const tables = await readStateTables(this.#reader, declarations, { hasher, payloads });
    let [rows, unattested] = [0, 0];
    for (const table of tables.values()) {
      const compared = await this.#compare(table);
      rows += compared.rows;
      unattested += compared.unattested;
    }
    await this.#reportMissing();
    return { tables: tables.size, rows, unattested, attested_from: this.#attestedFrom };
  }

  async #compare(table: StateTable): Promise<{ rows: number; unattested: number }> {
    let [rows, unattested] = [0, 0];
    const isForeign = foreignCells(table);
    for (let after: RowKey | undefined; ; ) {
      const batch = await selectStateRows(this.#reader, table, { after, limit: ROWS_AT_ONCE });
      for (const cells of batch) {
        const key = table.keyOf(cells);
        const digest = isForeign(cells) ? NO_DIGEST : this.#deps.hasher.hex(table.preimage(cells));
        const { is: found, leaf } = this.#digests.meet(rowId(table.name, key), digest);
        const replaced = found !== 'unknown' && this.#rewrites.replaces(table.name, leaf);
        const is = replaced ? 'gone' : found;
        if (is === 'unknown' && !this.#complete.has(table.name)) unattested += 1;
        else if (is !== 'same')
          await this.#report(FOUND[is], table.name, key, is === 'unknown' ? undefined : leaf);
      }
      rows += batch.length;
      const last = batch.at(-1);
      if (last === undefined || batch.length < ROWS_AT_ONCE) return { rows, unattested };
      const next = table.keyOf(last);
      if (after !== undefined && rowId(table.name, next) === rowId(table.name, after)) {
        this.#faults.add({ ...ENDLESS, table: table.name, key: next.join(' ') });
        return { rows, unattested };
      }
      after = next;
      await this.#deps.pause?.();
    }
  }

  async #reportMissing(): Promise<void> {
    let named = 0;
    for (const [leaf, hashes] of this.#digests.unmet()) {
      if (named >= NAMED_MISSING && !this.#rewrites.any) {
        for (const _ of hashes) this.#faults.add({ ...MISSING, leaf });
        continue;
      }
      for (const [table, key] of await this.#rowsAt(leaf)) {
        if (!hashes.delete(this.#digests.hashOf(rowId(table, key)))) continue;
        if (this.#rewrites.replaces(table, leaf)) continue;
        await this.#report(MISSING, table, key, leaf);
        named += 1;
      }
    }
  }

  async #rowsAt(leaf: number): Promise<StatePayload['rows']> {
    if (leaf === NO_LEAF) return this.#unnumbered.flatMap(({ rows }) => rows);
    const event = await selectEventAt(this.#reader, this.#deps.payloads ?? plainPayloads, leaf);
    if (!event?.payload) return [];
    return (JSON.parse(event.payload) as StatePayload).rows;
  }

  async #report(
    fault: { readonly kind: string; readonly message: string },
    table: string,
    key: RowKey,
    leaf?: number,
  ): Promise<void> {
    const event =
      leaf === undefined || leaf === NO_LEAF || this.#faults.isFull
        ? undefined
        : await selectPlaceAt(this.#reader, leaf);
    this.#faults.add({
      ...fault,
      table,
      key: key.join(' '),
      ...(event && {
        eventId: event.event_id,
        leaf: event.leaf,
        chain: event.chain_id,
        sequence: event.sequence,
      }),
    });
  }
}

/**
 * SQLite keeps a text where bytes belong and the other way round, and the digests of the two can be the same: of bytes,
 * and of texts that are too large, the hash stands in the preimage.
 */
function foreignCells({ columns, kinds }: StateTable): (cells: readonly SqlValue[]) => boolean {
  const isText = columns.map((column) => kinds?.get(column) === 'text');
  return (cells) =>
    cells.some((cell, at) => (isText[at] ? cell instanceof Uint8Array : typeof cell === 'string'));
}

const ADOPTED_AGAIN = {
  kind: 'adoption_repeated',
  message: 'Rows were adopted once more after their whole table had been.',
} as const;
const ADOPTED_CHANGED = {
  kind: 'adoption_changed',
  message: 'A row was adopted otherwise than it had been recorded before.',
} as const;
const FOUND = {
  other: { kind: 'row_changed', message: 'The row is not as it was recorded.' },
  gone: { kind: 'row_returned', message: 'The row was deleted, and is there.' },
  met: { kind: 'row_repeated', message: 'The row is there more than once.' },
  unknown: { kind: 'row_unrecorded', message: 'The row was never recorded.' },
} as const;
/** A key in broken UTF-8 is read as another one, behind which the same rows would follow for ever. */
const ENDLESS = {
  kind: 'rows_out_of_order',
  message: 'The rows from here on cannot be read in order.',
} as const;
const MISSING = { kind: 'row_missing', message: 'The row was recorded, and is not there.' } as const;

const PREVIOUS_HASH = 64;

/** Undefined if the payload is not of the form that we write: that its hash is wrong is told elsewhere. */
function payloadOf(preimage: string): StatePayload | undefined {
  try {
    const payload = JSON.parse(preimage.slice(preimage.indexOf('{'), -PREVIOUS_HASH)) as StatePayload;
    return Array.isArray(payload.rows) ? payload : undefined;
  } catch {
    return undefined;
  }
}
