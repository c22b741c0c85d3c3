import type { Hasher } from '../../../kernel/hasher.ts';
import type { Reader } from '../../storage/database.ts';
import type { TableDeclarations } from '../../storage/tables.ts';
import { selectEventAt, selectPlaceAt } from '../events/event-store.ts';
import { type PayloadCodec, plainPayloads } from '../events/payload-codec.ts';
import type { CheckedEvent } from '../verify/checked-event.ts';
import type { Faults, StateReport } from '../verify/report.ts';
import type { OpenStateCheck, StateCheck } from '../verify/state-slot.ts';
import { DigestMap } from './digest-map.ts';
import type { Rewrite } from './rewrite.ts';
import { RewriteCheck } from './rewrite-check.ts';
import type { StateTable } from './row-digest.ts';
import { selectStateRows } from './row-store.ts';
import { isStateEvent, type RowKey, rowId, STATE_REWRITTEN, type StatePayload } from './state-event.ts';
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
      for (const [table, key, digest] of payload.rows) this.#digests.set(rowId(table, key), digest, leaf);
      for (const table of payload.complete ?? []) {
        this.#complete.add(table);
        this.#attestedFrom = leaf;
      }
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
    for (let after: RowKey | undefined; ; ) {
      const batch = await selectStateRows(this.#reader, table, { after, limit: ROWS_AT_ONCE });
      for (const cells of batch) {
        const key = table.keyOf(cells);
        const digest = this.#deps.hasher.hex(table.preimage(cells));
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
      after = table.keyOf(last);
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

const FOUND = {
  other: { kind: 'row_changed', message: 'The row is not as it was recorded.' },
  gone: { kind: 'row_returned', message: 'The row was deleted, and is there.' },
  unknown: { kind: 'row_unrecorded', message: 'The row was never recorded.' },
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
