import { requireProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import { requireSessionOwner, visibleSession } from '../../../spine/identity/sessions/session-access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { PROTOCOL_HEADERS } from '../answer.ts';
import { selectDepositedIn } from '../packages/list-store.ts';
import type { ContextDeps } from '../ports.ts';
import type { projectOperations } from './operations.ts';
import { projectBody, sessionBody } from './schema.ts';
import { selectForeignSessions } from './store.ts';

const KNOWN = new Set(['project_id', 'id', 'name', 'description', 'settings', 'created_at', 'archived_at']);

export function createProjectHandlers({
  identity,
}: Pick<ContextDeps, 'identity'>): Handlers<typeof projectOperations> {
  const headers = PROTOCOL_HEADERS;

  async function start(
    uow: UnitOfWork,
    principal: Principal,
    projectId: string,
    given: { session_id?: string | undefined; description?: string | undefined } = {},
  ) {
    requireProject(principal, projectId);
    const session = await identity.startSession(uow, {
      projectId,
      actor: principal.actor,
      sessionId: given.session_id,
      description: given.description,
    });
    return { body: { ...sessionBody(session, []), announce: announcement(session) }, headers };
  }

  async function body(reader: Reader, session: Session) {
    return sessionBody(session, await selectDepositedIn(reader, session));
  }

  return {
    'projects.create': async (uow, { input, principal }) => {
      const given = input.body as Record<string, unknown> & typeof input.body;
      requireProject(principal, given.project_id);
      const extra = Object.fromEntries(Object.entries(given).filter(([name]) => !KNOWN.has(name)));
      const { project, created } = await identity.ensureProject(
        uow,
        {
          projectId: given.project_id,
          name: given.name,
          description: given.description ?? null,
          settings: JSON.stringify(given.settings ?? {}),
          extra: JSON.stringify(extra),
        },
        principal.actor,
      );
      return { status: created ? 201 : 200, body: projectBody(project), headers };
    },

    'projects.list': async (reader, { input, principal }) => {
      const { archived = false, limit = 100, after } = input.query;
      const last = after === undefined ? undefined : await identity.getProject(reader, principal, after);
      const projects = await identity.listProjects(reader, principal, { archived, limit, after: last });
      return { body: projects.map(projectBody), headers };
    },

    'projects.get': async (reader, { input, principal }) => ({
      body: projectBody(await identity.getProject(reader, principal, input.path.project_id)),
      headers,
    }),

    'projects.change': async (uow, { input, principal }) => {
      const { project_id: projectId } = input.path;
      requireProject(principal, projectId);
      const { name, description, settings: set } = input.body;
      const changes = { name, description, settings: set && JSON.stringify(set) };
      return {
        body: projectBody(await identity.changeProject(uow, projectId, changes, principal.actor)),
        headers,
      };
    },

    'projects.archive': async (uow, { input, principal }) => {
      requireProject(principal, input.path.project_id);
      const project = await identity.archiveProject(uow, input.path.project_id, principal.actor);
      return { body: projectBody(project), headers };
    },

    'projects.restore': async (uow, { input, principal }) => {
      requireProject(principal, input.path.project_id);
      const project = await identity.restoreProject(uow, input.path.project_id, principal.actor);
      return { body: projectBody(project), headers };
    },

    'sessions.start': (uow, { input, principal }) =>
      start(uow, principal, input.path.project_id, input.body ?? {}),

    'sessions.begin': (uow, { input, principal }) =>
      start(uow, principal, input.query.project ?? principal.defaultProject),

    'sessions.list': async (reader, { input, principal }) => {
      const { project_id: projectId } = input.path;
      await identity.getProject(reader, principal, projectId);
      const { callsign, status, limit = 50, offset = 0 } = input.query;
      if (callsign !== undefined) {
        const found = await identity.findByCallsign(reader, projectId, callsign);
        const foreign = await selectForeignSessions(reader, projectId, callsign);
        const own = found ? [await body(reader, found)] : [];
        return { body: [...own, ...foreign.map((line) => JSON.parse(line))], headers };
      }
      const { sessions } = await identity.listSessions(reader, projectId, { status, limit, offset });
      const bodies = [];
      for (const session of sessions) bodies.push(await body(reader, session));
      return { body: bodies, headers };
    },

    'sessions.end': async (uow, { input, principal }) => {
      const session = await visibleSession(uow, principal, input.path.session_id);
      requireSessionOwner(principal, session);
      const ended = await identity.endSession(uow, session.sessionId, input.body?.reason ?? 'completed');
      return { body: await body(uow, ended), headers };
    },
  };
}

function announcement(session: Session): string {
  return `Your callsign is ${session.callsign}. Tell the person you work for, and give session_id ${session.sessionId} with your deposits.`;
}
