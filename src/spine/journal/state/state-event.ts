/** Rows as a commit left them. */
export const STATE_RECORDED = 'state.recorded';
/** Rows that were there before their table was recorded. `complete` names tables of which that is all. */
export const STATE_ADOPTED = 'state.adopted';

/** Rows as a step of the schema left them, which it names. `complete` names tables of which those are all. */
export const STATE_REWRITTEN = 'state.rewritten';

/** Cells of the table's key. */
export type RowKey = readonly (string | number)[];

/** The digest is null for a row that is gone. */
export type RowRecord = readonly [table: string, key: RowKey, digest: string | null];

/** One text for each row of the store. */
export const rowId = (table: string, key: RowKey): string => `${table} ${JSON.stringify(key)}`;

export interface StatePayload {
  readonly rows: readonly RowRecord[];
  readonly complete?: readonly string[];
  /** Of `state.rewritten`. */
  readonly step?: string;
}

/** Every type of event that records rows. */
export const STATE_EVENTS: readonly string[] = [STATE_RECORDED, STATE_ADOPTED, STATE_REWRITTEN];

export const isStateEvent = (type: string): boolean => STATE_EVENTS.includes(type);
