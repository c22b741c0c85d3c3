import { prefixedId } from '../../../kernel/ids.ts';
import { formatMicros, parseInstant } from '../../../kernel/instant.ts';
import { spliceMembers } from '../../../kernel/json/compact.ts';
import { type JsonDocument, readDocument } from '../../../kernel/json/reader.ts';
import { identityErrors } from '../../../spine/identity/errors.ts';
import type { Actor, Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { requireActor, requireReadableProject, sameActor } from '../access.ts';
import { contextErrors } from '../errors.ts';
import { isVisibleTo, selectPackage } from '../packages/store.ts';
import type { ContextDeps } from '../ports.ts';
import { anchorsIn } from '../schema.ts';
import { endCurrent, factLock } from './invalidate.ts';
import { judgeAssertion } from './rules.ts';
import type { FactAssertion } from './schema.ts';
import { insertFact, keyHash, selectCurrent, selectFact } from './store.ts';
import { factDocument, type StoredFact } from './stored-fact.ts';

export interface AssertRequest {
  readonly projectId: string;
  /** As it was written; absent if the fact comes from inside the process. */
  readonly document?: JsonDocument | undefined;
  /** The typed view of the same document. */
  readonly view: FactAssertion;
  readonly principal: Principal;
}

export interface AssertResult {
  readonly fact: StoredFact;
  /** False if the fact existed before. */
  readonly created: boolean;
}

/** Ends the current fact of the same subject and predicate and begins this one, or does neither. */
export type AssertFact = (uow: UnitOfWork, request: AssertRequest) => Promise<AssertResult>;

/** These members say how to assert the fact; they are not part of it. */
const CONTROLS = ['expected_value', 'expected_fact_id', 'if_changed', 'project', 'valid_to'] as const;

export function createAssertFact(
  deps: Pick<ContextDeps, 'clock' | 'random' | 'hasher' | 'search' | 'record'>,
): AssertFact {
  const { clock, random, hasher, search, record } = deps;

  return async (uow, request) => {
    const { projectId, view, principal, document = readDocument(JSON.stringify(view)) } = request;
    const { subject, predicate, value } = view;
    await uow.lock(factLock({ projectId, subject, predicate }));
    const project = await requireReadableProject(uow, principal, projectId);
    if (project.archivedAt !== null) throw identityErrors.project_archived();
    if (view.fact_id != null) {
      const existing = await selectFact(uow, projectId, view.fact_id);
      if (existing) {
        if (sameAssertion(existing, view)) return { fact: existing, created: false };
        throw contextErrors.duplicate_fact_id({ pointer: '/fact_id' });
      }
    }
    const key = keyHash(hasher, { projectId, subject, predicate });
    const current = await selectCurrent(uow, projectId, key);
    const given = view.valid_from == null ? undefined : parseInstant(view.valid_from);
    const now = clock.now();
    const verdict = judgeAssertion(
      current,
      {
        value,
        ...(given && { validFrom: { text: view.valid_from as string, micros: given.micros } }),
        expectedValue: view.expected_value,
        expectedFactId: view.expected_fact_id,
        ifChanged: (view.if_changed ?? false) && !movesAnchors(current, view),
      },
      now,
    );
    if (verdict.kind === 'unchanged' && current) return { fact: current, created: false };
    if (verdict.kind !== 'assert') throw new Error('only a current fact can be unchanged');
    const { validFrom, fromMicros } = verdict;
    const factId = view.fact_id ?? prefixedId('fact', random);
    const wire = factWire(document, {
      fact_id: factId,
      project_id: projectId,
      valid_from: validFrom,
      created_at: formatMicros(now),
      asserted_by: await assertedBy(uow, request),
    });
    if (current)
      await endCurrent(uow, search, current, { at: validFrom, micros: fromMicros, invalidatedBy: null });
    const fresh = {
      projectId,
      factId,
      subject,
      predicate,
      value,
      wire,
      validFrom,
      fromMicros,
      validTo: null,
      toMicros: null,
      createdMicros: now,
      invalidatedBy: null,
    };
    const seq = await insertFact(uow, { ...fresh, key });
    search.index(uow, factDocument(fresh));
    await record(uow, {
      projectId,
      by: principal.actor,
      type: 'fact.asserted',
      payload: {
        fact_id: factId,
        supersedes: current?.factId ?? null,
        source_package_id: view.source_package_id ?? null,
        actor_id: principal.actor.id,
        actor_type: principal.actor.type,
        ...spokenFor(view.asserted_by, principal.actor),
      },
    });
    return { fact: { ...fresh, seq }, created: true };
  };
}

/** The other name, where the fact was asserted in it. */
function spokenFor(named: Actor | null | undefined, by: Actor) {
  return named && !sameActor(named, by) ? { author_id: named.id, author_type: named.type } : {};
}

async function assertedBy(uow: UnitOfWork, request: AssertRequest): Promise<unknown> {
  const { view, principal, projectId } = request;
  if (view.asserted_by) {
    requireActor(principal, view.asserted_by, '/asserted_by');
    return undefined;
  }
  if (!view.source_package_id) return { ...principal.actor };
  const source = await selectPackage(uow, projectId, view.source_package_id);
  if (!source || !isVisibleTo(source, principal.actor)) {
    throw contextErrors.invalid_schema({
      message: 'The source package is not in this project.',
      pointer: '/source_package_id',
    });
  }
  return { id: source.author.id, type: source.author.type, session_id: source.sessionId };
}

function sameAssertion(existing: StoredFact, view: FactAssertion): boolean {
  return (
    existing.subject === view.subject &&
    existing.predicate === view.predicate &&
    existing.value === view.value &&
    (view.valid_from == null || view.valid_from === existing.validFrom)
  );
}

/** The same value with other files, or other versions of them, is a change. */
function movesAnchors(current: StoredFact | undefined, view: FactAssertion): boolean {
  const given = view['x-anchors'];
  return given != null && JSON.stringify(given) !== JSON.stringify(current ? anchorsIn(current.wire) : []);
}

/** The fact as it is stored and returned: what the caller wrote, with what the server adds. */
function factWire(document: JsonDocument, minted: Readonly<Record<string, unknown>>): string {
  const changes = new Map<string, string | null>(CONTROLS.map((name) => [name, null]));
  for (const [name, value] of Object.entries(minted)) {
    if (value !== undefined) changes.set(name, JSON.stringify(value));
  }
  return spliceMembers(document, changes);
}
