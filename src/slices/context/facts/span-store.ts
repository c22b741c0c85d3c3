/** Which fact holds when, and since when that is known. Of one key, no two believed spans begin together: the index says so. */
import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { Span } from './timeline.ts';

export interface TimelineKey {
  readonly projectId: string;
  /** `keyHash` of subject and predicate. */
  readonly key: string;
}

interface SpanRow {
  readonly span_id: number;
  readonly fact_id: string;
  readonly from_us: number;
  readonly to_us: number | null;
}

/** Those believed now that end after an instant, in order. */
export async function selectSpans(
  reader: Reader,
  { projectId, key }: TimelineKey,
  after: Micros,
): Promise<Span[]> {
  const rows = await reader.all<SpanRow>(
    `select span_id, fact_id, from_us, to_us from fact_spans
     where project_id = ? and key_hash = ? and retired_us is null and (to_us is null or to_us > ?) order by from_us`,
    [projectId, key, after],
  );
  return rows.map((row) => ({ spanId: row.span_id, factId: row.fact_id, from: row.from_us, to: row.to_us }));
}

/** `searched`: the text index has the fact. */
export async function insertSpan(
  uow: UnitOfWork,
  { projectId, key }: TimelineKey,
  span: Omit<Span, 'spanId'> & { readonly searched: boolean },
  known: Micros,
): Promise<void> {
  const { factId, from, to, searched } = span;
  await uow.run(
    `insert into fact_spans (project_id, key_hash, fact_id, from_us, to_us, known_us, searched)
     values (?, ?, ?, ?, ?, ?, ?)`,
    [projectId, key, factId, from, to, known, searched ? 1 : null],
  );
}

/** It was believed until now. */
export async function retireSpan(uow: UnitOfWork, { spanId }: Span, now: Micros): Promise<void> {
  const changed = await uow.run(
    `update fact_spans set retired_us = case when known_us > ? then known_us else ? end
     where span_id = ? and retired_us is null`,
    [now, now, spanId],
  );
  if (changed !== 1) throw new Error(`span ${spanId} was retired under a unit that held its key`);
}

/**
 * The condition that a span `s` is what held at an instant, as believed at another: one span of a key at most, since of
 * those that have begun the last is meant.
 */
export function heldAt(
  at: Micros,
  knownAt: Micros | undefined,
): { readonly sql: string; readonly params: readonly number[] } {
  const believed = (name: string) =>
    knownAt === undefined
      ? { sql: `${name}.retired_us is null`, params: [] }
      : {
          sql: `${name}.known_us <= ? and (${name}.retired_us is null or ${name}.retired_us > ?)`,
          params: [knownAt, knownAt],
        };
  const [own, later] = [believed('s'), believed('later')];
  return {
    sql: `${own.sql} and s.from_us <= ? and (s.to_us is null or s.to_us > ?)
      and not exists (select 1 from fact_spans as later where later.project_id = s.project_id
        and later.key_hash = s.key_hash and ${later.sql} and later.from_us > s.from_us and later.from_us <= ?)`,
    params: [...own.params, at, at, ...later.params, at],
  };
}
