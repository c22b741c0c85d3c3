import type { Reader, SqlValue } from '../../storage/database.ts';
import { STORED_COLUMNS, type StoredRow } from '../events/stored-event.ts';
import { STATE_EVENTS } from '../state/state-event.ts';
import type { FeedFilter } from './feed.ts';

const TABLES = 'events join chains on chains.chain_id = events.chain_id';

/** The events after a number, in order. */
export function selectAfter(
  reader: Reader,
  filter: FeedFilter,
  after: number,
  limit: number,
): Promise<StoredRow[]> {
  const { number, where, params } = conditions(filter);
  return reader.all<StoredRow>(
    `select ${STORED_COLUMNS} from ${TABLES} where ${number} > ?${where} order by ${number} limit ?`,
    [after, ...params, limit],
  );
}

/** The events from a number up to, not including, another one, newest first. */
export function selectBefore(
  reader: Reader,
  filter: FeedFilter,
  { oldest, before }: { readonly oldest: number; readonly before: number },
  limit: number,
): Promise<StoredRow[]> {
  const { number, where, params } = conditions(filter);
  return reader.all<StoredRow>(
    `select ${STORED_COLUMNS} from ${TABLES} where ${number} >= ? and ${number} < ?${where}
     order by ${number} desc limit ?`,
    [oldest, before, ...params, limit],
  );
}

/** The column that numbers the reader's view, and what the filter adds to the condition on it. */
function conditions(filter: FeedFilter): { number: string; where: string; params: SqlValue[] } {
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
  }
  return {
    number: filter.projectId === undefined ? 'events.leaf' : 'events.project_seq',
    where: all.map((condition) => ` and ${condition}`).join(''),
    params,
  };
}

const isFamily = (type: string) => type.endsWith('.*');

const typeCondition = (type: string) =>
  isFamily(type) ? "events.event_type like ? escape '!'" : 'events.event_type = ?';

const typeOperand = (type: string) =>
  isFamily(type) ? `${type.slice(0, -1).replaceAll(/[!%_]/g, '!$&')}%` : type;
