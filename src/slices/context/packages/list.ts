import type { Principal } from '../../../spine/identity/principal.ts';
import type { Answer } from '../../../spine/operations/handler.ts';
import { requireReadableProject } from '../access.ts';
import { jsonAnswer, listText, nextLink, pageAnswer, withLeftOut } from '../answer.ts';
import { contextErrors } from '../errors.ts';
import { pageSize, readCursor } from '../paging.ts';
import type { ContextDeps } from '../ports.ts';
import { moment } from '../schema.ts';
import { selectLatest, selectVisible, selectWhole } from './list-store.ts';
import { type ReadPackage, renderPackages } from './read.ts';
import type { PackageListQuery } from './schema.ts';
import { PACKAGES } from './stored-package.ts';

export interface ListRequest {
  readonly principal: Principal;
  readonly projectId: string;
  readonly query: PackageListQuery;
  /** The path of the next page. */
  readonly path: string;
}

export type ListPackages = (request: ListRequest) => Promise<Answer<never>>;

const DEFAULT_PAGE = 5;

/** Lists packages in the mode asked for: the latest, those relevant to a query, or a single one by id. */
export function createListPackages(
  { db, search }: Pick<ContextDeps, 'db' | 'search'>,
  read: ReadPackage,
): ListPackages {
  async function latest({ principal, projectId, query, path }: ListRequest) {
    const limit = pageSize(query.limit, DEFAULT_PAGE);
    const { texts, last } = await db.read(async (reader) => {
      await requireReadableProject(reader, principal, projectId);
      const { packages, more } = await selectLatest(reader, {
        projectId,
        seenBy: principal.actor,
        limit: limit + 1,
        before: query.cursor === undefined ? undefined : readCursor(query.cursor),
        status: query.status,
        packageType: query.package_type,
        author: query.author,
        sessionId: query.session_id,
        callsign: query.callsign,
        sinceMicros: moment(query.since),
        untilMicros: moment(query.until),
        minSignificance: query.min_significance,
      });
      const shown = packages.slice(0, limit);
      const rendered = await renderPackages(reader, shown, query.envelope);
      return { texts: rendered, last: more ? shown.at(-1) : undefined };
    });
    const link = last && nextLink(path, query, { micros: last.createdMicros, seq: last.seq });
    return pageAnswer(texts, link);
  }

  async function specific({ principal, projectId, query }: ListRequest) {
    const packageId = query.package_id;
    if (packageId === undefined) {
      throw contextErrors.invalid_schema({
        message: 'Which package? Give package_id.',
        pointer: '/package_id',
      });
    }
    return read({ principal, packageId, projectId }, query);
  }

  async function relevant({ principal, projectId, query }: ListRequest) {
    if (!query.query) {
      throw contextErrors.invalid_schema({
        message: 'What should be searched for? Give query.',
        pointer: '/query',
      });
    }
    await db.read((reader) => requireReadableProject(reader, principal, projectId));
    const limit = pageSize(query.limit, DEFAULT_PAGE);
    const asOf = moment(query.until);
    const hits = await search.searchIn(db, {
      projectId,
      collections: [PACKAGES],
      query: query.query,
      // Some of the hits may be invisible to the caller or filtered out below.
      limit: Math.min(limit * 3, 200),
      filter: {
        attributes: {
          ...(query.package_type !== undefined && { package_type: query.package_type }),
          ...(query.author !== undefined && { author: query.author }),
        },
      },
      ...(asOf !== undefined && { asOf }),
    });
    const scores = new Map(hits.map((hit) => [hit.id, hit.score]));
    const { texts, leftOut } = await db.read(async (reader) => {
      const found = await selectVisible(reader, projectId, [...scores.keys()], principal.actor);
      const least = query.min_significance ?? 0;
      const since = moment(query.since) ?? Number.NEGATIVE_INFINITY;
      const shown = found
        .filter((stored) => stored.significance >= least && stored.createdMicros >= since)
        .slice(0, limit);
      const whole = await selectWhole(reader, shown);
      return {
        texts: await renderPackages(reader, whole, query.envelope, scores),
        leftOut: shown.length - whole.length,
      };
    });
    return jsonAnswer(listText(texts), withLeftOut(leftOut));
  }

  return (request) => {
    const { query } = request;
    const { mode = query.query ? 'relevant' : query.package_id ? 'specific' : 'latest' } = query;
    if (mode === 'specific') return specific(request);
    return mode === 'relevant' ? relevant(request) : latest(request);
  };
}
