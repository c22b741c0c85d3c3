import { giveTurn } from '../../../platform/turn.ts';
import type { DatabaseOptions } from '../options.ts';
import { applyGathered, type Gathered } from '../unit-frame.ts';
import type { Watching } from '../watch.ts';
import type { Lent } from './connection-pool.ts';
import { isConnectionLoss, isStalePlan, mayRerun, translate, unavailable } from './postgres-error.ts';
import { PostgresUnit } from './postgres-unit.ts';
import type { QueuedUnit } from './queued-unit.ts';
import type { Session } from './session.ts';

export interface BatchSettings {
  readonly options: DatabaseOptions;
  readonly watching: Watching;
  /** The next unit to join, if there is one and it may. */
  readonly next: (joined: number) => QueuedUnit | undefined;
}

/** Nothing of a unit with an error is kept; that of one without is durable. */
export interface Done {
  readonly queued: QueuedUnit;
  readonly unit: PostgresUnit;
  readonly result?: unknown;
  readonly error?: { readonly cause: unknown };
}

export interface BatchOutcome {
  readonly committed: readonly Done[];
  readonly failed: readonly { readonly queued: QueuedUnit; readonly error: unknown }[];
  /** To be run again, each alone. */
  readonly again: readonly QueuedUnit[];
}

/** What ended the transaction before its commit. */
interface Break {
  /** The unit that it came from; undefined where several may be to blame. */
  readonly queued: QueuedUnit | undefined;
  /** What the caller of that unit is told. */
  readonly error: unknown;
  /** The server's own words, or those of the connection; undefined where the unit itself gave up. */
  readonly refusal: unknown;
}

/**
 * Whoever holds locks and waits for another could be waited for by that one. The first unit of a batch holds nobody else's
 * and may wait; once it is through, the batch holds locks for all, and who would have to wait runs again alone.
 */
const HARDLY_WAIT = 'set local lock_timeout = 20';

/**
 * Work that is left to the commit waits for what others hold: it comes last and takes everything in one order, so that
 * nobody who holds it waits for this transaction.
 */
const WAIT_AT_THE_END = 'set local lock_timeout = 5000';
const RERUNS = 5;

/** Units that wait together share one transaction: they run one after another, and one commit answers them all. */
export class Batch {
  readonly #session: Session;
  readonly #settings: BatchSettings;
  readonly #done: Done[] = [];
  readonly #again: QueuedUnit[] = [];
  readonly #gathered: Gathered[] = [];

  constructor(session: Session, settings: BatchSettings) {
    this.#session = session;
    this.#settings = settings;
  }

  async run(): Promise<Lent<BatchOutcome>> {
    const { next } = this.#settings;
    for (let queued = next(0); queued !== undefined; queued = next(this.#joined)) {
      // The first needs no savepoint: with it, nothing is lost that others have done.
      const broken = await this.#runUnit(queued, this.#unit(this.#joined > 0));
      if (broken !== undefined) return this.#abandon(broken);
      if (this.#joined === 1) this.#set(HARDLY_WAIT);
      await giveTurn();
    }
    const broken = await this.#applyGathered();
    return broken === undefined ? this.#commit() : this.#abandon(broken);
  }

  get #joined(): number {
    return this.#done.length + this.#again.length;
  }

  #unit(savepoint: boolean): PostgresUnit {
    const { options, watching } = this.#settings;
    return new PostgresUnit({
      session: this.#session,
      options,
      watching,
      before: this.#gathered,
      savepoint,
    });
  }

  /** Undefined if the transaction goes on, with or without the unit. */
  async #runUnit(queued: QueuedUnit, unit: PostgresUnit): Promise<Break | undefined> {
    const { faults } = this.#settings.options;
    try {
      faults?.('unit.start');
    } catch (refusal) {
      return { queued, error: unavailable(refusal), refusal };
    }
    let error: unknown;
    try {
      const result = await unit.perform(() => queued.work(unit));
      unit.end();
      unit.keep();
      this.#done.push({ queued, unit, result });
      if (unit.gathered.size > 0) this.#gathered.push(unit.gathered);
      return undefined;
    } catch (cause) {
      unit.end();
      error = cause;
    }
    const undone = await unit.undo();
    if (!undone) return { queued, error, refusal: unit.refusal };
    if (this.#mayRerun(queued, unit.refusal)) this.#again.push(rerunOf(queued));
    else this.#done.push({ queued, unit, error: { cause: error } });
    return undefined;
  }

  async #applyGathered(): Promise<Break | undefined> {
    if (this.#gathered.length === 0) return undefined;
    const unit = this.#unit(false);
    try {
      this.#set(WAIT_AT_THE_END);
      await unit.perform(() => applyGathered(unit, this.#gathered, this.#settings.watching.watch));
      return undefined;
    } catch (error) {
      const [only, ...others] = this.#done.filter((done) => done.unit.gathered.size > 0);
      const queued = others.length === 0 ? only?.queued : undefined;
      return { queued, error, refusal: unit.refusal };
    } finally {
      unit.end();
    }
  }

  async #commit(): Promise<Lent<BatchOutcome>> {
    const { faults } = this.#settings.options;
    try {
      faults?.('unit.released');
      faults?.('before.commit');
      await this.#session.control('commit');
      faults?.('after.commit');
    } catch (cause) {
      const lost = isConnectionLoss(cause);
      const reusable = !lost && (await this.#session.rollBack());
      // If the connection breaks during the commit, it is unknown whether the server committed.
      const error = lost ? unavailable(cause, { outcome: 'unknown' }) : translate(cause);
      const failed = this.#done.map((done) => ({
        queued: done.queued,
        error: done.error === undefined ? error : done.error.cause,
      }));
      return { reusable, result: { committed: [], failed, again: this.#again } };
    }
    return { reusable: true, result: { committed: this.#done, failed: [], again: this.#again } };
  }

  /** The transaction is gone with all that was in it. Who is not to blame runs again, and so does who may end differently. */
  async #abandon({ queued, error, refusal }: Break): Promise<Lent<BatchOutcome>> {
    const lost = refusal !== undefined && isConnectionLoss(refusal);
    const reusable = !lost && !isStalePlan(refusal) && (await this.#session.rollBack());
    const others = this.#done.map((done) => done.queued).filter((one) => one !== queued);
    if (lost) {
      // No commit was sent, so nothing is kept: all of it may run again on another connection.
      const units = queued === undefined ? others : [...others, queued];
      const failed = units
        .filter((one) => one.reruns >= RERUNS)
        .map((one) => ({ queued: one, error: one === queued ? error : unavailable(refusal) }));
      const again = units.filter((one) => one.reruns < RERUNS).map(rerunOf);
      return { reusable, result: { committed: [], failed, again: [...this.#again, ...again] } };
    }
    if (queued === undefined) {
      return { reusable, result: { committed: [], failed: [], again: [...this.#again, ...others] } };
    }
    const rerun = this.#mayRerun(queued, refusal);
    return {
      reusable,
      result: {
        committed: [],
        failed: rerun ? [] : [{ queued, error }],
        again: [...this.#again, ...others, ...(rerun ? [rerunOf(queued)] : [])],
      },
    };
  }

  /** Sent ahead of the next statement; if it fails, so does that. */
  #set(setting: string): void {
    this.#session.control(setting).catch(() => undefined);
  }

  #mayRerun(queued: QueuedUnit, refusal: unknown): boolean {
    return refusal !== undefined && mayRerun(refusal) && queued.reruns < RERUNS;
  }
}

const rerunOf = (queued: QueuedUnit): QueuedUnit => ({ ...queued, reruns: queued.reruns + 1 });
