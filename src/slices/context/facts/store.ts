import type { Hasher } from '../../../kernel/hasher.ts';
import type { Reader, SqlValue, UnitOfWork } from '../../../spine/storage/database.ts';
import type { Place } from '../paging.ts';
import type { StoredFact } from './stored-fact.ts';

interface FactRow {
  readonly seq: number;
  readonly project_id: string;
  readonly fact_id: string;
  readonly subject: string;
  readonly predicate: string;
  readonly value: string;
  readonly wire: string;
  readonly valid_from: string;
  readonly from_us: number;
  readonly valid_to: string | null;
  readonly to_us: number | null;
  readonly created_us: number;
  readonly invalidated_by: string | null;
}

const FACT_COLUMNS = `seq, project_id, fact_id, subject, predicate, value, wire, valid_from, from_us, valid_to,
  to_us, created_us, invalidated_by`;

function factOf(row: FactRow): StoredFact {
  return {
    seq: row.seq,
    projectId: row.project_id,
    factId: row.fact_id,
    subject: row.subject,
    predicate: row.predicate,
    value: row.value,
    wire: row.wire,
    validFrom: row.valid_from,
    fromMicros: row.from_us,
    validTo: row.valid_to,
    toMicros: row.to_us,
    createdMicros: row.created_us,
    invalidatedBy: row.invalidated_by,
  };
}

export interface FactKey {
  readonly projectId: string;
  readonly subject: string;
  readonly predicate: string;
}

/** Hashed, because a subject may be longer than an index entry can be. */
export function keyHash(hasher: Hasher, { subject, predicate }: FactKey): string {
  return hasher.hex(JSON.stringify([subject, predicate]));
}

export async function selectCurrent(
  reader: Reader,
  projectId: string,
  key: string,
): Promise<StoredFact | undefined> {
  const row = await reader.get<FactRow>(
    `select ${FACT_COLUMNS} from facts where project_id = ? and key_hash = ? and valid_to is null`,
    [projectId, key],
  );
  return row && factOf(row);
}

export async function selectFact(
  reader: Reader,
  projectId: string,
  factId: string,
): Promise<StoredFact | undefined> {
  const row = await reader.get<FactRow>(
    `select ${FACT_COLUMNS} from facts where project_id = ? and fact_id = ?`,
    [projectId, factId],
  );
  return row && factOf(row);
}

export async function insertFact(
  uow: UnitOfWork,
  fact: Omit<StoredFact, 'seq'> & { readonly key: string },
): Promise<number> {
  const row = await uow.get<{ seq: number }>(
    `insert into facts (project_id, fact_id, key_hash, subject, predicate, value, wire, valid_from, from_us, valid_to,
       to_us, created_us, invalidated_by)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning seq`,
    [
      fact.projectId,
      fact.factId,
      fact.key,
      fact.subject,
      fact.predicate,
      fact.value,
      fact.wire,
      fact.validFrom,
      fact.fromMicros,
      fact.validTo,
      fact.toMicros,
      fact.createdMicros,
      fact.invalidatedBy,
    ],
  );
  return row?.seq ?? 0;
}

export interface FactEnd {
  readonly at: string;
  readonly micros: number;
  readonly invalidatedBy: string | null;
}

export async function endFact(uow: UnitOfWork, fact: StoredFact, end: FactEnd): Promise<void> {
  const changed = await uow.run(
    `update facts set valid_to = ?, to_us = ?, invalidated_by = ?
     where project_id = ? and fact_id = ? and valid_to is null`,
    [end.at, end.micros, end.invalidatedBy, fact.projectId, fact.factId],
  );
  if (changed !== 1) throw new Error(`fact ${fact.factId} was ended under a unit that held its key`);
}

/** In order of arrival. */
export async function selectFactsAfter(
  reader: Reader,
  projectId: string,
  after: number,
  limit: number,
): Promise<StoredFact[]> {
  const rows = await reader.all<FactRow>(
    `select ${FACT_COLUMNS} from facts where project_id = ? and seq > ? order by seq limit ?`,
    [projectId, after, limit],
  );
  return rows.map(factOf);
}

/** The latest fact with the same key that had arrived by `upTo`. */
export async function selectLastBefore(
  reader: Reader,
  { projectId, factId }: StoredFact,
  upTo: number,
): Promise<StoredFact | undefined> {
  const row = await reader.get<FactRow>(
    `select ${FACT_COLUMNS} from facts
     where project_id = ? and seq <= ? and key_hash = (select key_hash from facts where project_id = ? and fact_id = ?)
     order by seq desc limit 1`,
    [projectId, upTo, projectId, factId],
  );
  return row && factOf(row);
}

export interface FactFilter {
  readonly projectId: string;
  readonly factId?: string | undefined;
  readonly subject?: string | undefined;
  readonly predicate?: string | undefined;
  /** `keyHash` of subject and predicate, if both are given. */
  readonly key?: string | undefined;
  readonly value?: string | undefined;
  /** Facts that held at this instant. Defaults to now, unless `history` is set. */
  readonly asOfMicros?: number | undefined;
  readonly history?: boolean | undefined;
  readonly before?: Place | undefined;
  readonly limit: number;
}

/** Newest first by the instant they became true, then by arrival. */
export async function selectFacts(reader: Reader, filter: FactFilter): Promise<StoredFact[]> {
  const where = ['project_id = ?'];
  const params: SqlValue[] = [filter.projectId];
  const add = (condition: string, ...values: SqlValue[]) => {
    where.push(condition);
    params.push(...values);
  };
  if (filter.factId !== undefined) add('fact_id = ?', filter.factId);
  if (filter.key !== undefined) add('key_hash = ?', filter.key);
  if (filter.subject !== undefined) add('subject = ?', filter.subject);
  if (filter.predicate !== undefined) add('predicate = ?', filter.predicate);
  if (filter.value !== undefined) add('value = ?', filter.value);
  if (filter.asOfMicros !== undefined) {
    add('from_us <= ? and (to_us is null or to_us > ?)', filter.asOfMicros, filter.asOfMicros);
  } else if (!filter.history) add('valid_to is null');
  if (filter.before) add('(from_us, seq) < (?, ?)', filter.before.micros, filter.before.seq);
  const rows = await reader.all<FactRow>(
    `select ${FACT_COLUMNS} from facts where ${where.join(' and ')} order by from_us desc, seq desc limit ?`,
    [...params, filter.limit],
  );
  return rows.map(factOf);
}

export interface LatestFilter {
  readonly projectId: string;
  /** What held at this instant; without it the last fact of each key, whether it still holds or has ended. */
  readonly asOfMicros?: number | undefined;
  readonly before?: Place | undefined;
  readonly limit: number;
}

/** Facts newest first, each with whether it is the one of its key to be shown. */
export async function selectLatestFacts(
  reader: Reader,
  filter: LatestFilter,
): Promise<{ readonly fact: StoredFact; readonly latest: boolean }[]> {
  const where = ['project_id = ?'];
  const params: SqlValue[] = [filter.projectId];
  if (filter.asOfMicros !== undefined) {
    where.push('from_us <= ? and (to_us is null or to_us > ?)');
    params.push(filter.asOfMicros, filter.asOfMicros);
  }
  if (filter.before) {
    where.push('(from_us, seq) < (?, ?)');
    params.push(filter.before.micros, filter.before.seq);
  }
  const later =
    filter.asOfMicros === undefined
      ? `exists (select 1 from facts as later where later.project_id = facts.project_id
           and later.key_hash = facts.key_hash and (later.from_us, later.seq) > (facts.from_us, facts.seq))`
      : '1 = 0';
  const rows = await reader.all<FactRow & { later: number }>(
    `select ${FACT_COLUMNS}, case when ${later} then 1 else 0 end as later from facts
     where ${where.join(' and ')} order by from_us desc, seq desc limit ?`,
    [...params, filter.limit],
  );
  return rows.map((row) => ({ fact: factOf(row), latest: Number(row.later) === 0 }));
}

/** One row for each subject and predicate that a project has known. */
export const KEYS_OF_PROJECT = 'select distinct key_hash from facts where project_id = ?';

/** One row for each fact that is true now. */
export const CURRENT_OF_PROJECT = 'select 1 from facts where project_id = ? and valid_to is null';

/** How many values of the same subject and predicate came before this one. */
export async function countEarlier(
  reader: Reader,
  { projectId, factId, fromMicros, seq }: StoredFact,
): Promise<number> {
  const row = await reader.get<{ n: number }>(
    `select count(*) as n from facts where project_id = ? and (from_us, seq) < (?, ?)
       and key_hash = (select key_hash from facts where project_id = ? and fact_id = ?)`,
    [projectId, fromMicros, seq, projectId, factId],
  );
  return Number(row?.n ?? 0);
}
