import type { Reader, UnitOfWork } from '../../storage/database.ts';

export interface WitnessRow {
  readonly name: string;
  readonly cosigned_size: number;
  readonly tried_us: number;
  readonly failures: number;
  readonly error: string | null;
}

export function selectWitnesses(reader: Reader): Promise<WitnessRow[]> {
  return reader.all('select name, cosigned_size, tried_us, failures, error from witnesses order by name');
}

export async function upsertWitness(uow: UnitOfWork, row: WitnessRow): Promise<void> {
  await uow.run(
    `insert into witnesses (name, cosigned_size, tried_us, failures, error) values (?, ?, ?, ?, ?)
     on conflict (name) do update set cosigned_size = excluded.cosigned_size, tried_us = excluded.tried_us,
       failures = excluded.failures, error = excluded.error`,
    [row.name, row.cosigned_size, row.tried_us, row.failures, row.error],
  );
}

export interface CosignatureRow {
  readonly size: number;
  readonly witness: string;
  readonly line: string;
  readonly time_s: number;
}

export async function insertCosignature(uow: UnitOfWork, row: CosignatureRow): Promise<void> {
  await uow.run(
    'insert into cosignatures (size, witness, line, time_s) values (?, ?, ?, ?) on conflict do nothing',
    [row.size, row.witness, row.line, row.time_s],
  );
}

export function selectCosignatures(reader: Reader, size: number): Promise<CosignatureRow[]> {
  return reader.all('select size, witness, line, time_s from cosignatures where size = ? order by witness', [
    size,
  ]);
}

/** With the note that each belongs to; null where that is missing. In the order of sizes, then names. */
export function selectCosignedNotes(
  reader: Reader,
  after: { readonly size: number; readonly witness: string },
  limit: number,
): Promise<(CosignatureRow & { readonly note: string | null })[]> {
  return reader.all(
    `select cosignatures.size, witness, line, time_s, checkpoints.note from cosignatures
     left join checkpoints on checkpoints.size = cosignatures.size
     where cosignatures.size > ? or (cosignatures.size = ? and witness > ?)
     order by cosignatures.size, witness limit ?`,
    [after.size, after.size, after.witness, limit],
  );
}
