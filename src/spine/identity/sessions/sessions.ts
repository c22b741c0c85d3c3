import type { Clock, Random } from '../../../kernel/clock.ts';
import { isUuidShaped } from '../../../kernel/ids.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Reader, UnitOfWork } from '../../storage/database.ts';
import { subjectOf } from '../access.ts';
import { identityErrors } from '../errors.ts';
import type { Actor } from '../principal.ts';
import { requireActiveProject, requireStoredProject } from '../projects/project-store.ts';
import { type BoundAgent, ownAgent } from './bound-agent.ts';
import { chooseCallsign } from './callsign.ts';
import type { EndReason, NewSession, Session } from './session.ts';
import {
  insertRef,
  insertSession,
  markEnded,
  markTraced,
  moveRef,
  type SessionFilter,
  selectByCallsign,
  selectRef,
  selectSession,
  selectSessions,
  selectStanding,
  selectTakenCallsigns,
} from './session-store.ts';

export interface SessionDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: () => string;
  readonly journal: Journal;
  readonly redact?: ((text: string) => string) | undefined;
}

/** The immutable parts of a standing session that recording in its ledger needs. */
export type StandingSession = Pick<Session, 'sessionId' | 'rootSpanId'>;

const STANDING_KEPT = 1_000;

export interface Sessions {
  startSession(uow: UnitOfWork, start: NewSession): Promise<Session>;
  /** Closes the trace chain; the ledger stays open. */
  endSession(uow: UnitOfWork, sessionId: string, reason: EndReason): Promise<Session>;
  /** Turns a session without a goal into a CRA session and begins its trace chain. Does nothing if that was done. */
  beginTrace(
    uow: UnitOfWork,
    session: Session,
    start: { readonly agent: BoundAgent; readonly goal: string },
  ): Promise<Session>;
  /** Where an actor's work outside any session goes; opened on first use. */
  standingSession(uow: UnitOfWork, projectId: string, actor: Actor): Promise<StandingSession>;
  /** The session that represents another system's id; opened when the id is first seen. */
  sessionForRef(
    uow: UnitOfWork,
    ref: { readonly projectId: string; readonly scheme: string; readonly value: string },
    start: Omit<NewSession, 'projectId'>,
  ): Promise<Session>;
  /** The same for an id that outlives its sessions: one that has ended is followed by a new one. */
  liveSessionForRef: Sessions['sessionForRef'];
  getSession(reader: Reader, sessionId: string): Promise<Session>;
  findByCallsign(reader: Reader, projectId: string, callsign: string): Promise<Session | undefined>;
  listSessions(
    reader: Reader,
    projectId: string,
    filter: SessionFilter,
  ): Promise<{ readonly sessions: readonly Session[]; readonly total: number }>;
}

export function createSessions(deps: SessionDeps): Sessions {
  const { clock, random, ids, journal } = deps;
  // A standing session never ends and is never deleted: once it is committed there is nothing to look up.
  const standing = new Map<string, StandingSession>();
  const redact = deps.redact ?? ((text: string) => text);

  function shape(start: NewSession, callsign: string | null, standing: boolean): Session {
    const now = clock.now();
    const agent = start.goal === undefined ? undefined : (start.agent ?? ownAgent(start.actor));
    return {
      sessionId: start.sessionId ?? ids(),
      projectId: start.projectId,
      callsign,
      actor: start.actor,
      agentId: agent?.id ?? null,
      goal: start.goal ?? null,
      boundAgent: agent?.bound ?? null,
      atlasId: start.atlasId ?? null,
      description: start.description ?? null,
      status: 'active',
      standing,
      createdAt: formatMicros(now),
      createdMicros: now,
      endedAt: null,
      endReason: null,
      parentSessionId: start.parentSessionId ?? null,
      ledgerChainId: ids(),
      traceId: ids(),
      rootSpanId: ids(),
      metadata: start.metadata ?? null,
      subject: start.subject ?? subjectOf(start.actor),
    };
  }

  async function appendStarted(uow: UnitOfWork, session: Session): Promise<void> {
    await journal.append(uow, {
      chain: { sessionId: session.sessionId, kind: 'trace' },
      type: 'session.started',
      payload: { agent_id: session.agentId ?? '', goal: redact(session.goal ?? '') },
      spanId: session.rootSpanId,
    });
    if (session.agentId === session.actor.id) return;
    // What CRA's event says is fixed, so that the other name is in the ledger.
    await journal.append(uow, {
      chain: { sessionId: session.sessionId, kind: 'ledger' },
      type: 'session.spoken_for',
      payload: {
        session_id: session.sessionId,
        agent_id: session.agentId,
        bound_agent: session.boundAgent,
        actor_id: session.actor.id,
        actor_type: session.actor.type,
      },
      parentSpanId: session.rootSpanId,
    });
  }

  async function open(uow: UnitOfWork, session: Session): Promise<void> {
    await journal.openChains(uow, {
      sessionId: session.sessionId,
      ledgerId: session.ledgerChainId,
      projectId: session.projectId,
      traceId: session.traceId,
    });
    if (session.goal !== null) return appendStarted(uow, session);
    await journal.append(uow, {
      chain: { sessionId: session.sessionId, kind: 'ledger' },
      type: 'session.opened',
      payload: {
        session_id: session.sessionId,
        actor_id: session.actor.id,
        actor_type: session.actor.type,
        callsign: session.callsign,
        standing: session.standing,
      },
      spanId: session.rootSpanId,
    });
  }

  async function findOrOpenStanding(uow: UnitOfWork, projectId: string, actor: Actor): Promise<Session> {
    const known = await selectStanding(uow, projectId, actor);
    if (known) return known;
    await requireStoredProject(uow, projectId);
    const session = shape({ projectId, actor }, null, true);
    if (await insertSession(uow, session)) {
      await open(uow, session);
      return session;
    }
    const first = await selectStanding(uow, projectId, actor);
    if (!first) throw identityErrors.session_not_found();
    return first;
  }

  const sessions: Sessions = {
    async startSession(uow, start) {
      if (start.sessionId !== undefined && !isUuidShaped(start.sessionId)) {
        throw identityErrors.invalid_session_id({ pointer: '/session_id' });
      }
      await requireActiveProject(uow, start.projectId);
      if (start.parentSessionId !== undefined) {
        const parent = await selectSession(uow, start.parentSessionId);
        if (parent?.projectId !== start.projectId) {
          throw identityErrors.session_not_found({ pointer: '/parent_session_id' });
        }
      }
      const callsign =
        start.callsign ??
        (await chooseCallsign(random, (names) => selectTakenCallsigns(uow, start.projectId, names)));
      const session = shape(start, callsign, false);
      if (!(await insertSession(uow, session))) {
        throw identityErrors.session_already_exists({ pointer: '/session_id' });
      }
      await open(uow, session);
      return session;
    },

    async endSession(uow, sessionId, reason) {
      const session = await sessions.getSession(uow, sessionId);
      if (session.standing) throw identityErrors.session_stands();
      const micros = Math.max(clock.now(), session.createdMicros);
      const at = formatMicros(micros);
      if (!(await markEnded(uow, sessionId, { at, micros, reason }))) {
        throw identityErrors.session_already_ended();
      }
      const traced = session.goal !== null;
      await journal.append(uow, {
        chain: { sessionId, kind: traced ? 'trace' : 'ledger' },
        type: traced ? 'session.ended' : 'session.closed',
        payload: { reason, duration_ms: Math.floor((micros - session.createdMicros) / 1000) },
        parentSpanId: session.rootSpanId,
      });
      return { ...session, status: 'ended', endedAt: at, endReason: reason };
    },

    async beginTrace(uow, session, start) {
      if (session.goal !== null) return session;
      if (session.status === 'ended') throw identityErrors.session_already_ended();
      if (!(await markTraced(uow, session.sessionId, start.agent, start.goal))) {
        return sessions.getSession(uow, session.sessionId);
      }
      const { agent, goal } = start;
      const traced = { ...session, agentId: agent.id, boundAgent: agent.bound, goal };
      await appendStarted(uow, traced);
      return traced;
    },

    async standingSession(uow, projectId, actor) {
      // Only the last of them may have a line break in it.
      const key = `${actor.type}\n${projectId}\n${actor.id}`;
      const known = standing.get(key);
      if (known) return known;
      const { sessionId, rootSpanId } = await findOrOpenStanding(uow, projectId, actor);
      const found = { sessionId, rootSpanId };
      uow.afterCommit(() => {
        if (standing.size === STANDING_KEPT) standing.clear();
        standing.set(key, found);
      });
      return found;
    },

    async sessionForRef(uow, ref, start) {
      const known = await selectRef(uow, ref.projectId, ref.scheme, ref.value);
      if (known) return known;
      const session = await sessions.startSession(uow, { ...start, projectId: ref.projectId });
      await insertRef(uow, ref, session.sessionId);
      return session;
    },

    async liveSessionForRef(uow, ref, start) {
      const known = await sessions.sessionForRef(uow, ref, start);
      if (known.status === 'active') return known;
      const session = await sessions.startSession(uow, { ...start, projectId: ref.projectId });
      await moveRef(uow, ref, session.sessionId);
      return session;
    },

    async getSession(reader, sessionId) {
      const session = await selectSession(reader, sessionId);
      if (!session) throw identityErrors.session_not_found();
      return session;
    },

    findByCallsign: selectByCallsign,
    listSessions: selectSessions,
  };
  return sessions;
}
