import { identityErrors } from '../../../spine/identity/errors.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Project } from '../../../spine/identity/projects/project.ts';
import { grantsScope } from '../../../spine/identity/scopes.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import { requireSessionOwner, visibleSession } from '../../../spine/identity/sessions/session-access.ts';
import { selectActiveSession } from '../../../spine/identity/sessions/session-store.ts';
import { BYTES_PER_TOKEN } from '../../../spine/search/rules/text-budget.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { requireReadableProject } from '../access.ts';
import { selectSigned } from '../attest/store.ts';
import type { NewEvent } from '../ledger.ts';
import type { ContextDeps } from '../ports.ts';
import { briefingText } from './briefing-text.ts';
import { type Anchored, anchored, orientationBundle } from './bundle.ts';
import { gather, LARGEST_READ, type OrientationData, type Rendered } from './gather.ts';
import type { OrientQuery } from './schema.ts';

export interface OrientRequest {
  readonly principal: Principal;
  readonly projectId: string;
  readonly query: OrientQuery;
}

export interface BriefRequest extends OrientRequest {
  readonly startSession?: boolean;
  /** The reader's own session; by default its latest active one, which may be that of another process. */
  readonly sessionId?: string | undefined;
}

export interface Orient {
  /** The protocol's OrientationBundle, as JSON text. */
  bundle(request: OrientRequest): Promise<string>;
  /** The same as Markdown for a prompt; with `startSession`, an agent that has no session gets one. */
  brief(request: BriefRequest): Promise<string>;
  anchors(reader: Reader, request: OrientRequest): Promise<Anchored[]>;
}

const WINDOW_DAYS = 14;
const RECENT = 20;
export const BUNDLE_TOKENS = 25_000;
const BRIEFING_TOKENS = 4_000;

export function createOrient(deps: ContextDeps): Orient {
  const { db, clock, identity } = deps;

  async function gatherFor(
    reader: Reader,
    request: OrientRequest,
    largest = LARGEST_READ,
  ): Promise<OrientationData> {
    const { principal, projectId, query } = request;
    return gather(reader, {
      project: await requireReadableProject(reader, principal, projectId),
      seenBy: principal.actor,
      windowDays: query.window_days ?? WINDOW_DAYS,
      limit: query.limit ?? RECENT,
      minSignificance: query.min_significance ?? 1,
      now: clock.now(),
      largest,
    });
  }

  async function startedSession(principal: Principal, project: Project): Promise<Session | undefined> {
    const starts =
      principal.actor.type === 'agent' &&
      project.archivedAt === null &&
      grantsScope(principal.scopes, 'sessions:write');
    if (!starts) return undefined;
    const { projectId } = project;
    return db.write((uow) => identity.startSession(uow, { projectId, actor: principal.actor }));
  }

  return {
    async bundle(request) {
      const { principal, projectId, query } = request;
      const maxBytes = (query.max_tokens ?? BUNDLE_TOKENS) * BYTES_PER_TOKEN;
      const { gathered, session } = await db.read(async (reader) => ({
        gathered: await gatherFor(reader, request, maxBytes),
        session: await selectActiveSession(reader, projectId, principal.actor),
      }));
      const bundle = orientationBundle(gathered, maxBytes);
      const sessionId = session?.sessionId;
      await recordDelivered(deps, principal, bundle, { type: 'orient.delivered', projectId, sessionId });
      return bundle.text;
    },

    async brief({ startSession = false, sessionId: ownId, ...request }) {
      const { principal, projectId, query } = request;
      const { project, active } = await db.read(async (reader) => ({
        project: await requireReadableProject(reader, principal, projectId),
        active:
          ownId === undefined
            ? await selectActiveSession(reader, projectId, principal.actor)
            : await ownSession(reader, principal, projectId, ownId),
      }));
      const session = active ?? (startSession ? await startedSession(principal, project) : undefined);
      const { gathered, signed } = await db.read(async (reader) => {
        const found = await gatherFor(reader, request);
        const ids = [...found.handoffs, ...found.packages].map((stored) => stored.packageId);
        return { gathered: found, signed: await selectSigned(reader, projectId, ids) };
      });
      const maxBytes = (query.max_tokens ?? BRIEFING_TOKENS) * BYTES_PER_TOKEN;
      const briefing = briefingText(gathered, { maxBytes, session, signed });
      const sessionId = session?.sessionId;
      await recordDelivered(deps, principal, briefing, { type: 'orient.delivered', projectId, sessionId });
      return briefing.text;
    },

    async anchors(reader, request) {
      const { handoffs, packages, facts } = await gatherFor(reader, request);
      return anchored([...handoffs, ...packages], facts);
    },
  };
}

async function ownSession(reader: Reader, principal: Principal, projectId: string, sessionId: string) {
  const session = await visibleSession(reader, principal, sessionId);
  if (session.projectId !== projectId) throw identityErrors.session_not_found({ pointer: '/session_id' });
  requireSessionOwner(principal, session);
  return session;
}

/**
 * Records what was handed out by id and hash, so that one can ask later what the reader knew. A page of the dashboard
 * is looked at, again with every change: nobody is handed anything to work from, and nothing is written.
 */
export async function recordDelivered(
  { db, record }: Pick<ContextDeps, 'db' | 'record'>,
  { actor, credential }: Principal,
  { packages, facts }: Rendered,
  event: Pick<NewEvent, 'type' | 'projectId' | 'sessionId'>,
): Promise<void> {
  if (credential.kind === 'dashboard') return;
  const payload = {
    packages: packages.map(({ packageId, contentHash }) => [packageId, contentHash]),
    facts: facts.map(({ factId }) => factId),
    actor_id: actor.id,
    actor_type: actor.type,
  };
  await db.write((uow) => record(uow, { ...event, by: actor, payload }));
}
