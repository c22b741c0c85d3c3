import type { Reader, SqlValue } from '../database.ts';
import { Frame } from '../frame.ts';
import { sqlText } from '../sql-text.ts';
import { checkValues, NO_VALUES } from '../sql-values.ts';
import { translate } from './postgres-error.ts';
import type { Session } from './session.ts';

export class PostgresReader extends Frame implements Reader {
  readonly engine = 'postgres';
  readonly #session: Session;
  /** The server's own words for the first statement that failed. */
  refusal: unknown;

  constructor(session: Session) {
    super();
    this.#session = session;
  }

  async all<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]> {
    return (await this.#attempt(sql, values)).rows as R[];
  }

  async get<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | undefined> {
    return (await this.#attempt(sql, values)).rows[0] as R | undefined;
  }

  async #attempt(sql: string, values: readonly SqlValue[] = NO_VALUES) {
    this.assertOpen();
    try {
      checkValues(sqlText(sql), values);
    } catch (error) {
      this.fail(error);
      throw error;
    }
    try {
      return await this.#session.query(sql, values);
    } catch (error) {
      this.refusal ??= error;
      const meaning = translate(error);
      this.fail(meaning);
      throw meaning;
    }
  }
}
