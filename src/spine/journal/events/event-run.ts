/**
 * Several events in one row. What a unit says at once of one kind (`policy.evaluated` for each action of a resolution) differs
 * only in its payloads: the row has the first event, and the others follow from it. Their ids, instants, sequences and
 * numbers each count up by one, their payloads are lines, which canonical JSON never breaks, and their hashes stand one
 * after the other. Readers get events, never rows.
 * For speed: a resolution of 200 actions takes twice as long with a row for each event.
 */
import { formatMicros } from '../../../kernel/instant.ts';

/** Bounds what a page of rows can become. */
export const MOST_IN_A_ROW = 32;

/** What a row says of the events that follow its own: null where there are none. */
export interface RunColumns {
  /** With its own. */
  readonly run_length: number | null;
  /** Without its own, in hex. */
  readonly run_hashes: string | null;
}

export const RUN_COLUMNS = 'events.run_length, events.run_hashes';
/** How many events a row is. */
export const ROW_LENGTH = 'coalesce(events.run_length, 1)';

/** The columns in which the events of a row differ; the payload is opened. */
interface RunRow extends RunColumns {
  readonly event_id: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly time_us: number;
  readonly payload?: string | null;
  readonly event_hash: string;
  readonly previous_event_hash: string;
  readonly leaf?: number | null;
  readonly project_seq?: number | null;
}

const HASH_LENGTH = 64;
const COUNTED = 8;
const COUNTED_LIMIT = 2 ** 32;

/** Whether so many events can take their ids from this one by counting up its last digits. */
export function canLead(eventId: string, length: number): boolean {
  return countedIn(eventId) + length <= COUNTED_LIMIT;
}

export function idInRun(headId: string, at: number): string {
  if (at === 0) return headId;
  return headId.slice(0, -COUNTED) + (countedIn(headId) + at).toString(16).padStart(COUNTED, '0');
}

/** The ids between which the row of an event begins: its own, and the lowest that differs only in what is counted. */
export function idsOfHead(eventId: string): readonly [lowest: string, highest: string] {
  return [eventId.slice(0, -COUNTED) + '0'.repeat(COUNTED), eventId];
}

function countedIn(eventId: string): number {
  return Number.parseInt(eventId.slice(-COUNTED), 16);
}

export const joinPayloads = (payloads: readonly string[]): string => payloads.join('\n');

/** A row that was tampered with may have too few lines, or too many: no event is left out, and none says what it did. */
function splitPayloads(payload: string, length: number): string[] {
  const lines = payload.split('\n');
  const last = lines.slice(length - 1).join('\n');
  return Array.from({ length }, (_, at) => (at === length - 1 ? last : lines[at]) || '{}');
}

/** The events of rows, in the order of the rows. */
export function expandRuns<R extends RunRow>(rows: readonly R[]): readonly R[] {
  return rows.every(({ run_length }) => run_length === null) ? rows : rows.flatMap(eventsOf);
}

function eventsOf<R extends RunRow>(row: R): readonly R[] {
  const length = row.run_length ?? 1;
  if (length === 1) return [row];
  const hashes = row.event_hash + row.run_hashes;
  const hashAt = (at: number) => hashes.slice(at * HASH_LENGTH, (at + 1) * HASH_LENGTH);
  const { payload } = row;
  const payloads = typeof payload === 'string' ? splitPayloads(payload, length) : undefined;
  const counted = (number: number | null | undefined, at: number) =>
    typeof number === 'number' ? number + at : number;
  return Array.from({ length }, (_, at) => ({
    ...row,
    event_id: idInRun(row.event_id, at),
    sequence: row.sequence + at,
    timestamp: at === 0 ? row.timestamp : formatMicros(row.time_us + at),
    time_us: row.time_us + at,
    event_hash: hashAt(at),
    previous_event_hash: at === 0 ? row.previous_event_hash : hashAt(at - 1),
    ...(payloads && { payload: payloads[at] }),
    ...('leaf' in row && { leaf: counted(row.leaf, at) }),
    ...('project_seq' in row && { project_seq: counted(row.project_seq, at) }),
    run_length: null,
    run_hashes: null,
  }));
}

/** Whether the two columns agree. */
export function isRunSound({ run_length, run_hashes }: RunColumns): boolean {
  if (run_length === null || run_hashes === null) return run_length === run_hashes;
  return (
    Number.isSafeInteger(run_length) &&
    run_length >= 2 &&
    run_length <= MOST_IN_A_ROW &&
    run_hashes.length === (run_length - 1) * HASH_LENGTH
  );
}
