import type { Micros } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import type { Reader, SqlValue, UnitOfWork } from '../../../spine/storage/database.ts';
import { countLarger, fittingLimit } from '../../../spine/storage/fitting.ts';
import type { Place } from '../paging.ts';
import { heldAt } from './span-store.ts';
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

const FACT_COLUMNS = `f.seq, f.project_id, f.fact_id, f.subject, f.predicate, f.value, f.wire, f.valid_from, f.from_us,
  f.valid_to, f.to_us, f.created_us, f.invalidated_by`;

/** How long the texts of a fact are; reads neither. */
const FACT_BYTES = 'octet_length(f.wire) + octet_length(f.value)';

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

/** What a key held at an instant, as it is believed now. */
export async function selectHeld(
  reader: Reader,
  projectId: string,
  key: string,
  at: Micros,
): Promise<StoredFact | undefined> {
  const held = heldAt(at, undefined);
  const row = await reader.get<FactRow>(
    `select ${FACT_COLUMNS} from fact_spans as s join facts as f on f.project_id = s.project_id and f.fact_id = s.fact_id
     where s.project_id = ? and s.key_hash = ? and ${held.sql}`,
    [projectId, key, ...held.params],
  );
  return row && factOf(row);
}

/** Of those that a key held until an instant or before, the one that ended last. */
export async function selectLastEnded(
  reader: Reader,
  projectId: string,
  key: string,
  at: Micros,
): Promise<StoredFact | undefined> {
  const row = await reader.get<FactRow>(
    `select ${FACT_COLUMNS} from facts as f
     where project_id = ? and key_hash = ? and to_us <= ? and to_us > from_us
     order by to_us desc, seq desc limit 1`,
    [projectId, key, at],
  );
  return row && factOf(row);
}

export async function selectFact(
  reader: Reader,
  projectId: string,
  factId: string,
): Promise<StoredFact | undefined> {
  const row = await reader.get<FactRow>(
    `select ${FACT_COLUMNS} from facts as f where project_id = ? and fact_id = ?`,
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

/** A fact that a later statement covers whole ends where it began: it never held. */
export async function endFact(
  uow: UnitOfWork,
  fact: Pick<StoredFact, 'projectId' | 'factId'>,
  end: FactEnd,
): Promise<void> {
  const changed = await uow.run(
    'update facts set valid_to = ?, to_us = ?, invalidated_by = ? where project_id = ? and fact_id = ?',
    [end.at, end.micros, end.invalidatedBy, fact.projectId, fact.factId],
  );
  if (changed !== 1) throw new Error(`fact ${fact.factId} is gone`);
}

/** In order of arrival. */
export async function selectFactsAfter(
  reader: Reader,
  projectId: string,
  after: number,
  limit: number,
): Promise<FactPage> {
  const arrived = { from: 'facts as f', where: 'f.project_id = ? and f.seq > ?', order: 'f.seq' };
  return selectFitting(reader, arrived, [projectId, after], limit);
}

export interface FactPage {
  readonly facts: readonly StoredFact[];
  /** Whether more may follow. */
  readonly more: boolean;
  /** How many within the limit are too large. */
  readonly leftOut: number;
}

interface FactRows {
  readonly from: string;
  readonly where: string;
  readonly order: string;
}

/** Fewer than `limit` where they are large. */
async function selectFitting(
  reader: Reader,
  { from, where, order }: FactRows,
  params: readonly SqlValue[],
  limit: number,
): Promise<FactPage> {
  const rest = `from ${from} where ${where} order by ${order} limit ?`;
  const { limit: fitting, leftOut } = await fittingLimit(
    reader,
    `select ${FACT_BYTES} as bytes ${rest}`,
    params,
    limit,
  );
  const held = from === HELD_FACTS;
  const rows = await reader.all<FactRow & { span_to?: number | null }>(
    `select ${FACT_COLUMNS}${held ? ', s.to_us as span_to' : ''} ${rest}`,
    [...params, fitting],
  );
  return {
    facts: rows.map((row) => (held ? believedUntil(factOf(row), row.span_to ?? null) : factOf(row))),
    more: rows.length === fitting,
    leftOut,
  };
}

/** The latest fact with the same key that had arrived by `upTo`. */
export async function selectLastBefore(
  reader: Reader,
  { projectId, factId }: StoredFact,
  upTo: number,
): Promise<StoredFact | undefined> {
  const row = await reader.get<FactRow>(
    `select ${FACT_COLUMNS} from facts as f
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
  /** What held at this instant; undefined for the whole history. */
  readonly asOfMicros?: number | undefined;
  /** As it was believed then; as it is believed now unless given. */
  readonly knownAtMicros?: number | undefined;
  readonly before?: Place | undefined;
  /** In bytes; leaves out what is larger. */
  readonly largest?: number | undefined;
  readonly limit: number;
}

/** Newest first by the instant they became true, then by arrival. */
export async function selectFacts(reader: Reader, filter: FactFilter): Promise<FactPage> {
  const where = ['f.project_id = ?'];
  const params: SqlValue[] = [filter.projectId];
  const add = (condition: string, ...values: SqlValue[]) => {
    where.push(condition);
    params.push(...values);
  };
  if (filter.subject !== undefined) add('f.subject = ?', filter.subject);
  if (filter.predicate !== undefined) add('f.predicate = ?', filter.predicate);
  if (filter.value !== undefined) add('f.value = ?', filter.value);
  if (filter.before) add('(f.from_us, f.seq) < (?, ?)', filter.before.micros, filter.before.seq);
  const { asOfMicros: asOf, knownAtMicros: knownAt, limit, largest } = filter;
  const held = asOf === undefined ? undefined : heldAt(asOf, knownAt);
  // Asked of the span: of the fact, SQLite would walk the spans of the whole project to find those of one key.
  const own = held ? 's' : 'f';
  if (filter.factId !== undefined) add(`${own}.fact_id = ?`, filter.factId);
  if (filter.key !== undefined) add(`${own}.key_hash = ?`, filter.key);
  if (held) add(held.sql, ...held.params);
  else if (knownAt !== undefined) add('f.created_us <= ?', knownAt);
  const rows = () => ({
    from: held ? HELD_FACTS : 'facts as f',
    where: where.join(' and '),
    order: 'f.from_us desc, f.seq desc',
  });
  if (largest === undefined) return selectFitting(reader, rows(), params, limit);
  const { from, where: all, order } = rows();
  const sizes = `select ${FACT_BYTES} as bytes from ${from} where ${all} order by ${order} limit ?`;
  const larger = await countLarger(reader, sizes, params, limit, largest);
  add(`${FACT_BYTES} <= ?`, largest);
  const page = await selectFitting(reader, rows(), params, limit);
  return { ...page, leftOut: page.leftOut + larger };
}

/** Facts with the span in which each is believed to hold. */
const HELD_FACTS = 'fact_spans as s join facts as f on f.project_id = s.project_id and f.fact_id = s.fact_id';

/** The fact with the end that it was believed to have. */
function believedUntil(fact: StoredFact, to: number | null): StoredFact {
  if (to === fact.toMicros) return fact;
  return { ...fact, toMicros: to, validTo: to === null ? null : formatMicros(to), invalidatedBy: null };
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
): Promise<{
  readonly rows: readonly { readonly fact: StoredFact; readonly latest: boolean }[];
  readonly more: boolean;
}> {
  const where = ['f.project_id = ?'];
  const params: SqlValue[] = [filter.projectId];
  if (filter.before) {
    where.push('(f.from_us, f.seq) < (?, ?)');
    params.push(filter.before.micros, filter.before.seq);
  }
  const held = filter.asOfMicros === undefined ? undefined : heldAt(filter.asOfMicros, undefined);
  if (held) {
    where.push(held.sql);
    params.push(...held.params);
  }
  const later = held
    ? '1 = 0'
    : `exists (select 1 from facts as later where later.project_id = f.project_id
         and later.key_hash = f.key_hash and (later.from_us, later.seq) > (f.from_us, f.seq))`;
  const rest = `from ${held ? HELD_FACTS : 'facts as f'} where ${where.join(' and ')}
    order by f.from_us desc, f.seq desc limit ?`;
  const { limit: fitting } = await fittingLimit(
    reader,
    `select ${FACT_BYTES} as bytes ${rest}`,
    params,
    filter.limit,
  );
  const rows = await reader.all<FactRow & { later: number }>(
    `select ${FACT_COLUMNS}, case when ${later} then 1 else 0 end as later ${rest}`,
    [...params, fitting],
  );
  return {
    rows: rows.map((row) => ({ fact: factOf(row), latest: Number(row.later) === 0 })),
    more: rows.length === fitting,
  };
}

/** One row for each subject and predicate that a project has known. */
export const KEYS_OF_PROJECT = 'select distinct key_hash from facts where project_id = ?';

/** One row for each fact that is true now. */
export const CURRENT_OF_PROJECT = `select 1 from fact_spans where project_id = ? and retired_us is null and from_us <= ?
  and (to_us is null or to_us > ?)`;

export async function countCurrent(reader: Reader, projectId: string, now: Micros): Promise<number> {
  const row = await reader.get<{ n: number }>(
    `select count(*) as n from (${CURRENT_OF_PROJECT}) as current`,
    [projectId, now, now],
  );
  return Number(row?.n ?? 0);
}

/** Which of these facts hold at an instant. */
export async function selectHolding(
  reader: Reader,
  projectId: string,
  factIds: readonly string[],
  at: Micros,
): Promise<Set<string>> {
  if (factIds.length === 0) return new Set();
  const held = heldAt(at, undefined);
  const rows = await reader.all<{ fact_id: string }>(
    `select s.fact_id from fact_spans as s where s.project_id = ?
     and s.fact_id in (${factIds.map(() => '?').join(', ')}) and ${held.sql}`,
    [projectId, ...factIds, ...held.params],
  );
  return new Set(rows.map((row) => row.fact_id));
}

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

/** Facts that search knows, in the order of their keys: those that are true now, or will be. */
export async function selectSearchable(
  reader: Reader,
  after: readonly [projectId: string, factId: string] | undefined,
  limit: number,
): Promise<StoredFact[]> {
  const rows = await reader.all<FactRow>(
    `select ${FACT_COLUMNS} from fact_spans as s
     join facts as f on f.project_id = s.project_id and f.fact_id = s.fact_id
     where s.retired_us is null and s.searched = 1 ${after ? 'and (s.project_id, s.fact_id) > (?, ?)' : ''}
     order by s.project_id, s.fact_id limit ?`,
    [...(after ?? []), limit],
  );
  return rows.map(factOf);
}
