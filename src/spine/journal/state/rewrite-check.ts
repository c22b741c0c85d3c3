import { type CheckedEvent, placeOf } from '../verify/checked-event.ts';
import type { Faults } from '../verify/report.ts';
import type { Rewrite } from './rewrite.ts';
import { rewriteName } from './rewrite-store.ts';
import type { StatePayload } from './state-event.ts';

/** Follows what was recorded anew because a step of the schema changed it: only by a step that does, and once. */
export class RewriteCheck {
  readonly #known: ReadonlySet<string>;
  readonly #faults: Faults;
  /** Where the recording of each step and table began. */
  readonly #began = new Map<string, number>();
  readonly #complete = new Set<string>();
  /** By table: all its rows were recorded at this leaf or later. */
  readonly #from = new Map<string, number>();

  constructor(rewrites: readonly Rewrite[], faults: Faults) {
    this.#known = new Set(rewrites.map(({ step, table }) => rewriteName(step, table)));
    this.#faults = faults;
  }

  get any(): boolean {
    return this.#from.size > 0;
  }

  push(event: CheckedEvent, { rows, complete = [], step = '' }: StatePayload): void {
    // Events without a number are the newest.
    const leaf = event.leaf ?? Number.POSITIVE_INFINITY;
    for (const table of new Set([...rows.map(([name]) => name), ...complete])) {
      const name = rewriteName(step, table);
      if (!this.#known.has(name)) this.#report('rewrite_unknown', UNKNOWN, table, event);
      else if (this.#complete.has(name)) this.#report('rewrite_repeated', REPEATED, table, event);
      else if (!this.#began.has(name)) this.#began.set(name, leaf);
    }
    for (const table of complete) {
      const name = rewriteName(step, table);
      const from = this.#began.get(name);
      if (from === undefined) continue;
      this.#complete.add(name);
      this.#from.set(table, Math.max(from, this.#from.get(table) ?? 0));
    }
  }

  /** Whether a record of this leaf is from before all rows of the table were recorded anew. */
  replaces(table: string, leaf: number): boolean {
    return leaf >= 0 && leaf < (this.#from.get(table) ?? 0);
  }

  #report(kind: string, message: string, table: string, event: CheckedEvent): void {
    const { key: _, ...place } = placeOf(event);
    this.#faults.add({ kind, message, ...place, table });
  }
}

const UNKNOWN =
  'Rows were recorded anew in the name of a step of the schema that does not rewrite their table.';
const REPEATED = 'Rows were recorded anew once more for a step of the schema that was done with.';
