/** What is wrong with the store, with everything known about its place. */
export interface Fault {
  /** What is wrong, as one word: `hash_mismatch`. */
  readonly kind: string;
  readonly message: string;
  readonly eventId?: string;
  readonly leaf?: number;
  readonly chain?: string;
  readonly sequence?: number;
  /** The row that is wrong, missing or too many: its table, and its key as text. */
  readonly table?: string;
  readonly key?: string;
}

/** What verification found out about the tables beside the journal. */
export interface StateReport {
  readonly tables: number;
  readonly rows: number;
  /** Rows that were there before their table was recorded, and are not adopted yet. */
  readonly unattested: number;
  /** Rows are attested from this leaf on; null while nothing is. */
  readonly attested_from: number | null;
}

/** What verification found out about tables that are made from others. */
export interface DerivedReport {
  readonly tables: number;
  readonly rows: number;
}

/** What verification found out about checkpoints that were kept outside the store. */
export interface KeptReport {
  readonly checkpoints: number;
  /** The largest size that was kept. */
  readonly newest: number;
  /** Up to which size, and when in seconds, each witness that was asked for has cosigned. */
  readonly witnesses: readonly { readonly name: string; readonly size: number; readonly time: number }[];
}

export interface JournalReport {
  readonly valid: boolean;
  readonly events: number;
  readonly chains: number;
  /** Events whose payload retention has dropped: linked and in the tree, but their hash cannot be computed. */
  readonly pruned: number;
  readonly checkpoints: number;
  /** Hex root of the tree over all numbered events. */
  readonly root: string;
  /** Null when no kept checkpoint was given. */
  readonly kept: KeptReport | null;
  /** Null when only the events were verified. */
  readonly state: StateReport | null;
  /** Null when they were left out. */
  readonly derived: DerivedReport | null;
  /** The first ones, in the order found. */
  readonly faults: readonly Fault[];
  readonly fault_count: number;
}

/** Kept bounded, because a store that is wrong may be wrong everywhere. */
const KEPT_FAULTS = 10_000;

export class Faults {
  readonly list: Fault[] = [];
  count = 0;

  get isFull(): boolean {
    return this.list.length >= KEPT_FAULTS;
  }

  add(fault: Fault): void {
    this.count += 1;
    if (!this.isFull) this.list.push(fault);
  }
}
