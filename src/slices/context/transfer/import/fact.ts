import { spliceMembers } from '../../../../kernel/json/compact.ts';
import { readDocument } from '../../../../kernel/json/reader.ts';
import type { Principal } from '../../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../../spine/storage/database.ts';
import { endCurrent } from '../../facts/invalidate.ts';
import { type FactEnd, insertFact, keyHash, selectCurrent, selectFact } from '../../facts/store.ts';
import { factDocument, type StoredFact } from '../../facts/stored-fact.ts';
import type { ContextDeps } from '../../ports.ts';
import { type Fact, factSchema } from '../../schema.ts';
import { type ImportLine, microsOf, refused, requireOwnProject } from './line.ts';

/** Facts keep their intervals; a known one may have ended since. */
export function factImport({
  hasher,
  search,
  record,
}: Pick<ContextDeps, 'hasher' | 'search' | 'record'>): ImportLine {
  async function end(
    uow: UnitOfWork,
    existing: StoredFact,
    ended: FactEnd,
    { actor }: Principal,
  ): Promise<void> {
    const { projectId, factId } = existing;
    await endCurrent(uow, search, existing, ended);
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
    const current = ended ? undefined : await selectCurrent(uow, projectId, key);
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
    if (!ended) search.index(uow, factDocument(fresh));
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
  const document = readDocument(line);
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
