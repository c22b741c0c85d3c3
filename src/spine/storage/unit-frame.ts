import type { Gathering, UnitOfWork } from './database.ts';
import { Frame } from './frame.ts';
import { type DatabaseOptions, reportStray } from './options.ts';
import type { SqlText } from './sql-text.ts';
import type { RowChange, Watch } from './watch.ts';

/** What was changed waits with everything else that units leave to their commit, so that it goes with a unit that fails. */
const rowChanges: Gathering<RowChange> = {
  async apply() {},
};

/** What a unit of work keeps for itself on every engine: memos, steps, effects, and how it fails. */
export abstract class UnitFrame extends Frame {
  protected readonly options: DatabaseOptions;
  readonly #memos = new Map<symbol, unknown>();
  readonly #steps: (() => Promise<void>)[] = [];
  readonly #gathered = new Map<Gathering<unknown>, unknown[]>();
  /** What the units before it leave to the commit that they share. */
  readonly #before: readonly Gathered[];
  readonly #effects: (() => void)[] = [];
  #locked = false;
  #wrote = false;
  #recorded = false;
  #gathering: 'all' | 'after record' | 'nothing' = 'all';

  constructor(options: DatabaseOptions, before: readonly Gathered[] = []) {
    super();
    this.options = options;
    this.#before = before;
  }

  /** Whether others may see a change once this commits. */
  get wrote(): boolean {
    return this.#wrote || this.#gathered.size > 0;
  }

  /** Whether it has requested a change, done or not. */
  get changed(): boolean {
    return this.#wrote;
  }

  memo<T>(key: symbol, create: () => T): T {
    if (!this.#memos.has(key)) this.#memos.set(key, create());
    return this.#memos.get(key) as T;
  }

  beforeCommit(step: () => Promise<void>): void {
    this.assertOpen();
    this.#steps.push(step);
  }

  gather<T>(gathering: Gathering<T>, item: T): void {
    this.assertOpen();
    if (this.#gathering === 'nothing' || (this.#gathering === 'after record' && !gathering.afterRecord))
      throw new Error('Work that was left to the commit cannot leave more to it.');
    const kind = gathering as Gathering<unknown>;
    const items = this.#gathered.get(kind);
    if (items === undefined) this.#gathered.set(kind, [item]);
    else items.push(item);
  }

  /** Unlike other work, also while the commit does what was left to it: that changes rows too. */
  protected left(change: RowChange): void {
    if (this.#recorded)
      throw new Error(`A row of ${change.table.name} changed after the rows were recorded.`);
    const items = this.#gathered.get(rowChanges as Gathering<unknown>);
    if (items === undefined) this.#gathered.set(rowChanges as Gathering<unknown>, [change]);
    else items.push(change);
  }

  /** What may still be left to the commit. */
  gatherOnly(kinds: 'after record' | 'nothing'): void {
    this.#gathering = kinds;
  }

  /** From now on no row that is recorded may change. */
  endRecording(): void {
    this.#recorded = true;
  }

  lastLeft<T>(gathering: Gathering<T>, matches: (item: T) => boolean): T | undefined {
    const kind = gathering as Gathering<unknown>;
    const own = this.#gathered.get(kind)?.findLast((item) => matches(item as T));
    if (own !== undefined) return own as T;
    for (let at = this.#before.length - 1; at >= 0; at -= 1) {
      const found = this.#before[at]?.get(kind)?.findLast((item) => matches(item as T));
      if (found !== undefined) return found as T;
    }
    return undefined;
  }

  /** What this unit leaves to the commit. */
  get gathered(): Gathered {
    return this.#gathered;
  }

  afterCommit(effect: () => void): void {
    this.assertOpen();
    this.#effects.push(effect);
  }

  /** The work, then its steps and the steps they add. A statement that failed fails the unit even if it was caught. */
  async perform<T>(work: () => Promise<T>): Promise<T> {
    const result = await work();
    for (let step = this.#steps.shift(); step !== undefined; step = this.#steps.shift()) await step();
    await this.beforeEnd();
    if (this.failure !== undefined) throw this.failure.error;
    return result;
  }

  runEffects(): void {
    for (const effect of this.#effects) {
      try {
        effect();
      } catch (error) {
        reportStray(this.options, error);
      }
    }
  }

  /** The engine's own last step inside the unit. */
  protected async beforeEnd(): Promise<void> {}

  /** Every statement passes here first. */
  protected admit(sql: SqlText): void {
    this.assertOpen();
    if (sql.verb !== 'select') this.#wrote = true;
  }

  protected assertFirstLock(): void {
    this.assertOpen();
    if (this.#locked && this.options.strictUnits) {
      throw new Error(
        'A unit of work called lock twice, and could wait for another that did: name all keys in one call.',
      );
    }
    this.#locked = true;
  }
}

export type Gathered = ReadonlyMap<Gathering<unknown>, readonly unknown[]>;

/**
 * Does what the units of a commit left to it, in the order in which each kind first came up; records all rows that were
 * changed, by the units or just now; then does what comes after that. `answered`: once it is known of all that units have
 * changed.
 */
export async function applyGathered(
  uow: UnitOfWork & UnitFrame,
  ofUnits: readonly Gathered[],
  watch: Watch | undefined,
  answered?: () => Promise<void>,
): Promise<void> {
  uow.gatherOnly('nothing');
  for (const [gathering, items] of joined(ofUnits)) {
    if (gathering !== rowChanges && !gathering.afterRecord) await gathering.apply(uow, items);
  }
  await answered?.();
  // On PostgreSQL the unit itself is the commit's.
  const all = [...new Set([...ofUnits, uow.gathered])];
  if (watch !== undefined) {
    const changes = all.flatMap(
      (gathered) => (gathered.get(rowChanges as Gathering<unknown>) ?? []) as RowChange[],
    );
    uow.gatherOnly('after record');
    if (changes.length > 0) await watch.record(uow, changes);
    uow.gatherOnly('nothing');
    uow.endRecording();
  }
  for (const [gathering, items] of joined(all)) {
    if (gathering.afterRecord) await gathering.apply(uow, items);
  }
}

function joined(ofUnits: readonly Gathered[]): Gathered {
  const [only, ...others] = ofUnits;
  if (only !== undefined && others.length === 0) return only;
  const all = new Map<Gathering<unknown>, unknown[]>();
  for (const gathered of ofUnits) {
    for (const [gathering, items] of gathered) {
      const known = all.get(gathering);
      if (known === undefined) all.set(gathering, [...items]);
      else known.push(...items);
    }
  }
  return all;
}
