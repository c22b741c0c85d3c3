import type { Micros } from '../../../kernel/clock.ts';
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
import { factLock } from './invalidate.ts';
import { makeRoom, placeFact } from './place.ts';
import { judgeAssertion } from './rules.ts';
import type { FactAssertion } from './schema.ts';
import { selectSpans } from './span-store.ts';
import { keyHash, selectFact, selectHeld } from './store.ts';
import type { StoredFact } from './stored-fact.ts';
import type { Splice } from './timeline.ts';

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
  /** False if search finds the fact only by the beginning of its text. */
  readonly indexedWhole: boolean;
}

/** Gives the fact its place on the timeline of its subject and predicate, and ends what held there, or does neither. */
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
        if (sameAssertion(existing, view)) return { fact: existing, created: false, indexedWhole: true };
        throw contextErrors.duplicate_fact_id({ pointer: '/fact_id' });
      }
    }
    const key = keyHash(hasher, { projectId, subject, predicate });
    const now = clock.now();
    const current = await selectHeld(uow, projectId, key, now);
    const validFrom = given(view.valid_from);
    const validTo = given(view.valid_to);
    const spans = await selectSpans(uow, { projectId, key }, Math.min(now, validFrom?.micros ?? now));
    const verdict = judgeAssertion(
      current,
      spans,
      {
        value,
        validFrom,
        validTo,
        expectedValue: view.expected_value,
        expectedFactId: view.expected_fact_id,
        ifChanged: (view.if_changed ?? false) && !movesAnchors(current, view),
      },
      now,
    );
    if (verdict.kind === 'unchanged' && current) return { fact: current, created: false, indexedWhole: true };
    if (verdict.kind !== 'assert') throw new Error('only a current fact can be unchanged');
    const { splice } = verdict;
    const factId = view.fact_id ?? prefixedId('fact', random);
    const wire = factWire(document, {
      fact_id: factId,
      project_id: projectId,
      valid_from: verdict.validFrom,
      created_at: formatMicros(now),
      asserted_by: await assertedBy(uow, request),
      ...whoStated(view, principal.actor),
    });
    const goesOn = splice.goesOn && (await selectFact(uow, projectId, splice.goesOn.factId));
    await makeRoom(uow, search, { projectId, key }, { ...splice, at: verdict.validFrom }, now);
    const fresh = {
      projectId,
      factId,
      subject,
      predicate,
      value,
      wire,
      validFrom: verdict.validFrom,
      fromMicros: splice.from,
      validTo: validTo?.text ?? (splice.to === null ? null : formatMicros(splice.to)),
      toMicros: splice.to,
      createdMicros: now,
      invalidatedBy: null,
    };
    const { seq, whole } = await placeFact(uow, search, { ...fresh, key }, now);
    if (goesOn) await goOn(uow, goesOn, key, splice, now);
    const [before] = [...splice.cut, ...splice.covered];
    await record(uow, {
      projectId,
      by: principal.actor,
      type: 'fact.asserted',
      payload: {
        fact_id: factId,
        supersedes: before?.factId ?? null,
        source_package_id: view.source_package_id ?? null,
        actor_id: principal.actor.id,
        actor_type: principal.actor.type,
        ...spokenFor(view.asserted_by, principal.actor),
      },
    });
    return { fact: { ...fresh, seq }, created: true, indexedWhole: whole };
  };

  /** What a correction interrupts goes on after it: the same statement, as a fact of its own. */
  async function goOn(
    uow: UnitOfWork,
    interrupted: StoredFact,
    key: string,
    splice: Splice,
    now: Micros,
  ): Promise<void> {
    if (splice.to === null || !splice.goesOn) return;
    const factId = prefixedId('fact', random);
    const validFrom = formatMicros(splice.to);
    const wire = factWire(readDocument(interrupted.wire), {
      fact_id: factId,
      valid_from: validFrom,
      created_at: formatMicros(now),
      'x-continues': interrupted.factId,
    });
    const end = splice.goesOn.to;
    const rest = {
      ...interrupted,
      factId,
      wire,
      validFrom,
      fromMicros: splice.to,
      validTo: end === null ? null : formatMicros(end),
      toMicros: end,
      createdMicros: now,
    };
    await placeFact(uow, search, { ...rest, key }, now);
  }
}

function given(text: string | null | undefined) {
  const instant = text == null ? undefined : parseInstant(text);
  return instant && { text: text as string, micros: instant.micros };
}

/** The other name, where the fact was asserted in it. */
function spokenFor(named: Actor | null | undefined, by: Actor) {
  return named && !sameActor(named, by) ? { author_id: named.id, author_type: named.type } : {};
}

/**
 * Where the author is another than whoever states the fact: `asserted_by` may come from a package, or from a request that
 * speaks for the author. Whoever rests on whose word it is has to know.
 */
function whoStated({ asserted_by: named, source_package_id: source }: FactAssertion, by: Actor) {
  const actor = { id: by.id, type: by.type };
  const spoken = named != null && !sameActor(named, by);
  return { 'x-spoken-by': spoken ? actor : null, 'x-stated-by': !spoken && source ? actor : null };
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

/** The fact as it is stored and returned: what the caller wrote, with what the server adds; null takes a member out. */
function factWire(document: JsonDocument, minted: Readonly<Record<string, unknown>>): string {
  const changes = new Map<string, string | null>(CONTROLS.map((name) => [name, null]));
  for (const [name, value] of Object.entries(minted)) {
    if (value !== undefined) changes.set(name, value === null ? null : JSON.stringify(value));
  }
  return spliceMembers(document, changes);
}
