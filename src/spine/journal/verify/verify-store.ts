import type { Reader, SqlValue } from '../../storage/database.ts';
import {
  type PrunedChain,
  prunedChainsOf,
  RETENTION_ADOPTED,
  RETENTION_APPLIED,
} from '../chains/pruning-record.ts';
import { openedOrStored, type PayloadCodec } from '../events/payload-codec.ts';
import { WIRE_COLUMNS } from '../events/stored-event.ts';
import { type CheckedEvent, type CheckedRow, checkedEventsOf } from './checked-event.ts';
import { type EventText, readEventText, TEXT_COLUMNS } from './event-text.ts';

const PRUNINGS_AT_ONCE = 500;
const COLUMNS = `${WIRE_COLUMNS}, events.project_id, events.leaf, events.project_seq`;

export interface EventSource {
  readonly reader: Reader;
  readonly payloads: PayloadCodec;
}

/** All events of so many rows. */
export function readNumbered(source: EventSource, after: number, limit: number): Promise<CheckedEvent[]> {
  return readWhere(source, 'leaf > ? order by leaf limit ?', [after, limit]);
}

/** On PostgreSQL these were committed after the sequencer ran. `last` is where to go on, unless there are no more. */
export async function readUnnumbered(
  source: EventSource,
  after: number,
  limit: number,
): Promise<{ readonly events: readonly CheckedEvent[]; readonly last: number | undefined }> {
  const rows = await source.reader.all<{ seq: number }>(
    'select seq from events where leaf is null and seq > ? order by seq limit ?',
    [after, limit],
  );
  const last = rows.at(-1)?.seq;
  if (last === undefined) return { events: [], last };
  const events = await readWhere(source, 'leaf is null and seq > ? and seq <= ? order by seq', [after, last]);
  return { events, last };
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
    const read = readEventText(text, source.payloads);
    if (!read) return readColumns(source, where, params);
    for (const event of read) events.push(event);
  }
  return events;
}

async function readColumns(
  { reader, payloads }: EventSource,
  where: string,
  params: readonly SqlValue[],
): Promise<CheckedEvent[]> {
  const rows = await reader.all<CheckedRow>(`select ${COLUMNS} from events where ${where}`, params);
  return rows.flatMap((row) => {
    const payload = row.payload && openedOrStored(row.payload, row.event_id, payloads);
    return checkedEventsOf({ ...row, payload });
  });
}

/** The records of prunings that these events hold, by event and chain. An event that is none, or that is not there, holds none. */
export async function readPrunings(
  { reader, payloads }: EventSource,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, PrunedChain>> {
  const found = new Map<string, PrunedChain>();
  for (let start = 0; start < eventIds.length; start += PRUNINGS_AT_ONCE) {
    const some = eventIds.slice(start, start + PRUNINGS_AT_ONCE);
    const rows = await reader.all<{ event_id: string; payload: string | null }>(
      `select event_id, payload from events
       where event_type in ('${RETENTION_APPLIED}', '${RETENTION_ADOPTED}') and payload is not null
         and event_id in (${some.map(() => '?').join(', ')})`,
      some,
    );
    for (const { event_id, payload } of rows) {
      const text = openedOrStored(payload ?? '', event_id, payloads);
      for (const chain of prunedChainsOf(looseJson(text))) found.set(`${event_id} ${chain.chainId}`, chain);
    }
  }
  return found;
}

function looseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
