/** Rows as a commit left them. */
export const STATE_RECORDED = 'state.recorded';
/** Rows that were there before their table was recorded. `complete` names tables of which that is all. */
export const STATE_ADOPTED = 'state.adopted';

/** Cells of the table's key. */
export type RowKey = readonly (string | number)[];

/** The digest is null for a row that is gone. */
export type RowRecord = readonly [table: string, key: RowKey, digest: string | null];

/** One text for each row of the store. */
export const rowId = (table: string, key: RowKey): string => `${table} ${JSON.stringify(key)}`;

export interface StatePayload {
  readonly rows: readonly RowRecord[];
  readonly complete?: readonly string[];
}

export const isStateEvent = (type: string): boolean => type === STATE_RECORDED || type === STATE_ADOPTED;
