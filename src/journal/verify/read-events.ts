import type { Reader, SqlValue } from '../../storage/database.ts';
import { WIRE_COLUMNS } from '../stored-event.ts';
import { type CheckedEvent, type CheckedRow, checkedEventOf } from './checked-event.ts';
import { type EventText, readEventText, TEXT_COLUMNS } from './event-text.ts';

const COLUMNS = `${WIRE_COLUMNS}, events.project_id, events.leaf, events.project_seq`;

export function readNumbered(reader: Reader, after: number, limit: number): Promise<CheckedEvent[]> {
  return readWhere(reader, 'leaf > ? order by leaf limit ?', [after, limit]);
}

/** On PostgreSQL these were committed after the sequencer ran. */
export function readUnnumbered(reader: Reader, skip: number, limit: number): Promise<CheckedEvent[]> {
  return readWhere(reader, 'leaf is null order by seq limit ? offset ?', [limit, skip]);
}

/** The fast way, and once more field by field when something in the batch is not as it should be. */
async function readWhere(
  reader: Reader,
  where: string,
  params: readonly SqlValue[],
): Promise<CheckedEvent[]> {
  const texts = await reader.all<EventText>(`select ${TEXT_COLUMNS} from events where ${where}`, params);
  const events: CheckedEvent[] = [];
  for (const text of texts) {
    const event = readEventText(text);
    if (!event) return readColumns(reader, where, params);
    events.push(event);
  }
  return events;
}

async function readColumns(
  reader: Reader,
  where: string,
  params: readonly SqlValue[],
): Promise<CheckedEvent[]> {
  const rows = await reader.all<CheckedRow>(`select ${COLUMNS} from events where ${where}`, params);
  return rows.map(checkedEventOf);
}
