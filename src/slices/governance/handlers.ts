import { parseInstant } from '../../kernel/instant.ts';
import { isJsonObject } from '../../kernel/json/value.ts';
import { writeJson } from '../../kernel/json/write.ts';
import { chosenProject, isOwner, requireProject } from '../../spine/identity/access.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import { requireSessionOwner, visibleSession } from '../../spine/identity/sessions/session-access.ts';
import { selectSessions } from '../../spine/identity/sessions/session-store.ts';
import { type Handlers, JsonText } from '../../spine/operations/handler.ts';
import { selectApprovals } from './approvals/store.ts';
import { approvalView } from './approvals/view.ts';
import { analyze } from './atlases/analysis/analyze.ts';
import { checkManifest } from './atlases/load.ts';
import { withInlineFiles } from './atlases/rules/inline-files.ts';
import { governanceErrors } from './errors.ts';
import { executeRequest } from './execution/execute.ts';
import { answerType, MEDIA_TYPES } from './media-types.ts';
import type { governanceOperations } from './operations.ts';
import { compilePolicies } from './policies/rules/compile.ts';
import { explain } from './policies/rules/explain.ts';
import { isSchemaName, publishedSchemas } from './published-schemas/schemas.ts';
import { settle } from './resolution/admission.ts';
import { readCarpBody } from './resolution/read-request.ts';
import { resolveInUnit } from './resolution/resolve.ts';
import { sessionView } from './sessions/view.ts';
import type { Governance } from './slice.ts';
import { readableSession } from './traces/read.ts';
import { traceResponse } from './traces/response.ts';

export function createGovernanceHandlers(governance: Governance): Handlers<typeof governanceOperations> {
  const { deps, atlases, approvals, sets, traces } = governance;
  const { db, clock } = deps;
  const readable = (principal: Principal, sessionId: string) =>
    db.read((reader) => readableSession(reader, principal, sessionId));

  return {
    'carp.session.start': async (uow, { input, principal, document }) => {
      const { body } = input;
      requireProject(principal, principal.defaultProject);
      if (body.atlas_id !== undefined) await atlases.get(uow, principal.defaultProject, body.atlas_id);
      const metadata = document && isJsonObject(document.value) ? document.value.metadata : undefined;
      const session = await deps.sessions.startSession(uow, {
        projectId: principal.defaultProject,
        actor: principal.actor,
        agentId: body.agent_id,
        goal: body.goal,
        ...(body.atlas_id !== undefined && { atlasId: body.atlas_id }),
        ...(body.session_id !== undefined && { sessionId: body.session_id.toLowerCase() }),
        ...(body.parent_session_id && { parentSessionId: body.parent_session_id.toLowerCase() }),
        ...(metadata !== undefined && { metadata: writeJson(metadata) }),
      });
      return { body: sessionView(session) };
    },

    'carp.session.list': async (reader, { input, principal }) => {
      const { status = 'active', limit = 20, offset = 0 } = input.query;
      requireProject(principal, principal.defaultProject);
      const filter = { limit, offset, ...(status !== 'all' && { status }) };
      const { sessions, total } = await selectSessions(reader, principal.defaultProject, filter);
      return { body: { items: sessions.map(sessionView), total, limit, offset } };
    },

    'carp.session.get': async (reader, { input, principal }) => ({
      body: sessionView(await visibleSession(reader, principal, input.path.session_id.toLowerCase())),
    }),

    'carp.session.end': async (uow, { input, principal }) => {
      const sessionId = input.path.session_id.toLowerCase();
      await uow.lock(`carp:${sessionId}`);
      requireSessionOwner(principal, await visibleSession(uow, principal, sessionId));
      await deps.sessions.endSession(uow, sessionId, input.query.reason ?? 'completed');
      return { body: null };
    },

    'carp.resolve': async ({ input, principal, document }) => {
      const { request } = readCarpBody(document, ['resolve', 'validate']);
      const resolution = settle(await db.write((uow) => resolveInUnit(governance, uow, principal, request)));
      return { body: resolution, headers: answerType(input.headers.accept, MEDIA_TYPES.carp) };
    },

    'carp.execute': async ({ input, principal, document }) => {
      const body = readCarpBody(document, ['execute']);
      const answer = await executeRequest(governance, principal, body);
      return {
        status: answer.status,
        body: answer.body,
        headers: {
          ...answerType(input.headers.accept, MEDIA_TYPES.carp),
          ...(answer.retryAfter !== undefined && { 'retry-after': String(answer.retryAfter) }),
        },
      };
    },

    'carp.explain': async (reader, { input, principal }) => {
      const { body, query } = input;
      const { set } = await sets.load(reader, chosenProject(principal, query.project), body.atlas_ids);
      const decision = {
        agentId: body.agent_id,
        riskTier: body.risk_tier,
        context: body.context ?? {},
        scopes: principal.scopes,
        now: parseInstant(body.now ?? '')?.micros ?? clock.now(),
        ...(body.parameters && { parameters: body.parameters }),
      };
      const ids = body.action_id === undefined ? set.actionIds : [body.action_id];
      const explanations = ids.map((id) => {
        const told = explain(set, id, decision);
        if (!told) throw governanceErrors.action_not_found({ pointer: '/action_id' });
        return { ...told };
      });
      return { body: { explanations } };
    },

    'approvals.list': async (reader, { input, principal }) => {
      const { status = 'pending', limit = 50, project } = input.query;
      const now = clock.now();
      const items = await selectApprovals(reader, deps.payloads, {
        projects: [chosenProject(principal, project)],
        status: status === 'all' ? undefined : status,
        limit,
        now,
      });
      return { body: { items: items.map((each) => approvalView(each, now)), total: items.length } };
    },

    'approvals.get': async (reader, { input, principal }) => {
      const approval = await approvals.get(reader, principal, input.path.approval_id);
      return { body: approvalView(approval, clock.now()) };
    },

    'approvals.ask': async (uow, { input, principal }) => {
      const { approval_id: id } = input.path;
      const approval = await approvals.askAs(uow, principal, id, input.body.action_id);
      return { body: approvalView(approval, clock.now()) };
    },

    'approvals.decide': async (uow, { input, principal }) => {
      const approval = await approvals.decide(uow, principal, input.path.approval_id, input.body);
      return { body: approvalView(approval, clock.now()) };
    },

    'trace.stream': async ({ input, principal, signal }) => {
      const session = await readable(principal, input.query.session_id);
      const since = input.headers['last-event-id'] ?? input.query.since_sequence ?? -1;
      return traces.follow(session, since, signal) as ReturnType<typeof traces.follow> & AsyncIterable<never>;
    },

    'trace.read': async (request, { input, principal }) => {
      const session = await readable(principal, input.path.session_id);
      return traceResponse(db, traces, session.sessionId, input.query, request.headers.get('accept'));
    },

    'trace.events': async (reader, { input, principal }) => {
      const session = await readableSession(reader, principal, input.path.session_id);
      const { event_type: eventType, since_sequence: sinceSequence, limit } = input.query;
      const page = await traces.page(reader, session.sessionId, { eventType, sinceSequence, limit });
      const events = `[${page.lines.join(',')}]`;
      return {
        body: new JsonText(
          `{"session_id":"${session.sessionId}","events":${events},"total":${page.total},"last_sequence":${page.last}}`,
        ),
      };
    },

    'trace.verify': async ({ input, principal }) => {
      const session = await readable(principal, input.path.session_id);
      const report = await traces.verify(session.sessionId);
      return {
        body: {
          valid: report.valid,
          event_count: report.event_count,
          ended: report.ended,
          errors: report.errors.map(({ index, sequence, error, details }) => ({
            index,
            sequence,
            error,
            details,
          })),
        },
      };
    },

    'trace.state': async ({ input, principal }) => {
      const session = await readable(principal, input.path.session_id);
      return { body: { ...(await traces.state(session.sessionId)) } };
    },

    'trace.inputs': async ({ input, principal }) => {
      const session = await readable(principal, input.path.session_id);
      if (!isOwner(principal)) requireSessionOwner(principal, session);
      return { body: { items: await traces.inputs(session.sessionId) } };
    },

    'trace.replay': async ({ input, principal }) => {
      const session = await readable(principal, input.path.session_id);
      return { body: { ...(await traces.replay(session.sessionId)) } };
    },

    'atlas.list': async (reader, { input, principal }) => {
      const items = await atlases.list(reader, chosenProject(principal, input.query.project));
      return { body: input.query.envelope ? { items, total: items.length } : items };
    },

    'atlas.load': async (uow, { input, principal, document }) => {
      const { project, mode = 'enforce' } = input.query;
      const within = { ...principal, defaultProject: chosenProject(principal, project) };
      return { body: await atlases.load(uow, within, document?.value ?? null, mode) };
    },

    'atlas.get': async (reader, { input, principal }) => {
      const projectId = chosenProject(principal, input.query.project);
      const { atlas } = await atlases.get(reader, projectId, input.path.atlas_id);
      return {
        body: withInlineFiles(atlas.manifest, atlas.files),
        headers: answerType(input.headers.accept, MEDIA_TYPES.atlas),
      };
    },

    'atlas.unload': async (uow, { input, principal }) => {
      const within = { ...principal, defaultProject: chosenProject(principal, input.query.project) };
      await atlases.unload(uow, within, input.path.atlas_id);
      return { body: null };
    },

    'atlas.check': async ({ document }) => {
      const { atlas, findings } = checkManifest(deps, document?.value ?? null);
      return { body: { loadable: atlas !== undefined, findings: findings.map((each) => ({ ...each })) } };
    },

    'atlas.analysis': async (reader, { input, principal }) => {
      const projectId = chosenProject(principal, input.query.project);
      const { atlas } = await atlases.get(reader, projectId, input.path.atlas_id);
      const { findings, complete } = analyze(compilePolicies([{ atlas, mode: 'enforce' }]));
      return { body: { findings: findings.map((each) => ({ ...each })), complete } };
    },

    'schema.get': async ({ input }) => {
      const name = input.path.name.replace(/\.schema\.json$/, '');
      if (!isSchemaName(name)) throw governanceErrors.schema_not_found();
      return {
        body: publishedSchemas()[name],
        headers: { 'content-type': 'application/schema+json' },
      };
    },
  };
}
