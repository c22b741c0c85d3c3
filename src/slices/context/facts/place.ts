/** Changes of a timeline: rows of facts, spans and the text index together. */
import type { Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { ContextDeps } from '../ports.ts';
import { insertSpan, retireSpan, type TimelineKey } from './span-store.ts';
import { endFact, type FactEnd, insertFact } from './store.ts';
import { FACTS, factDocument, type StoredFact } from './stored-fact.ts';
import type { Span, Splice } from './timeline.ts';

type Search = ContextDeps['search'];

/** Ends a span before its time. Only what is true now or later is searched. */
export async function endSpan(
  uow: UnitOfWork,
  search: Search,
  key: TimelineKey,
  span: Span,
  end: FactEnd,
  now: Micros,
): Promise<void> {
  const { factId, from } = span;
  const searched = end.micros > from && end.micros > now;
  await retireSpan(uow, span, now);
  if (end.micros > from) await insertSpan(uow, key, { factId, from, to: end.micros, searched }, now);
  await endFact(uow, { projectId: key.projectId, factId }, end);
  if (!searched) {
    search.remove(uow, { projectId: key.projectId, collection: FACTS, id: factId });
  }
}

/** Ends what holds where a new fact is to hold. `at` is when that begins, as it was written. */
export async function makeRoom(
  uow: UnitOfWork,
  search: Search,
  key: TimelineKey,
  splice: Splice & { readonly at: string },
  now: Micros,
): Promise<void> {
  for (const span of splice.cut) {
    await endSpan(uow, search, key, span, { at: splice.at, micros: splice.from, invalidatedBy: null }, now);
  }
  for (const span of splice.covered) {
    const end = { at: formatMicros(span.from), micros: span.from, invalidatedBy: null };
    await endSpan(uow, search, key, span, end, now);
  }
}

/** A fact with its span. */
export async function placeFact(
  uow: UnitOfWork,
  search: Search,
  fact: Omit<StoredFact, 'seq'> & { readonly key: string },
  now: Micros,
): Promise<{ readonly seq: number; readonly whole: boolean }> {
  const seq = await insertFact(uow, fact);
  const { projectId, key, factId, fromMicros: from, toMicros: to } = fact;
  const searched = to === null || to > now;
  await insertSpan(uow, { projectId, key }, { factId, from, to, searched }, now);
  return { seq, whole: !searched || search.index(uow, factDocument(fact)).whole };
}
