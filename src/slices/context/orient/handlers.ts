import type { Principal } from '../../../spine/identity/principal.ts';
import type { Project } from '../../../spine/identity/projects/project.ts';
import { grantsScope } from '../../../spine/identity/scopes.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import { selectActive } from '../../../spine/identity/sessions/session-store.ts';
import { type Handlers, JsonText } from '../../../spine/operations/handler.ts';
import type { SearchHit } from '../../../spine/search/request.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { requireReadableProject } from '../access.ts';
import { jsonAnswer, PROTOCOL_HEADERS } from '../answer.ts';
import { selectSigned } from '../attest/store.ts';
import type { StoredFact } from '../facts/stored-fact.ts';
import { FACTS } from '../facts/stored-fact.ts';
import { selectVisible } from '../packages/list-store.ts';
import type { StoredPackage } from '../packages/stored-package.ts';
import { PACKAGES } from '../packages/stored-package.ts';
import type { ContextDeps } from '../ports.ts';
import { moment } from '../schema.ts';
import { anchored } from './anchored.ts';
import { briefingText } from './briefing-text.ts';
import { orientationBundle } from './bundle.ts';
import { digest, type Snippet } from './digest.ts';
import { type Gathered, gather } from './gather.ts';
import type { orientOperations } from './operations.ts';
import { BYTES_PER_TOKEN } from './rules.ts';
import type { OrientQuery } from './schema.ts';

const WINDOW_DAYS = 14;
const RECENT = 20;
const SNIPPETS = 25;
const BUNDLE_TOKENS = 25_000;
const BRIEFING_TOKENS = 4_000;
const MOST_PROJECTS = 200;

export function createOrientHandlers(deps: ContextDeps): Handlers<typeof orientOperations> {
  const { db, clock, identity, search, record } = deps;

  function gatherFor(reader: Reader, principal: Principal, project: Project, query: OrientQuery) {
    return gather(reader, {
      project,
      seenBy: principal.actor,
      windowDays: query.window_days ?? WINDOW_DAYS,
      limit: query.limit ?? RECENT,
      minSignificance: query.min_significance ?? 1,
      now: clock.now(),
    });
  }

  /** What an agent was told, by id and hash: so that one can ask later what it knew. */
  async function recordRead(
    principal: Principal,
    projectId: string,
    type: string,
    told: { readonly packages: readonly StoredPackage[]; readonly facts: readonly StoredFact[] },
    sessionId?: string,
  ): Promise<void> {
    await db.write((uow) =>
      record(uow, {
        projectId,
        by: principal.actor,
        sessionId,
        type,
        payload: {
          packages: told.packages.map(({ packageId, contentHash }) => [packageId, contentHash]),
          facts: told.facts.map(({ factId }) => factId),
          actor_id: principal.actor.id,
          actor_type: principal.actor.type,
        },
      }),
    );
  }

  /** Agents work in sessions: one that comes without gets its own. */
  async function sessionFor(principal: Principal, project: Project): Promise<Session | undefined> {
    const { projectId } = project;
    const active = await db.read((reader) => selectActive(reader, projectId, principal.actor));
    const starts =
      principal.actor.type === 'agent' &&
      project.archivedAt === null &&
      grantsScope(principal.scopes, 'sessions:write');
    if (active || !starts) return active;
    return db.write((uow: UnitOfWork) => identity.startSession(uow, { projectId, actor: principal.actor }));
  }

  async function brief(
    principal: Principal,
    gathered: Gathered,
    query: OrientQuery,
    session: Session | undefined,
  ) {
    const { projectId } = gathered.project;
    const ids = [...gathered.handoffs, ...gathered.packages].map((stored) => stored.packageId);
    const signed = await db.read((reader) => selectSigned(reader, projectId, ids));
    const briefing = briefingText(gathered, {
      maxBytes: (query.max_tokens ?? BRIEFING_TOKENS) * BYTES_PER_TOKEN,
      session,
      signed,
    });
    await recordRead(principal, projectId, 'orient.delivered', briefing, session?.sessionId);
    return {
      body: new JsonText(briefing.text),
      headers: { ...PROTOCOL_HEADERS, 'content-type': 'text/markdown; charset=utf-8' },
    };
  }

  async function projectsFor(reader: Reader, principal: Principal, projectId: string | undefined) {
    if (projectId !== undefined) return [await requireReadableProject(reader, principal, projectId)];
    return identity.listProjects(reader, principal, { archived: false, limit: MOST_PROJECTS });
  }

  /** Hits that the asker may see, in their order. */
  async function visibleHits(reader: Reader, hits: readonly SearchHit[], principal: Principal) {
    const shown = new Map<string, StoredPackage>();
    for (const projectId of new Set(hits.map((hit) => hit.projectId))) {
      const ids = hits.filter((hit) => hit.projectId === projectId && hit.collection === PACKAGES);
      const found = await selectVisible(
        reader,
        projectId,
        ids.map((hit) => hit.id),
        principal.actor,
      );
      for (const stored of found) shown.set(JSON.stringify([projectId, stored.packageId]), stored);
    }
    return hits.flatMap((hit) => {
      const stored = shown.get(JSON.stringify([hit.projectId, hit.id]));
      return hit.collection === PACKAGES && !stored ? [] : [{ hit, stored }];
    });
  }

  async function snippetsFor(
    principal: Principal,
    projectIds: readonly string[],
    focus: string | undefined,
    limit: number,
  ): Promise<Snippet[]> {
    if (!focus || limit === 0 || projectIds.length === 0) return [];
    const hits = await search.searchIn(db, { projectIds, collections: [PACKAGES], query: focus, limit });
    const shown = await db.read((reader) => visibleHits(reader, hits, principal));
    return shown.map(({ hit }) => ({
      package_id: hit.id,
      project_id: hit.projectId,
      field: hit.best.field,
      text: hit.best.snippet,
      score: hit.score,
    }));
  }

  return {
    'context.orient': async ({ input, principal }) => {
      const { project_id: projectId } = input.path;
      const { format = 'json', ...query } = input.query;
      const { gathered, session } = await db.read(async (reader) => {
        const project = await requireReadableProject(reader, principal, projectId);
        return {
          gathered: await gatherFor(reader, principal, project, query),
          session: await selectActive(reader, projectId, principal.actor),
        };
      });
      if (format === 'text') return brief(principal, gathered, query, session);
      const bundle = orientationBundle(gathered, (query.max_tokens ?? BUNDLE_TOKENS) * BYTES_PER_TOKEN);
      await recordRead(principal, projectId, 'orient.delivered', bundle, session?.sessionId);
      return jsonAnswer(bundle.text);
    },

    'context.brief': async ({ input, principal }) => {
      const { project: named, ...query } = input.body ?? {};
      const projectId = named ?? principal.defaultProject;
      const project = await db.read((reader) => requireReadableProject(reader, principal, projectId));
      const session = await sessionFor(principal, project);
      const gathered = await db.read((reader) => gatherFor(reader, principal, project, query));
      return brief(principal, gathered, query, session);
    },

    'context.anchors': async (reader, { input, principal }) => {
      const project = await requireReadableProject(reader, principal, input.path.project_id);
      const { handoffs, packages, facts } = await gatherFor(reader, principal, project, input.query);
      return { body: { anchors: anchored([...handoffs, ...packages], facts) } };
    },

    'context.orchestrate': async ({ input, principal }) => {
      const { query } = input;
      const projectId = query.project ?? query.project_id;
      const projects = await db.read((reader) => projectsFor(reader, principal, projectId));
      const ids = projects.map((project) => project.projectId);
      const snippets = await snippetsFor(principal, ids, query.focus, query.snippets ?? SNIPPETS);
      const made = await db.read((reader) =>
        digest(reader, {
          projectId,
          projects,
          seenBy: principal.actor,
          focus: query.focus,
          snippets,
          windowDays: query.window_days ?? WINDOW_DAYS,
          minSignificance: query.min_significance ?? 1,
          maxBytes: (query.max_tokens ?? BUNDLE_TOKENS) * BYTES_PER_TOKEN,
          now: clock.now(),
        }),
      );
      if (projectId !== undefined) await recordRead(principal, projectId, 'digest.delivered', made);
      return jsonAnswer(made.text);
    },

    'context.search': async ({ input, principal }) => {
      const { query, project, collections = [PACKAGES, FACTS], limit = 10 } = input.query;
      const projects = await db.read((reader) => projectsFor(reader, principal, project));
      const asOf = moment(input.query.as_of);
      const hits = await search.searchIn(db, {
        projectIds: projects.map(({ projectId }) => projectId),
        collections,
        query,
        limit,
        ...(asOf !== undefined && { asOf }),
      });
      const shown = await db.read((reader) => visibleHits(reader, hits, principal));
      return {
        body: {
          hits: shown.map(({ hit, stored }) => ({
            collection: hit.collection,
            project_id: hit.projectId,
            id: hit.id,
            score: hit.score,
            field: hit.best.field,
            text: hit.best.snippet,
            ...(stored && { title: stored.title }),
          })),
        },
      };
    },
  };
}
