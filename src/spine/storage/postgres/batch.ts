import { giveTurn } from '../../../platform/turn.ts';
import { applyGathered, type Gathered } from '../unit-frame.ts';
import {
  afterLoss,
  type BatchOutcome,
  type BatchSettings,
  commit,
  type Done,
  HARDLY_WAIT,
  RERUNS,
  rerunOf,
  WAIT_AT_THE_END,
} from './batch-outcome.ts';
import type { Lent } from './connection-pool.ts';
import { isConnectionLoss, isStalePlan, mayRerun, unavailable } from './postgres-error.ts';
import { PostgresUnit } from './postgres-unit.ts';
import type { QueuedUnit } from './queued-unit.ts';
import type { Session } from './session.ts';

/** What ended the transaction before its commit. */
interface Break {
  /** The unit that it came from; undefined where several may be to blame. */
  readonly queued: QueuedUnit | undefined;
  /** What the caller of that unit is told. */
  readonly error: unknown;
  /** The server's own words, or those of the connection; undefined where the unit itself gave up. */
  readonly refusal: unknown;
}

/** The next unit to join, if there is one and it may. */
export type NextUnit = (joined: number) => QueuedUnit | undefined;

/**
 * Units that wait together share one transaction: they run one after another, each with a savepoint of its own, and one
 * commit answers them all.
 */
export class Batch {
  readonly #session: Session;
  readonly #settings: BatchSettings;
  readonly #next: NextUnit;
  readonly #done: Done[] = [];
  readonly #again: QueuedUnit[] = [];
  readonly #gathered: Gathered[] = [];

  constructor(session: Session, settings: BatchSettings, next: NextUnit) {
    this.#session = session;
    this.#settings = settings;
    this.#next = next;
  }

  async run(): Promise<Lent<BatchOutcome>> {
    for (let queued = this.#next(0); queued !== undefined; queued = this.#next(this.#joined)) {
      // The first needs no savepoint: with it, nothing is lost that others have done.
      const broken = await this.#runUnit(queued, this.#unit(this.#joined > 0));
      if (broken !== undefined) return this.#abandon(broken);
      if (this.#joined === 1) this.#set(HARDLY_WAIT);
      await giveTurn();
    }
    const broken = await this.#applyGathered();
    if (broken !== undefined) return this.#abandon(broken);
    const { options } = this.#settings;
    const committed = await commit(this.#session, options, this.#done, this.#again);
    return committed ?? this.#abandon({ queued: undefined, error: undefined, refusal: undefined });
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

  /** The transaction is gone with all that was in it. Who is not to blame runs again, and so does who may end differently. */
  async #abandon({ queued, error, refusal }: Break): Promise<Lent<BatchOutcome>> {
    const lost = refusal !== undefined && isConnectionLoss(refusal);
    const reusable = !lost && !isStalePlan(refusal) && (await this.#session.rollBack());
    const others = this.#done.map((done) => done.queued).filter((one) => one !== queued);
    if (lost) {
      const units = queued === undefined ? others : [...others, queued];
      return { reusable, result: afterLoss(refusal, units, this.#again) };
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
