/** A row as the declarations see it: cells by column. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * What verification can say of a table. The room that makes a table declares it; a test fails for one that nobody did.
 */
export type TableDeclaration = ProvableTable | UnprovenTable;

/** Every change of a row is recorded in the journal by the row's digest. */
export interface ProvableTable {
  readonly proof: 'state';
  readonly key: readonly string[];
  /** The column that names the project of a row. Rows of a table without one belong to the store. */
  readonly project?: string;
  /** Columns that change without being recorded, because nobody decides by them. */
  readonly volatile?: readonly string[];
  /** Columns that can be erased: their hash is recorded, salted with a column that is erased together with them. */
  readonly erasable?: { readonly columns: readonly string[]; readonly salt: string };
  /** Columns too large to be part of a record: their hash is. */
  readonly hashed?: readonly string[];
  /** Columns that may be encrypted, and what each was bound to: the plain text is recorded. */
  readonly sealed?: Readonly<Record<string, (row: Row) => string>>;
}

export interface UnprovenTable {
  /**
   * `journal`: the proof itself, verified as events, tree and checkpoints.
   * `derived`: made from other tables or the program, and compared with them.
   * `ephemeral`: leases, queues, caches and windows, which nothing rests on.
   */
  readonly proof: 'journal' | 'derived' | 'ephemeral';
  readonly because: string;
}

export type TableDeclarations = Readonly<Record<string, TableDeclaration>>;
