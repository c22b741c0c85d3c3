import type { Micros } from '../../../kernel/clock.ts';

export interface StoredFact {
  /** Order of arrival. */
  readonly seq: number;
  readonly projectId: string;
  readonly factId: string;
  readonly subject: string;
  readonly predicate: string;
  readonly value: string;
  /** One line of JSON without what ends it: `valid_to` and who ended it stand in columns. */
  readonly wire: string;
  readonly validFrom: string;
  readonly fromMicros: Micros;
  readonly validTo: string | null;
  readonly toMicros: Micros | null;
  readonly createdMicros: Micros;
  /** JSON text of an actor, where the fact was ended without a successor. */
  readonly invalidatedBy: string | null;
}

export interface FactRow {
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

export const FACT_COLUMNS = `seq, project_id, fact_id, subject, predicate, value, wire, valid_from, from_us, valid_to,
  to_us, created_us, invalidated_by`;

export function factOf(row: FactRow): StoredFact {
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

/** The fact on the wire, as its author wrote it, with how it ended. */
export function factText(fact: Pick<StoredFact, 'wire' | 'validTo' | 'invalidatedBy'>): string {
  const ended = fact.invalidatedBy === null ? '' : `,"x-invalidated_by":${fact.invalidatedBy}`;
  return `${fact.wire.slice(0, -1)},"valid_to":${JSON.stringify(fact.validTo)}${ended}}`;
}
