import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { insertion } from '../../../spine/storage/insertion.ts';
import { readSpanBody } from '../spans/body.ts';
import type { OtlpResource, OtlpScope, OtlpSpan } from './model.ts';

export interface SpooledSpan {
  readonly seq: number;
  readonly originId: string;
  readonly resource: OtlpResource;
  readonly scope: OtlpScope;
  readonly span: OtlpSpan;
}

const spoolRows = insertion({ into: 'relay_spool', columns: ['span_seq'] });

export function spoolSpans(uow: UnitOfWork, spanSeqs: readonly number[]): Promise<void> {
  return spoolRows.run(
    uow,
    spanSeqs.map((seq) => [seq]),
  );
}

interface SpoolRow {
  seq: number;
  origin_id: string;
  resource: string;
  scope: string;
  body: string;
}

/** Takes the oldest that nobody else is sending. What its taker does not finish in time is free again. */
export async function claimSpooled(
  uow: UnitOfWork,
  { now, freeBefore, limit }: { readonly now: Micros; readonly freeBefore: Micros; readonly limit: number },
): Promise<SpooledSpan[]> {
  await uow.lock('relay:spool');
  const rows = await uow.all<SpoolRow>(
    `select p.seq, s.origin_id, o.resource, o.scope, s.body from relay_spool p
      join relay_spans s on s.seq = p.span_seq join relay_origins o on o.origin_id = s.origin_id
      where p.claimed_us is null or p.claimed_us < ? order by p.seq limit ?`,
    [freeBefore, limit],
  );
  const last = rows.at(-1);
  if (!last) return [];
  await uow.run(
    'update relay_spool set claimed_us = ? where seq <= ? and (claimed_us is null or claimed_us < ?)',
    [now, last.seq, freeBefore],
  );
  return rows.map((row) => ({
    seq: row.seq,
    originId: row.origin_id,
    resource: JSON.parse(row.resource) as OtlpResource,
    scope: JSON.parse(row.scope) as OtlpScope,
    span: readSpanBody(row.body),
  }));
}

export async function deleteSpooled(uow: UnitOfWork, seqs: readonly number[]): Promise<void> {
  for (let at = 0; at < seqs.length; at += 500) {
    const some = seqs.slice(at, at + 500);
    await uow.run(`delete from relay_spool where seq in (${some.map(() => '?').join(', ')})`, some);
  }
}

export async function releaseSpooled(uow: UnitOfWork, seqs: readonly number[]): Promise<void> {
  for (let at = 0; at < seqs.length; at += 500) {
    const some = seqs.slice(at, at + 500);
    await uow.run(
      `update relay_spool set claimed_us = null where seq in (${some.map(() => '?').join(', ')})`,
      some,
    );
  }
}

export async function countSpooled(reader: Reader): Promise<number> {
  const row = await reader.get<{ waiting: number }>('select count(*) as waiting from relay_spool');
  return row?.waiting ?? 0;
}

/** Drops the oldest beyond `keep` and counts them: a bound that is never silent. */
export async function boundSpool(uow: UnitOfWork, keep: number): Promise<number> {
  const waiting = await countSpooled(uow);
  if (waiting <= keep) return 0;
  const dropped = await uow.run(
    'delete from relay_spool where seq in (select seq from relay_spool order by seq limit ?)',
    [waiting - keep],
  );
  await addToCounter(uow, 'spool_dropped', dropped);
  return dropped;
}

export async function addToCounter(uow: UnitOfWork, name: string, by: number): Promise<void> {
  await uow.run(
    `insert into relay_counters (name, value) values (?, ?)
      on conflict (name) do update set value = relay_counters.value + excluded.value`,
    [name, by],
  );
}

export async function readCounters(reader: Reader): Promise<Record<string, number>> {
  const rows = await reader.all<{ name: string; value: number }>('select name, value from relay_counters');
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

export async function countSpool(reader: Reader): Promise<number> {
  return (await reader.get<{ n: number }>('select count(*) as n from relay_spool'))?.n ?? 0;
}
