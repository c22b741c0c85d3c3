import type { Hasher } from '../../../kernel/hasher.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { requireReadableProject, sameActor } from '../access.ts';
import { jsonAnswer, nextLink, packageHeaders, pageAnswer } from '../answer.ts';
import { contextErrors } from '../errors.ts';
import { findPackage } from '../packages/find.ts';
import { selectLatest } from '../packages/list-store.ts';
import { packageText, type StoredPackage } from '../packages/stored-package.ts';
import { pageSize, readCursor } from '../paging.ts';
import type { ReviewQueueQuery } from '../schema.ts';
import type { reviewOperations } from './operations.ts';
import type { Review } from './review.ts';
import { brokenEntry } from './rules.ts';
import { selectEntries } from './store.ts';

const USUAL_PAGE = 50;

export function createReviewHandlers(review: Review, hasher: Hasher): Handlers<typeof reviewOperations> {
  const answer = (stored: StoredPackage) => jsonAnswer(packageText(stored), packageHeaders(stored));

  async function queue(
    reader: Reader,
    principal: Principal,
    projectId: string,
    query: ReviewQueueQuery,
    path: string,
  ) {
    await requireReadableProject(reader, principal, projectId);
    const limit = pageSize(query.limit, USUAL_PAGE);
    const { packages, more } = await selectLatest(reader, {
      projectId,
      seenBy: principal.actor,
      status: query.status ?? 'awaiting_review',
      reviewType: query.review_type,
      before: query.cursor === undefined ? undefined : readCursor(query.cursor),
      limit: limit + 1,
    });
    const shown = packages.slice(0, limit);
    const last = more ? shown.at(-1) : undefined;
    const link = last && nextLink(path, query, { micros: last.createdMicros, seq: last.seq });
    return pageAnswer(shown.map(packageText), link);
  }

  return {
    'review.flag': async (uow, { input, principal }) => {
      const stored = await findPackage(uow, principal, input.path.package_id, input.query.project);
      const { review_type: reviewType, note } = input.body;
      return answer(await review.move(uow, stored, { move: { kind: 'flag', reviewType }, principal, note }));
    },

    'review.decide': async (uow, { input, principal }) => {
      const { verdict, reviewer, note } = input.body;
      if (reviewer && !sameActor(reviewer, principal.actor)) {
        throw contextErrors.actor_mismatch({ pointer: '/reviewer' });
      }
      const stored = await findPackage(uow, principal, input.path.package_id, input.query.project);
      return answer(
        verdict === 'complete'
          ? await review.move(uow, stored, { move: { kind: 'complete' }, principal, note })
          : await review.decide(uow, stored, { move: { kind: verdict }, principal, note }),
      );
    },

    'review.log': async (reader, { input, principal }) => {
      const stored = await findPackage(reader, principal, input.path.package_id, input.query.project);
      const entries = await selectEntries(reader, stored);
      return { body: { entries, intact: brokenEntry(hasher, entries) === undefined } };
    },

    'review.queue': async (reader, { input, principal }) => {
      const { project_id } = input.path;
      const path = `/v1/projects/${encodeURIComponent(project_id)}/reviews`;
      return queue(reader, principal, project_id, input.query, path);
    },

    'review.waiting': async (reader, { input, principal }) =>
      queue(reader, principal, input.query.project ?? principal.defaultProject, input.query, '/v1/reviews'),
  };
}
