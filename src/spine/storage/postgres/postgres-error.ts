import pg from 'pg';
import { type BrokenConstraint, ConstraintError, type ConstraintKind } from '../constraint-error.ts';
import { storageErrors } from '../errors.ts';

const LOCK_TAKEN = '55P03';

const CONSTRAINTS: Readonly<Record<string, ConstraintKind>> = {
  23502: 'notnull',
  23503: 'foreign',
  23505: 'unique',
  23514: 'check',
};

/** Serialisation failure, deadlock, a lock that others hold, a key another unit has just taken: a second run may end differently. */
const RERUN = new Set(['40001', '40P01', LOCK_TAKEN, '23505']);
const STALE_PLAN = '0A000';
const DISK_FULL = '53100';
/** Connection (08), resources (53), operator (57), system (58), damage (XX), and a server that only reads (25006). */
const UNAVAILABLE = /^(08|53|57|58|XX)|^25006$/;

function stateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

export function mayRerun(error: unknown): boolean {
  const state = stateOf(error);
  return state !== undefined && (RERUN.has(state) || isStalePlan(error));
}

/** A statement prepared before another process changed the schema; a fresh connection prepares it again. */
export function isStalePlan(error: unknown): boolean {
  return stateOf(error) === STALE_PLAN && /cached plan/.test((error as Error).message);
}

/** The server ends the connection with these: it stops, or the transaction was idle for too long (25P03). */
const ENDS_CONNECTION = /^(08|57P)|^25P03$/;

/** Errors not sent by the server concern the connection, except an integer that our own parser refused. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof RangeError) return false;
  const state = stateOf(error);
  return state === undefined || ENDS_CONNECTION.test(state);
}

export function translate(error: unknown): unknown {
  const state = stateOf(error);
  if (error instanceof pg.DatabaseError && state !== undefined) {
    const kind = CONSTRAINTS[state];
    if (kind !== undefined) return new ConstraintError(describe(kind, error), error);
    if (state === LOCK_TAKEN) return storageErrors.storage_locked({ cause: error });
    return UNAVAILABLE.test(state) || ENDS_CONNECTION.test(state) ? unavailable(error) : error;
  }
  return isConnectionLoss(error) ? unavailable(error) : error;
}

export function unavailable(cause: unknown, details?: Readonly<Record<string, unknown>>): Error {
  const full = stateOf(cause) === DISK_FULL;
  return storageErrors.storage_unavailable({
    message: full
      ? "The database server's disk is full."
      : `The database server failed: ${messageOf(cause)}.`,
    next: full
      ? "Free space on the database server's disk, then try again."
      : 'Check that the PostgreSQL server of BATON_DATABASE_URL runs and takes connections, then try again.',
    details: { reason: full ? 'disk_full' : 'io_error', ...details },
    cause,
  });
}

function describe(kind: ConstraintKind, error: pg.DatabaseError): BrokenConstraint {
  const columns = error.column === undefined ? columnsIn(error.detail) : [error.column];
  const expression = columns.some((column) => column.includes('('));
  return {
    kind,
    table: error.table,
    columns: kind === 'unique' && expression ? [] : columns,
    constraint: error.constraint,
  };
}

/** The server names the columns only here: `Key (project_id, id)=(…) already exists.` in any language. */
function columnsIn(detail: string | undefined): string[] {
  const list = /^[^(]*\((.*?)\)=\(/.exec(detail ?? '')?.[1];
  return list === undefined ? [] : list.split(', ').map((name) => name.replace(/^"|"$/g, ''));
}

function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(messageOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}
