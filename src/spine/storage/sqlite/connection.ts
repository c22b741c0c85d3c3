import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { SqlValue } from '../database.ts';
import { storageErrors } from '../errors.ts';
import { sqlText } from '../sql-text.ts';
import { checkValues, NO_VALUES } from '../sql-values.ts';
import { Statement } from './statement.ts';

/** Before it, a checkpoint could reset the WAL under a reader and lose commits. */
const OLDEST_SQLITE = [3, 51, 3] as const;
/**
 * `normal` keeps the file whole through a power failure; that a commit is on the disk before it is acknowledged is the
 * writer's own business. `fullfsync` is what reaches the disk on macOS; elsewhere it changes nothing.
 */
const WRITER_PRAGMAS = `
  pragma synchronous = normal;
  pragma fullfsync = on;
  pragma checkpoint_fullfsync = on;
  pragma foreign_keys = on;
  pragma secure_delete = on;
  pragma journal_size_limit = 67108864;
  pragma wal_autocheckpoint = 16000;
`;
const STATEMENTS_KEPT = 400;
const COUNTED_VERBS = new Set(['insert', 'update', 'delete', 'replace', 'with']);

/** One SQLite connection that maps our SQL values and keeps its prepared statements. */
export class Connection {
  readonly #db: DatabaseSyncInstance;
  readonly #inexact: boolean;
  /** Those used since there were too many of them, and those used before. */
  #recent = new Map<string, Statement>();
  #older = new Map<string, Statement>();

  private constructor(db: DatabaseSyncInstance, inexact = false) {
    this.#db = db;
    this.#inexact = inexact;
  }

  static openWriter(path: string): Connection {
    const connection = new Connection(new DatabaseSync(path, { timeout: 0, defensive: true }));
    try {
      requireVersion(connection.version());
      requireWal(connection);
      connection.exec(WRITER_PRAGMAS);
    } catch (error) {
      connection.close();
      throw error;
    }
    return connection;
  }

  static openReader(path: string, inexact = false): Connection {
    return new Connection(new DatabaseSync(path, { readOnly: true, timeout: 0 }), inexact);
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  version(): string {
    return this.get<{ v: string }>('select sqlite_version() as v')?.v ?? '';
  }

  dataVersion(): number {
    return this.get<{ data_version: number }>('pragma data_version')?.data_version ?? 0;
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  all<R extends object>(text: string, values: readonly SqlValue[] = NO_VALUES): R[] {
    return this.#checked(text, values).all(values) as R[];
  }

  get<R extends object>(text: string, values: readonly SqlValue[] = NO_VALUES): R | undefined {
    return this.#checked(text, values).get(values) as R | undefined;
  }

  cells(text: string, values: readonly SqlValue[] = NO_VALUES): SqlValue[][] {
    return this.#checked(text, values).cells(values);
  }

  /** For a statement that returns rows: the first cells of each apart from the others. */
  change(
    text: string,
    values: readonly SqlValue[] = NO_VALUES,
    width: number,
  ): { readonly rows: object[]; readonly changed: SqlValue[][] } {
    return this.#checked(text, values).split(values, width);
  }

  /** Inserts one row, or none if it is there already; `number` is then of another row. */
  insert(text: string, values: readonly SqlValue[]): { readonly count: number; readonly number: number } {
    return this.#checked(text, values).insert(values);
  }

  run(text: string, values: readonly SqlValue[] = NO_VALUES): number {
    const sql = sqlText(text);
    if (sql.schema) {
      checkValues(sql, values);
      this.#db.exec(text);
      return 0;
    }
    const changes = this.#checked(text, values).run(values);
    return COUNTED_VERBS.has(sql.verb) ? changes : 0;
  }

  /**
   * The library keeps a closed connection alive until its statements are collected, and a transaction with it, so
   * that one must be rolled back first.
   */
  close(): void {
    if (!this.#db.isOpen) return;
    try {
      if (this.#db.isTransaction) this.#db.exec('rollback');
    } finally {
      this.#recent.clear();
      this.#older.clear();
      this.#db.close();
    }
  }

  /** Closes what has failed already; the file is all that counts. */
  discard(): void {
    try {
      this.close();
    } catch {
      // Closing a failed connection may fail again.
    }
  }

  /**
   * Moves everything from the WAL into the data file and flushes that, then reads every page: after it, what the file shows
   * is on the disk. Throws where others keep it from doing so, or where the file is damaged.
   */
  settle(): void {
    const moved = this.get<{ busy: number }>('pragma wal_checkpoint(truncate)');
    const check = this.get<{ quick_check: string }>('pragma quick_check(1)')?.quick_check;
    if (moved?.busy === 0 && check === 'ok') return;
    throw new Error(
      check === 'ok' ? 'others keep the data file in use' : `the data file is damaged: ${check}`,
    );
  }

  /** For the library's own functions (backup). */
  get native(): DatabaseSyncInstance {
    return this.#db;
  }

  #checked(text: string, values: readonly SqlValue[]): Statement {
    const statement = this.#recent.get(text) ?? this.#keep(text);
    checkValues(statement.sql, values);
    return statement;
  }

  #keep(text: string): Statement {
    const statement =
      this.#older.get(text) ?? new Statement(sqlText(text), this.#db.prepare(text), this.#inexact);
    if (this.#recent.size >= STATEMENTS_KEPT / 2) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(text, statement);
    return statement;
  }
}

export function requireVersion(version: string): void {
  const parts = version.split('.').map(Number);
  for (const [place, oldest] of OLDEST_SQLITE.entries()) {
    const part = parts[place] ?? 0;
    if (part > oldest) return;
    if (part < oldest) {
      throw storageErrors.storage_unsupported({
        message: `SQLite ${version} is too old: ${OLDEST_SQLITE.join('.')} is the first that is safe with a WAL.`,
        next: 'Reinstall Baton with its own dependencies.',
      });
    }
  }
}

/** Some file systems cannot share memory between processes, and SQLite then keeps its old journal in silence. */
function requireWal(connection: Connection): void {
  const mode = connection.get<{ journal_mode: string }>('pragma journal_mode = wal')?.journal_mode;
  if (mode === 'wal') return;
  throw storageErrors.storage_unsupported({
    message: `SQLite cannot use a WAL in this folder (journal mode ${mode}).`,
    next: 'Keep the data on a local disk, or use PostgreSQL.',
  });
}
