/** A table, an index, a trigger or anything else that decides what becomes of rows. */
export interface SchemaPart {
  /** Its kind and its own name: `index inbox_by_state`. */
  readonly key: string;
  /** The table that it is, or belongs to. */
  readonly table: string;
  /** Two parts are the same if these are. */
  readonly words: string;
}
