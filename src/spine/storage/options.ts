/** Moments at which a test may throw, which the driver takes for a failing disk, or kill the process. */
export type FaultPoint =
  | 'begin'
  | 'unit.start'
  | 'unit.released'
  | 'before.commit'
  | 'after.commit'
  | 'flush'
  | 'after.flush'
  | 'read.begin'
  | 'compact.emptied'
  | 'compact.rewritten';

export interface DatabaseOptions {
  /** For tests: a unit that waits for anything but the store fails at once, and so does a second `lock`. */
  readonly strictUnits?: boolean;
  readonly faults?: (point: FaultPoint) => void;
  /** How long SQLite waits for another process's write lock before `storage_locked`. Default 5,000. */
  readonly lockWaitMs?: number;
  /** How long a unit outside strict mode may wait for something other than the store. Default 5,000. */
  readonly stallMs?: number;
  /** How long waiting units are added to a batch before it commits. Default 40 on SQLite, 200 on PostgreSQL. */
  readonly batchMs?: number;
  /** PostgreSQL schema of the tables; created if missing. Default: the role's own search path. */
  readonly schema?: string;
  /** PostgreSQL connections for reads. Default 6. */
  readonly poolSize?: number;
  /** After how long PostgreSQL ends a statement. Never by default. */
  readonly statementSeconds?: number;
  /** PostgreSQL connections that write, each for the units that wait together. Default 1. */
  readonly lanes?: number;
  /**
   * Reads integers that JavaScript cannot hold as the nearest number instead of refusing them: for verification, which
   * has to say of a row that nobody but a stranger can have written that it is wrong.
   */
  readonly inexactIntegers?: boolean;
  /** Told of each commit how many units shared it. */
  readonly onCommitted?: (units: number) => void;
  /** Told what failed in an `afterCommit` effect or a commit listener, whose errors reach no caller. */
  readonly onStrayError?: (error: unknown) => void;
}

export function lockWait(options: DatabaseOptions): number {
  return options.lockWaitMs ?? 5_000;
}

export function reportStray(options: DatabaseOptions, error: unknown): void {
  if (options.onStrayError) options.onStrayError(error);
  else process.emitWarning(error instanceof Error ? error : String(error));
}
