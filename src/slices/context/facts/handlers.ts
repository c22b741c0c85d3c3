import type { Clock } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { Database, Reader } from '../../../spine/storage/database.ts';
import { requireReadableProject } from '../access.ts';
import { INDEXED_IN_PART, jsonAnswer, nextLink, PROTOCOL_HEADERS, pageAnswer } from '../answer.ts';
import { contextErrors } from '../errors.ts';
import { pageSize, readCursor, writeCursor } from '../paging.ts';
import { moment } from '../schema.ts';
import type { AssertFact, AssertResult } from './assert.ts';
import type { InvalidateFact } from './invalidate.ts';
import { latestFacts } from './latest.ts';
import type { factOperations } from './operations.ts';
import type { FactListQuery } from './schema.ts';
import { keyHash, selectFacts } from './store.ts';
import { currentFactText, factText } from './stored-fact.ts';

const USUAL_PAGE = 100;

export function createFactHandlers(
  assertFact: AssertFact,
  invalidateFact: InvalidateFact,
  { db, hasher, clock }: { readonly db: Database; readonly hasher: Hasher; readonly clock: Clock },
): Handlers<typeof factOperations> {
  function answer({ fact, created, indexedWhole }: AssertResult) {
    const headers = indexedWhole
      ? PROTOCOL_HEADERS
      : { ...PROTOCOL_HEADERS, 'relay-warning': INDEXED_IN_PART };
    return jsonAnswer(factText(fact), headers, created ? 201 : 200);
  }

  async function list(
    reader: Reader,
    principal: Principal,
    projectId: string,
    query: FactListQuery,
    path: string,
  ) {
    await requireReadableProject(reader, principal, projectId);
    const limit = pageSize(query.limit, USUAL_PAGE);
    const { subject, predicate } = query;
    const [asOf, knownAt] = [moment(query.as_of), moment(query.known_at)];
    const { facts, more } = await selectFacts(reader, {
      projectId,
      factId: query.fact_id,
      subject,
      predicate,
      key: subject && predicate ? keyHash(hasher, { projectId, subject, predicate }) : undefined,
      value: query.value,
      asOfMicros: asOf ?? (query.history ? undefined : (knownAt ?? clock.now())),
      knownAtMicros: knownAt,
      before: query.cursor === undefined ? undefined : readCursor(query.cursor),
      limit: limit + 1,
    });
    const shown = facts.slice(0, limit);
    const last = more ? shown.at(-1) : undefined;
    const link = last && nextLink(path, query, { micros: last.fromMicros, seq: last.seq });
    const current = asOf === undefined && knownAt === undefined && !query.history;
    return pageAnswer(shown.map(current ? currentFactText : factText), link);
  }

  return {
    'facts.assert': async (uow, { input, document, principal }) => {
      const { project_id: projectId } = input.path;
      const named = (input.body as { project_id?: unknown }).project_id;
      if (named !== undefined && named !== projectId) {
        throw contextErrors.invalid_schema({
          message: `The fact names a different project than the path, ${projectId}.`,
          pointer: '/project_id',
        });
      }
      return answer(await assertFact(uow, { projectId, document, view: input.body, principal }));
    },

    'facts.state': async (uow, { input, document, principal }) =>
      answer(
        await assertFact(uow, {
          projectId: input.body.project ?? principal.defaultProject,
          document,
          view: { ...input.body, if_changed: input.body.if_changed ?? true },
          principal,
        }),
      ),

    'facts.invalidate': async (uow, { input, principal }) => {
      const { object, value = object, ...key } = input.query;
      const { project_id: projectId } = input.path;
      const invalidated = await invalidateFact(uow, { key: { ...key, projectId }, principal, value });
      return jsonAnswer(JSON.stringify({ invalidated }));
    },

    'facts.retract': async (uow, { input, principal }) => {
      const { object, value = object, project: projectId = principal.defaultProject, ...key } = input.query;
      const invalidated = await invalidateFact(uow, { key: { ...key, projectId }, principal, value });
      return jsonAnswer(JSON.stringify({ invalidated }));
    },

    'facts.list': async (reader, { input, principal }) => {
      const { project_id } = input.path;
      const path = `/v1/projects/${encodeURIComponent(project_id)}/facts`;
      return list(reader, principal, project_id, input.query, path);
    },

    'facts.latest': async ({ input: { path, query }, principal }) => {
      const { items, total, last } = await latestFacts(db, {
        principal,
        projectId: path.project_id,
        words: query.words,
        asOfMicros: moment(query.as_of),
        after: query.cursor === undefined ? undefined : readCursor(query.cursor),
        limit: pageSize(query.limit, USUAL_PAGE),
      });
      const next = last ? writeCursor({ micros: last.fromMicros, seq: last.seq }) : null;
      const texts = items.map(({ fact, earlier }) => `{"fact":${factText(fact)},"earlier":${earlier}}`);
      return jsonAnswer(
        `{"items":[${texts.join(',')}],"total":${JSON.stringify(total)},"next":${JSON.stringify(next)}}`,
      );
    },

    'facts.query': async (reader, { input, principal }) =>
      list(reader, principal, input.query.project ?? principal.defaultProject, input.query, '/v1/facts'),
  };
}
