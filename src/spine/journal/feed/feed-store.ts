import type { Reader, SqlValue } from '../../storage/database.ts';
import { opened } from '../events/event-store.ts';
import type { PayloadCodec } from '../events/payload-codec.ts';
import { STORED_COLUMNS, type StoredRow } from '../events/stored-event.ts';
import { STATE_EVENTS } from '../state/state-event.ts';
import type { FeedFilter } from './feed.ts';

const TABLES = 'events join chains on chains.chain_id = events.chain_id';

/** The events after a number, in order. */
export async function selectAfter(
  { reader, payloads }: FeedSource,
  filter: FeedFilter,
  after: number,
  limit: number,
): Promise<readonly StoredRow[]> {
  const { column, where, params } = conditions(filter);
  const number = `events.${column}`;
  // From the row on that holds the last one: the number may be in the middle of it.
  const last = beside(filter, `max(${column})`, `${column} <= ?`);
  const rows = await reader.all<StoredRow>(
    `select ${STORED_COLUMNS} from ${TABLES} where ${number} >= coalesce(${last.sql}, 0)${where}
     order by ${number} limit ?`,
    [...last.params, after, ...params, limit + 1],
  );
  return opened(rows, payloads)
    .filter((row) => row[column] > after)
    .slice(0, limit);
}

/** The events from a number up to, not including, another one, newest first. */
export async function selectBefore(
  { reader, payloads }: FeedSource,
  filter: FeedFilter,
  { oldest, before }: { readonly oldest: number; readonly before: number },
  limit: number,
): Promise<readonly StoredRow[]> {
  const { column, where, params } = conditions(filter);
  const number = `events.${column}`;
  const rows = await reader.all<StoredRow>(
    `select ${STORED_COLUMNS} from ${TABLES} where ${number} >= ? and ${number} < ?${where}
     order by ${number} desc limit ?`,
    [oldest, before, ...params, limit],
  );
  return opened(rows.reverse(), payloads)
    .filter((row) => row[column] < before)
    .slice(-limit)
    .reverse();
}

export interface FeedSource {
  readonly reader: Reader;
  readonly payloads: PayloadCodec;
}

/** The same count in a statement of its own. */
function beside({ projectId }: FeedFilter, what: string, where: string): { sql: string; params: SqlValue[] } {
  return projectId === undefined
    ? { sql: `(select ${what} from events where ${where})`, params: [] }
    : { sql: `(select ${what} from events where project_id = ? and ${where})`, params: [projectId] };
}

/** The column that numbers the reader's view, and what the filter adds to the condition on it. */
function conditions(filter: FeedFilter): {
  column: 'leaf' | 'project_seq';
  where: string;
  params: SqlValue[];
} {
  const all: string[] = [];
  const params: SqlValue[] = [];
  if (filter.projectId !== undefined) {
    all.push('events.project_id = ?');
    params.push(filter.projectId);
  }
  if (filter.projectIds) {
    const marks = filter.projectIds.map(() => '?').join(', ');
    all.push(marks === '' ? '1 = 0' : `events.project_id in (${marks})`);
    params.push(...filter.projectIds);
  }
  if (filter.chain) {
    all.push('events.chain_id = (select chain_id from chains where session_id = ? and kind = ?)');
    params.push(filter.chain.sessionId, filter.chain.kind);
  }
  // Records of rows are for verification. They are in no project, so only who reads across projects meets them.
  if (filter.projectId === undefined && !filter.types?.some((type) => type.startsWith('state.'))) {
    all.push(`events.event_type not in (${STATE_EVENTS.map(() => '?').join(', ')})`);
    params.push(...STATE_EVENTS);
  }
  if (filter.types && filter.types.length > 0) {
    all.push(`(${filter.types.map(typeCondition).join(' or ')})`);
    params.push(...filter.types.map(typeOperand));
    if (filter.types.every((type) => DECIDING.includes(type))) all.push(IS_DECIDING);
  }
  return {
    column: filter.projectId === undefined ? 'leaf' : 'project_seq',
    where: all.map((condition) => ` and ${condition}`).join(''),
    params,
  };
}

const DECIDING = [
  'policy.evaluated',
  'action.approved',
  'action.denied',
  'action.executed',
  'action.failed',
  'carp.refused',
];
/** Says nothing new, except to an engine: that the index `events_deciding`, which has this condition, has them all. */
const IS_DECIDING = `events.event_type in (${DECIDING.map((type) => `'${type}'`).join(', ')})`;

const isFamily = (type: string) => type.endsWith('.*');

const typeCondition = (type: string) =>
  isFamily(type) ? "events.event_type like ? escape '!'" : 'events.event_type = ?';

const typeOperand = (type: string) =>
  isFamily(type) ? `${type.slice(0, -1).replaceAll(/[!%_]/g, '!$&')}%` : type;
