import type { UnitOfWork } from '../database.ts';
import type { DatabaseOptions, FaultPoint } from '../options.ts';
import { pauseBriefly } from '../slots.ts';
import type { Watching } from '../watch.ts';
import type { CommitChannel } from './commit-channel.ts';
import type { ConnectionPool, Lent } from './connection-pool.ts';
import { isConnectionLoss, isStalePlan, mayRerun, translate, unavailable } from './postgres-error.ts';
import { PostgresUnit } from './postgres-unit.ts';
import { Session } from './session.ts';

const RERUNS = 5;
/** A process that freezes inside a unit must not keep its locks for ever. */
const BEGIN = 'begin isolation level read committed; set local idle_in_transaction_session_timeout = 60000';

type Stage = 'start' | 'work' | 'commit';

type Attempt<T> =
  | { readonly done: true; readonly unit: PostgresUnit; readonly result: T }
  | { readonly done: false; readonly error: unknown; readonly rerun: boolean };

/** One transaction for each unit; work that met a conflict is run again from the start. */
export class PostgresWrites {
  readonly #pool: ConnectionPool;
  readonly #channel: CommitChannel;
  readonly #schema: string | undefined;
  readonly #options: DatabaseOptions;
  readonly #watching: Watching;
  readonly #onCommit: () => void;

  constructor(
    pool: ConnectionPool,
    channel: CommitChannel,
    schema: string | undefined,
    options: DatabaseOptions,
    watching: Watching,
    onCommit: () => void,
  ) {
    this.#pool = pool;
    this.#channel = channel;
    this.#schema = schema;
    this.#options = options;
    this.#watching = watching;
    this.#onCommit = onCommit;
  }

  async write<T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T> {
    for (let reruns = 0; ; reruns++) {
      this.#fault('begin');
      const attempt = await this.#pool.lend(BEGIN, (client) => this.#attempt(new Session(client), work));
      if (attempt.done) {
        attempt.unit.runEffects();
        if (attempt.unit.wrote) this.#onCommit();
        return attempt.result;
      }
      if (reruns === RERUNS || !attempt.rerun) throw attempt.error;
      await pauseBriefly();
    }
  }

  async #attempt<T>(session: Session, work: (uow: UnitOfWork) => Promise<T>): Promise<Lent<Attempt<T>>> {
    const unit = new PostgresUnit(session, this.#schema, this.#options, this.#watching);
    let stage: Stage = 'start';
    try {
      this.#options.faults?.('unit.start');
      stage = 'work';
      const result = await unit.perform(() => work(unit));
      unit.end();
      stage = 'commit';
      await this.#commit(session, unit);
      return { reusable: true, result: { done: true, unit, result } };
    } catch (error) {
      unit.end();
      // The work may have thrown its own error after a failed statement; the server's error decides on a retry.
      const refusal = unit.refusal ?? (stage === 'work' ? undefined : error);
      const reusable = refusal === undefined || !(isConnectionLoss(refusal) || isStalePlan(refusal));
      const ended = reusable && (await session.rollBack());
      const meaning = stage === 'work' ? error : (unit.failure?.error ?? explain(stage, error));
      return { reusable: ended, result: { done: false, error: meaning, rerun: mayRerun(refusal) } };
    }
  }

  #fault(point: FaultPoint): void {
    try {
      this.#options.faults?.(point);
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  async #commit(session: Session, unit: PostgresUnit): Promise<void> {
    this.#options.faults?.('unit.released');
    this.#options.faults?.('before.commit');
    await session.control(unit.wrote ? `${this.#channel.announcement}; commit` : 'commit');
    this.#options.faults?.('after.commit');
  }
}

function explain(stage: Stage, error: unknown): unknown {
  if (!isConnectionLoss(error)) return translate(error);
  // If the connection breaks during the commit, it is unknown whether the server committed.
  return unavailable(error, stage === 'commit' ? { outcome: 'unknown' } : {});
}
