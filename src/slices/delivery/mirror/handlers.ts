import { requireProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { requireVoice } from '../../../spine/identity/voice.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { deliveryErrors } from '../errors.ts';
import { type GateView, viewGate } from '../gates/gate-view.ts';
import type { DeliveryDeps } from '../ports.ts';
import { keepOf, trustedRoot } from '../repository/keep.ts';
import { openRepository } from '../repository/repository.ts';
import { listDecisions, listEvents, listHistory, type RecordFilter } from '../runs/list.ts';
import { type RunStatusReport, runStatus } from '../runs/status.ts';
import { attachRepository, noteAttachment } from './attach.ts';
import { compareWithRecord } from './compare.ts';
import type { Mirror } from './mirror.ts';
import type { mirrorOperations } from './operations.ts';
import { resolveGate } from './resolve-gate.ts';
import { ORCHESTRATOR } from './rules.ts';
import { type AttachedRepository, selectRepositories, selectRepository } from './store.ts';

export function createMirrorHandlers(
  deps: DeliveryDeps & { readonly mirror: Mirror },
): Handlers<typeof mirrorOperations> {
  const { db, clock, random, hasher, keepIn, mirror, ports } = deps;

  /** A repository in a project that the caller cannot see is reported as not found. */
  async function visible(id: string, principal: Principal): Promise<AttachedRepository> {
    const found = await db.read((reader) => selectRepository(reader, id));
    const sees =
      principal.projects === 'all' || (found !== undefined && principal.projects.includes(found.projectId));
    if (found === undefined || !sees) throw deliveryErrors.repository_not_found({ details: { id } });
    return found;
  }

  type RecordCall = {
    readonly input: {
      readonly path: { readonly id: string };
      readonly query: {
        readonly run?: string | undefined;
        readonly limit?: number | undefined;
        readonly skip?: number | undefined;
      };
    };
    readonly principal: Principal;
  };
  const records =
    (list: (root: string, filter: RecordFilter) => Promise<readonly object[]>) =>
    async ({ input, principal }: RecordCall) => {
      const { root } = await visible(input.path.id, principal);
      const { run, limit, skip = 0 } = input.query;
      const source = await trustedRoot(root, keepOf(keepIn, root, hasher));
      const all = await list(source, run === undefined ? {} : { runId: run });
      const end = Math.max(0, all.length - skip);
      const rows = all.slice(limit === undefined ? 0 : Math.max(0, end - limit), end);
      return { body: { rows: rows as Record<string, unknown>[], total: all.length } };
    };

  return {
    'delivery.attach': async ({ input, principal }) => {
      requireProject(principal, input.path.project_id);
      const attached = await attachRepository(
        { db, clock, random },
        { root: input.body.path, projectId: input.path.project_id, by: principal.actor },
      );
      const { repositoryId, projectId } = attached;
      await noteAttachment(openRepository({ root: attached.root, clock, random, hasher, keepIn }), {
        repository_id: repositoryId,
        project_id: projectId,
      });
      await mirror.catchUp(attached.repositoryId);
      return { status: 201, body: repositoryBody(await visible(attached.repositoryId, principal)) };
    },
    'delivery.repositories': async (reader, { input, principal }) => {
      requireProject(principal, input.path.project_id);
      const repositories = await selectRepositories(reader, [input.path.project_id]);
      return { body: { repositories: repositories.map(repositoryBody) } };
    },
    'delivery.locate': async (reader, { input, principal }) => {
      const { root } = input.query;
      const seen = await selectRepositories(reader, principal.projects);
      const found = root === undefined ? seen : seen.filter((repository) => repository.root === root);
      return { body: { repositories: found.map(repositoryBody) } };
    },
    'delivery.status': async ({ input, principal }) => {
      const attached = await visible(input.path.id, principal);
      const report = await runStatus(openRepository({ root: attached.root, clock, random, hasher, keepIn }));
      return { body: runBody(attached, report) };
    },
    'delivery.history': records(listHistory),
    'delivery.decisions': records(listDecisions),
    'delivery.events': records(listEvents),
    'delivery.gate': async ({ input, principal }) => {
      const { root } = await visible(input.path.id, principal);
      const { gate, since } = input.query;
      const repository = openRepository({ root, clock, random, hasher, keepIn });
      return { body: gateBody(await viewGate(repository, gate, since)) };
    },
    'delivery.sync': async ({ input, principal }) => {
      const attached = await visible(input.path.id, principal);
      return { body: { recorded: await mirror.catchUp(attached.repositoryId) } };
    },
    'delivery.compare': async ({ input, principal }) => {
      const { faults, ...counts } = await compareWithRecord(
        { db, hasher },
        mirror,
        await visible(input.path.id, principal),
      );
      return { body: { ...counts, faults: [...faults] } };
    },
    'delivery.resolve': async ({ input, principal }) => {
      const { projectId } = await visible(input.path.id, principal);
      requireVoice(principal, ORCHESTRATOR.id, '');
      const { run_id: runId, goal } = input.body;
      return { body: await resolveGate(ports, { projectId, actor: principal.actor }, { runId, goal }) };
    },
    'delivery.ask': async ({ input, principal, signal }) => {
      const { projectId } = await visible(input.path.id, principal);
      const { run_id: runId, role, peer, text } = input.body;
      // Whoever runs a delivery speaks for its roles, which are no actors with a key of their own.
      const as = `role:${role}`;
      const answer = await ports.askPeer(
        { projectId, actor: principal.actor, speaksFor: [as] },
        { to: peer, text, as, context: runId },
        signal,
      );
      return { body: { text: answer.text, state: answer.state, trace_id: answer.traceId } };
    },
  };
}

function repositoryBody(repository: AttachedRepository) {
  return {
    id: repository.repositoryId,
    project_id: repository.projectId,
    root: repository.root,
    attached_at: repository.attachedAt,
    attached_by: repository.attachedBy,
    events_seen: repository.eventsSeen,
  };
}

function gateBody(view: GateView | null) {
  if (view === null) return { gate: null, documents: [], changes: NO_CHANGES };
  const { gate, phase, status, passesNow, standing, documents, changes } = view;
  return {
    gate: {
      name: gate.name,
      phase,
      status,
      passes_now: passesNow,
      requires_human_approval: gate.requiresHumanApproval,
      reasons: [...gate.reasons],
      standing,
    },
    documents: documents.map(({ turnId, ...document }) => ({ ...document, turn_id: turnId })),
    changes: { ...changes, files: changes.files.map((file) => ({ ...file })) },
  };
}

const NO_CHANGES = { from: null, to: null, files: [], patch: '', truncated: false };

function runBody(repository: AttachedRepository, report: RunStatusReport) {
  const { state, gate } = report;
  return {
    repository_id: repository.repositoryId,
    project_id: repository.projectId,
    run_id: state.run_id,
    status: state.status,
    phase: state.phase,
    phases: [...report.phases],
    blocked_on: state.blocked_on,
    accepted_turns: report.acceptedTurns,
    active_turns: report.turns.map((turn) => ({ ...turn }) as Record<string, unknown>),
    gate: gate && {
      name: gate.name,
      passes_now: gate.reasons.length === 0,
      requires_human_approval: gate.requiresHumanApproval,
      reasons: [...gate.reasons],
    },
    next_role: report.nextRole,
    next: report.next,
  };
}
