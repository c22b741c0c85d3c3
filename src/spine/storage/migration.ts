/** The words in which the engines' DDL differs. Tables are STRICT on SQLite. */
export interface Ddl {
  readonly engine: 'sqlite' | 'postgres';
  /** 64-bit integer. */
  readonly int: string;
  readonly real: string;
  readonly text: string;
  readonly bytes: string;
  /** An ever-growing integer primary key: `seq ${ddl.serial}`. */
  readonly serial: string;
  /** Closes a `create table (…)`: `STRICT` on SQLite. */
  readonly end: string;
}

/** A step of the schema. Never edited once released: a change is a new step. */
export interface Migration {
  /** `<room>/<4 digits>-<what>`, unique over the product. */
  readonly name: string;
  readonly statements: (ddl: Ddl) => readonly string[];
}
