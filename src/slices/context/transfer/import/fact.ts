import { spliceMembers } from '../../../../kernel/json/compact.ts';
import { readDocument } from '../../../../kernel/json/reader.ts';
import type { Principal } from '../../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../../spine/storage/database.ts';
import { endSpan } from '../../facts/place.ts';
import { insertSpan, selectSpans } from '../../facts/span-store.ts';
import { endFact, type FactEnd, insertFact, keyHash, selectFact } from '../../facts/store.ts';
import { factDocument, type StoredFact } from '../../facts/stored-fact.ts';
import { freePart } from '../../facts/timeline.ts';
import type { ContextDeps } from '../../ports.ts';
import { type Fact, factSchema } from '../../schema.ts';
import { type ImportLine, MOST_LINE_VALUES, microsOf, refused, requireOwnProject } from './line.ts';

/** Facts keep their intervals; a known one may have ended since. */
export function factImport({
  clock,
  hasher,
  search,
  record,
}: Pick<ContextDeps, 'clock' | 'hasher' | 'search' | 'record'>): ImportLine {
  async function end(
    uow: UnitOfWork,
    existing: StoredFact,
    ended: FactEnd,
    { actor }: Principal,
  ): Promise<void> {
    const { projectId, factId, subject, predicate } = existing;
    const key = { projectId, key: keyHash(hasher, { projectId, subject, predicate }) };
    const spans = await selectSpans(uow, key, existing.fromMicros);
    const own = spans.find((span) => span.factId === factId);
    const now = clock.now();
    if (own && ended.micros >= own.from && (own.to === null || ended.micros < own.to)) {
      await endSpan(uow, search, key, own, ended, now);
    } else await endFact(uow, existing, ended);
    await record(uow, {
      projectId,
      by: actor,
      type: 'fact.invalidated',
      payload: { fact_id: factId, actor_id: actor.id, actor_type: actor.type, imported: true },
    });
  }

  return async (uow, line, principal) => {
    const { fact, wire } = readFact(line);
    const { project_id: projectId, fact_id: factId, subject, predicate, value } = fact;
    await requireOwnProject(uow, principal, projectId);
    const fromMicros = microsOf(fact.valid_from);
    const ended = endOf(fact);
    if (ended && ended.micros < fromMicros)
      throw refused(`Fact ${factId} ends before it begins.`, { fact_id: factId });
    const existing = await selectFact(uow, projectId, factId);
    if (existing) {
      if (existing.value !== value || existing.fromMicros !== fromMicros) {
        throw refused(`Another fact has the id ${factId}.`, { fact_id: factId });
      }
      if (existing.validTo !== null || !ended) return false;
      await end(uow, existing, ended, principal);
      return true;
    }
    const key = keyHash(hasher, { projectId, subject, predicate });
    const now = clock.now();
    const spans = await selectSpans(uow, { projectId, key }, fromMicros);
    const current = ended ? undefined : spans.find(({ to }) => to === null);
    if (current) {
      throw refused(`${subject} ${predicate} is current both here and there.`, {
        here: current.factId,
        there: factId,
      });
    }
    const fresh = {
      projectId,
      factId,
      subject,
      predicate,
      value,
      wire,
      validFrom: fact.valid_from,
      fromMicros,
      validTo: ended?.at ?? null,
      toMicros: ended?.micros ?? null,
      createdMicros: microsOf(fact.created_at),
      invalidatedBy: ended?.invalidatedBy ?? null,
    };
    await insertFact(uow, { ...fresh, key });
    // What is believed here stays: the imported fact holds where nothing else does.
    const free = freePart(spans, fromMicros, fresh.toMicros);
    if (free) {
      const known = Math.min(fresh.createdMicros, now);
      const searched = free.to === null || free.to > now;
      await insertSpan(uow, { projectId, key }, { factId, ...free, searched }, known);
      if (searched) search.index(uow, factDocument(fresh));
    }
    const { actor } = principal;
    await record(uow, {
      projectId,
      by: actor,
      type: 'fact.asserted',
      payload: {
        fact_id: factId,
        supersedes: null,
        actor_id: actor.id,
        actor_type: actor.type,
        imported: true,
      },
    });
    return true;
  };
}

/** The fact, and its text without how it ended. */
function readFact(line: string): { readonly fact: Fact; readonly wire: string } {
  const document = readDocument(line, { maxValues: MOST_LINE_VALUES });
  const checked = factSchema.safeParse(document.plain);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    throw refused(`A fact is not valid: ${issue?.message} at /${issue?.path.join('/')}.`, {
      line: line.slice(0, 200),
    });
  }
  const withoutEnd = new Map([
    ['valid_to', null],
    ['x-invalidated_by', null],
  ]);
  return { fact: checked.data, wire: spliceMembers(document, withoutEnd) };
}

function endOf(fact: Fact): FactEnd | undefined {
  if (fact.valid_to == null) return undefined;
  const by = (fact as Record<string, unknown>)['x-invalidated_by'];
  return {
    at: fact.valid_to,
    micros: microsOf(fact.valid_to),
    invalidatedBy: by === undefined ? null : JSON.stringify(by),
  };
}
