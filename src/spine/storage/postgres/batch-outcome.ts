import type { DatabaseOptions } from '../options.ts';
import type { Watching } from '../watch.ts';
import type { Lent } from './connection-pool.ts';
import { isConnectionLoss, translate, unavailable } from './postgres-error.ts';
import type { PostgresUnit } from './postgres-unit.ts';
import type { QueuedUnit } from './queued-unit.ts';
import type { Session } from './session.ts';

export interface BatchSettings {
  readonly options: DatabaseOptions;
  readonly watching: Watching;
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
  /** To be run again together, each with a savepoint. */
  readonly carefully?: readonly QueuedUnit[];
  /** Did not get their turn. */
  readonly left?: readonly QueuedUnit[];
}

/**
 * Whoever holds locks and waits for another could be waited for by that one. The first unit of a batch holds nobody else's
 * and may wait; once it is through, the batch holds locks for all, and who would have to wait runs again alone.
 */
export const HARDLY_WAIT = 'set local lock_timeout = 20';

/**
 * Work that is left to the commit waits for what others hold: it comes last and takes everything in one order, so that
 * nobody who holds it waits for this transaction.
 */
export const WAIT_AT_THE_END = 'set local lock_timeout = 5000';
export const RERUNS = 5;

export const rerunOf = (queued: QueuedUnit): QueuedUnit => ({ ...queued, reruns: queued.reruns + 1 });

/** The connection broke before a commit was sent, so nothing is kept: all of it may run again on another one. */
export function afterLoss(
  refusal: unknown,
  units: readonly QueuedUnit[],
  again: readonly QueuedUnit[] = [],
): BatchOutcome {
  const error = unavailable(refusal);
  return {
    committed: [],
    failed: units.filter((one) => one.reruns >= RERUNS).map((queued) => ({ queued, error })),
    again: [...again, ...units.filter((one) => one.reruns < RERUNS).map(rerunOf)],
  };
}

/** Undefined if the server has undone the transaction, because a statement of it had failed. */
export async function commit(
  session: Session,
  { faults }: DatabaseOptions,
  done: readonly Done[],
  again: readonly QueuedUnit[],
): Promise<Lent<BatchOutcome> | undefined> {
  try {
    faults?.('unit.released');
    faults?.('before.commit');
    // It says so only by the name of what it did.
    if ((await session.commit()) !== 'COMMIT') return undefined;
    faults?.('after.commit');
  } catch (cause) {
    const lost = isConnectionLoss(cause);
    const reusable = !lost && (await session.rollBack());
    // If the connection breaks during the commit, it is unknown whether the server committed.
    const error = lost ? unavailable(cause, { outcome: 'unknown' }) : translate(cause);
    const failed = done.map((one) => ({ queued: one.queued, error: one.error?.cause ?? error }));
    return { reusable, result: { committed: [], failed, again } };
  }
  return { reusable: true, result: { committed: done, failed: [], again } };
}
