import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';

/**
 * Which spans have come and are not summed up yet. Numbers of rows alone would not do for a cursor: on PostgreSQL a span
 * with a lower number may be committed after one with a higher.
 */
export async function insertArrival(uow: UnitOfWork, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return;
  await uow.run('insert into relay_arrivals (seqs) values (?)', [JSON.stringify(seqs)]);
}

interface ArrivalRow {
  id: number;
  seqs: string | null;
  first_seq: number | null;
  last_seq: number | null;
}

/** The oldest arrivals that were not taken yet, about `limit` spans of them; taken once the unit commits. */
export async function takeArrivals(uow: UnitOfWork, limit: number): Promise<number[] | undefined> {
  const rows = await uow.all<ArrivalRow>(
    'select id, seqs, first_seq, last_seq from relay_arrivals order by id limit ?',
    [limit],
  );
  if (rows.length === 0) return undefined;
  const taken: number[] = [];
  let last = 0;
  for (const row of rows) {
    if (row.seqs === null) {
      if (taken.length === 0) return takeRange(uow, row, limit);
      break;
    }
    const seqs = JSON.parse(row.seqs) as number[];
    if (taken.length > 0 && taken.length + seqs.length > limit) break;
    taken.push(...seqs);
    last = row.id;
  }
  await uow.run('delete from relay_arrivals where id <= ?', [last]);
  return taken;
}

/** Spans that were there before anything was summed up. */
async function takeRange(uow: UnitOfWork, row: ArrivalRow, limit: number): Promise<number[]> {
  const found = await uow.all<{ seq: number }>(
    'select seq from relay_spans where seq >= ? and seq <= ? order by seq limit ?',
    [row.first_seq, row.last_seq, limit],
  );
  const last = found.at(-1)?.seq;
  if (last === undefined || found.length < limit)
    await uow.run('delete from relay_arrivals where id = ?', [row.id]);
  else await uow.run('update relay_arrivals set first_seq = ? where id = ?', [last + 1, row.id]);
  return found.map(({ seq }) => seq);
}

/** The newest that has to be taken for everything stored by now to be summed up; undefined if all is. */
export async function selectLastArrival(reader: Reader): Promise<number | undefined> {
  const row = await reader.get<{ id: number | null }>('select max(id) as id from relay_arrivals');
  return row?.id ?? undefined;
}

export async function hasArrivalUpTo(reader: Reader, id: number): Promise<boolean> {
  return (
    (await reader.get<{ id: number }>('select id from relay_arrivals where id <= ? limit 1', [id])) !==
    undefined
  );
}
