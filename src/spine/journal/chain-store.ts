import type { Reader, SqlValue } from '../storage/database.ts';
import { WIRE_COLUMNS, type WireRow } from './stored-event.ts';

export interface ChainFilter {
  readonly eventType?: string | undefined;
  /** Exclusive; from the first event unless given. */
  readonly sinceSequence?: number | undefined;
}

/** Events of one chain in order, their payloads as they are stored: open them with `openRow`. */
export async function selectChainEvents(
  reader: Reader,
  chainId: string,
  { eventType, sinceSequence = -1 }: ChainFilter,
  limit: number,
): Promise<WireRow[]> {
  const ofType = eventType === undefined ? '' : ' and event_type = ?';
  const params: SqlValue[] = [chainId, sinceSequence, ...(eventType === undefined ? [] : [eventType]), limit];
  return reader.all<WireRow>(
    `select ${WIRE_COLUMNS} from events where chain_id = ? and sequence > ?${ofType} order by sequence limit ?`,
    params,
  );
}

/** How many events a chain has, and the sequence of the last one; -1 where it has none. */
export async function selectChainEnd(
  reader: Reader,
  chainId: string,
): Promise<{ readonly total: number; readonly last: number }> {
  const row = await reader.get<{ total: number; last: number | null }>(
    'select count(*) as total, max(sequence) as last from events where chain_id = ?',
    [chainId],
  );
  return { total: row?.total ?? 0, last: row?.last ?? -1 };
}
