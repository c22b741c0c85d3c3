import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { Price } from './prices.ts';

export const MOST_PRICES = 1000;

interface PriceRow {
  model: string;
  from_us: number;
  input_per_million: number;
  output_per_million: number;
  cache_read_per_million: number | null;
  cache_write_per_million: number | null;
  set_by: string;
}

export interface StoredPrice extends Price {
  readonly setBy: string;
}

export async function selectPrices(reader: Reader, projectId: string): Promise<StoredPrice[]> {
  const rows = await reader.all<PriceRow>(
    `select model, from_us, input_per_million, output_per_million, cache_read_per_million, cache_write_per_million, set_by
     from relay_prices where project_id = ? order by model, from_us desc limit ?`,
    [projectId, MOST_PRICES],
  );
  return rows.map((row) => ({
    model: row.model,
    fromMicros: row.from_us,
    input: row.input_per_million,
    output: row.output_per_million,
    cacheRead: row.cache_read_per_million ?? undefined,
    cacheWrite: row.cache_write_per_million ?? undefined,
    setBy: row.set_by,
  }));
}

export async function countPrices(reader: Reader, projectId: string): Promise<number> {
  const row = await reader.get<{ n: number }>('select count(*) as n from relay_prices where project_id = ?', [
    projectId,
  ]);
  return Number(row?.n ?? 0);
}

export async function upsertPrice(uow: UnitOfWork, projectId: string, price: StoredPrice): Promise<void> {
  await uow.run(
    `insert into relay_prices (project_id, model, from_us, input_per_million, output_per_million, cache_read_per_million,
       cache_write_per_million, set_by) values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (project_id, model, from_us) do update set input_per_million = excluded.input_per_million,
       output_per_million = excluded.output_per_million, cache_read_per_million = excluded.cache_read_per_million,
       cache_write_per_million = excluded.cache_write_per_million, set_by = excluded.set_by`,
    [
      projectId,
      price.model,
      price.fromMicros,
      price.input,
      price.output,
      price.cacheRead ?? null,
      price.cacheWrite ?? null,
      price.setBy,
    ],
  );
}

/** All prices of the model, or the one from this instant on. */
export async function deletePrices(
  uow: UnitOfWork,
  projectId: string,
  model: string,
  from: Micros | undefined,
): Promise<number> {
  return from === undefined
    ? uow.run('delete from relay_prices where project_id = ? and model = ?', [projectId, model])
    : uow.run('delete from relay_prices where project_id = ? and model = ? and from_us = ?', [
        projectId,
        model,
        from,
      ]);
}
