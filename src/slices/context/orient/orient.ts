import type { Principal } from '../../../spine/identity/principal.ts';
import type { Project } from '../../../spine/identity/projects/project.ts';
import { grantsScope } from '../../../spine/identity/scopes.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import { selectActiveSession } from '../../../spine/identity/sessions/session-store.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { requireReadableProject } from '../access.ts';
import { selectSigned } from '../attest/store.ts';
import type { NewEvent } from '../ledger.ts';
import type { ContextDeps } from '../ports.ts';
import { briefingText } from './briefing-text.ts';
import { type Anchored, anchored, orientationBundle } from './bundle.ts';
import { gather, type OrientationData, type Rendered } from './gather.ts';
import { BYTES_PER_TOKEN } from './rules.ts';
import type { OrientQuery } from './schema.ts';

export interface OrientRequest {
  readonly principal: Principal;
  readonly projectId: string;
  readonly query: OrientQuery;
}

export interface Orient {
  /** The protocol's OrientationBundle, as JSON text. */
  bundle(request: OrientRequest): Promise<string>;
  /** The same as Markdown for a prompt; with `startSession`, an agent that has no session gets one. */
  brief(request: OrientRequest & { readonly startSession?: boolean }): Promise<string>;
  anchors(reader: Reader, request: OrientRequest): Promise<Anchored[]>;
}

const WINDOW_DAYS = 14;
const RECENT = 20;
export const BUNDLE_TOKENS = 25_000;
const BRIEFING_TOKENS = 4_000;

export function createOrient(deps: ContextDeps): Orient {
  const { db, clock, identity } = deps;

  async function gatherFor(reader: Reader, request: OrientRequest): Promise<OrientationData> {
    const { principal, projectId, query } = request;
    return gather(reader, {
      project: await requireReadableProject(reader, principal, projectId),
      seenBy: principal.actor,
      windowDays: query.window_days ?? WINDOW_DAYS,
      limit: query.limit ?? RECENT,
      minSignificance: query.min_significance ?? 1,
      now: clock.now(),
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
      const { gathered, session } = await db.read(async (reader) => ({
        gathered: await gatherFor(reader, request),
        session: await selectActiveSession(reader, projectId, principal.actor),
      }));
      const bundle = orientationBundle(gathered, (query.max_tokens ?? BUNDLE_TOKENS) * BYTES_PER_TOKEN);
      const sessionId = session?.sessionId;
      await recordDelivered(deps, principal, bundle, { type: 'orient.delivered', projectId, sessionId });
      return bundle.text;
    },

    async brief({ startSession = false, ...request }) {
      const { principal, projectId, query } = request;
      const { project, active } = await db.read(async (reader) => ({
        project: await requireReadableProject(reader, principal, projectId),
        active: await selectActiveSession(reader, projectId, principal.actor),
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
