import type { Reader, SqlValue } from '../../storage/database.ts';
import { openedOrStored, type PayloadCodec } from '../events/payload-codec.ts';
import { WIRE_COLUMNS } from '../events/stored-event.ts';
import { type CheckedEvent, type CheckedRow, checkedEventOf } from './checked-event.ts';
import { type EventText, readEventText, TEXT_COLUMNS } from './event-text.ts';

const COLUMNS = `${WIRE_COLUMNS}, events.project_id, events.leaf, events.project_seq`;

export interface EventSource {
  readonly reader: Reader;
  readonly payloads: PayloadCodec;
}

export function readNumbered(source: EventSource, after: number, limit: number): Promise<CheckedEvent[]> {
  return readWhere(source, 'leaf > ? order by leaf limit ?', [after, limit]);
}

/** On PostgreSQL these were committed after the sequencer ran. */
export function readUnnumbered(source: EventSource, skip: number, limit: number): Promise<CheckedEvent[]> {
  return readWhere(source, 'leaf is null order by seq limit ? offset ?', [limit, skip]);
}

/** The fast way, and once more field by field when something in the batch is not as it should be. */
async function readWhere(
  source: EventSource,
  where: string,
  params: readonly SqlValue[],
): Promise<CheckedEvent[]> {
  const texts = await source.reader.all<EventText>(
    `select ${TEXT_COLUMNS} from events where ${where}`,
    params,
  );
  const events: CheckedEvent[] = [];
  for (const text of texts) {
    const event = readEventText(text, source.payloads);
    if (!event) return readColumns(source, where, params);
    events.push(event);
  }
  return events;
}

async function readColumns(
  { reader, payloads }: EventSource,
  where: string,
  params: readonly SqlValue[],
): Promise<CheckedEvent[]> {
  const rows = await reader.all<CheckedRow>(`select ${COLUMNS} from events where ${where}`, params);
  return rows.map((row) => {
    const payload = row.payload && openedOrStored(row.payload, row.event_id, payloads);
    return checkedEventOf({ ...row, payload });
  });
}
