import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { SqlValue } from '../database.ts';
import type { Merging } from '../plain-insert.ts';
import { sqlText } from '../sql-text.ts';
import { NO_VALUES } from '../sql-values.ts';
import { type Filled, MergedInserts } from './merged-inserts.ts';

const PREPARED_LIMIT = 1_000;
/** Where in the server that warning comes from: its words are in the server's language. */
const GAVE_UP_WAITING = 'SyncRepWaitForLSN';
/** Statements the server keeps prepared, by name. Texts past the limit are sent whole each time. */
const names = new Map<string, string>();

/** Connections behind a pooler: the server that a name was prepared on need not be the one that is asked next. */
const unprepared = new WeakSet<pg.ClientBase>();

export function withoutPreparing(client: pg.ClientBase): void {
  unprepared.add(client);
}

/**
 * One server connection for as long as a transaction has it. Statements go out as they are given and are answered in that
 * order: what nobody waits for costs no way to the server and back.
 */
export class Session {
  readonly #client: pg.ClientBase;
  readonly #inserts = new MergedInserts((text, values) => this.#query(text, values, 'array'));

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  /** Transaction control: `begin`, `commit`, `rollback`. */
  control(text: string): Promise<pg.QueryResult> {
    this.#inserts.flush();
    return this.#client.query(text);
  }

  /**
   * Answers with what the server did, `COMMIT` or `ROLLBACK`. A server that gives up waiting for its synchronous standby,
   * because somebody cancelled what hung, says that it has committed, and the rest in a warning only.
   */
  async commit(): Promise<string> {
    let alone = false;
    const hear = ({ routine }: { readonly routine?: string | undefined }) => {
      alone ||= routine === GAVE_UP_WAITING;
    };
    this.#client.on('notice', hear);
    try {
      const { command } = await this.control('commit');
      if (alone) throw new Error('the standby has not confirmed the commit');
      return command;
    } finally {
      this.#client.off('notice', hear);
    }
  }

  /** Returns whether the connection can be used again. */
  async rollBack(): Promise<boolean> {
    return this.control('rollback').then(
      () => true,
      () => false,
    );
  }

  /** Values are the caller's to check: what is thrown from here comes from the connection or the server. */
  query(text: string, values?: readonly SqlValue[], rowMode?: 'array'): Promise<pg.QueryResult> {
    this.#inserts.flush();
    return this.#query(text, values, rowMode);
  }

  /** Goes out with the next statement or `flush`, together with others like it. */
  insert(merging: Merging, values: readonly SqlValue[]): Promise<Filled> {
    return this.#inserts.add(merging, values);
  }

  flush(): void {
    this.#inserts.flush();
  }

  #query(text: string, values: readonly SqlValue[] = NO_VALUES, rowMode?: 'array'): Promise<pg.QueryResult> {
    const sql = sqlText(text);
    if (sql.schema) return this.#client.query(text);
    const name = unprepared.has(this.#client) ? undefined : nameOf(sql.numbered);
    return this.#client.query({
      text: sql.numbered,
      values: [...values],
      ...(name === undefined ? {} : { name }),
      ...(rowMode === undefined ? {} : { rowMode }),
    });
  }
}

function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < PREPARED_LIMIT) {
    name = `baton_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    names.set(text, name);
  }
  return name;
}
