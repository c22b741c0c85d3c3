import type { Micros } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { asRecord, asString } from '../../../kernel/json/loose.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { type FactKey, keyHash, selectHeld } from './store.ts';

export interface HeldFact {
  readonly subject: string;
  readonly predicate: string;
  readonly factId: string;
  /** `sha256:…` of the fact as it was written. */
  readonly digest: string;
  readonly by: { readonly id: string; readonly type: string };
  readonly value: string;
}

/** The fact that a key holds at an instant, with whoever asserted it. For rules that rest on facts. */
export async function heldFact(
  reader: Reader,
  hasher: Hasher,
  key: FactKey,
  at: Micros,
): Promise<HeldFact | undefined> {
  const fact = await selectHeld(reader, key.projectId, keyHash(hasher, key), at);
  if (!fact) return undefined;
  const { asserted_by: author } = JSON.parse(fact.wire) as { readonly asserted_by?: unknown };
  const { id, type } = asRecord(author);
  return {
    subject: fact.subject,
    predicate: fact.predicate,
    factId: fact.factId,
    digest: `sha256:${hasher.hex(fact.wire)}`,
    by: { id: asString(id) ?? '', type: asString(type) ?? '' },
    value: fact.value,
  };
}
