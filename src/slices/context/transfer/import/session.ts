import type { Hasher } from '../../../../kernel/hasher.ts';
import { isUuidShaped } from '../../../../kernel/ids.ts';
import { subjectOf } from '../../../../spine/identity/access.ts';
import type { Principal } from '../../../../spine/identity/principal.ts';
import {
  insertSession,
  markEnded,
  selectSession,
} from '../../../../spine/identity/sessions/session-store.ts';
import type { UnitOfWork } from '../../../../spine/storage/database.ts';
import type { ContextDeps } from '../../ports.ts';
import { insertForeignSession } from '../../projects/store.ts';
import { type SessionLine, sessionLine } from '../schema.ts';
import { type ImportLine, microsOf, parsed, refused, requireOwnProject } from './line.ts';

/** Sessions whose ids are not UUIDs are kept unchanged; the others become our own sessions, and may end later. */
export function sessionImport({
  hasher,
  journal,
  record,
}: Pick<ContextDeps, 'hasher' | 'journal' | 'record'>): ImportLine {
  async function start(uow: UnitOfWork, given: SessionLine): Promise<void> {
    const { session_id: sessionId, project_id: projectId } = given;
    const actor = { id: given.actor_id, type: given.actor_type };
    const ledgerChainId = ledgerOf(hasher, sessionId);
    await insertSession(uow, {
      sessionId,
      projectId,
      callsign: given.callsign ?? null,
      actor,
      agentId: null,
      goal: null,
      boundAgent: null,
      atlasId: null,
      description: null,
      status: 'active',
      standing: false,
      createdAt: given.started_at,
      createdMicros: microsOf(given.started_at),
      endedAt: null,
      endReason: null,
      parentSessionId: null,
      ledgerChainId,
      traceId: sessionId,
      rootSpanId: sessionId,
      metadata: null,
      subject: subjectOf(actor),
    });
    await journal.openChains(uow, { sessionId, ledgerId: ledgerChainId, projectId, traceId: sessionId });
  }

  async function end(uow: UnitOfWork, { session_id: sessionId, ended_at }: SessionLine): Promise<boolean> {
    if (ended_at == null) return false;
    return markEnded(uow, sessionId, { at: ended_at, micros: microsOf(ended_at), reason: 'completed' });
  }

  async function recordSession(
    uow: UnitOfWork,
    type: string,
    given: SessionLine,
    { actor }: Principal,
  ): Promise<void> {
    await record(uow, {
      projectId: given.project_id,
      by: actor,
      type,
      payload: {
        session_id: given.session_id,
        actor_id: given.actor_id,
        actor_type: given.actor_type,
        imported: true,
      },
    });
  }

  return async (uow, line, principal) => {
    const given = parsed(sessionLine, line);
    const { session_id: sessionId, project_id: projectId } = given;
    await requireOwnProject(uow, principal, projectId);
    if (!isUuidShaped(sessionId)) {
      const callsign = given.callsign ?? null;
      const fresh = await insertForeignSession(uow, { projectId, sessionId, callsign, line });
      if (fresh) await recordSession(uow, 'session.opened', given, principal);
      return fresh;
    }
    const existing = await selectSession(uow, sessionId);
    if (existing && existing.projectId !== projectId) {
      throw refused(`Another session has the id ${sessionId}.`, { session_id: sessionId });
    }
    if (!existing) await start(uow, given);
    const ended = await end(uow, given);
    if (!existing) await recordSession(uow, 'session.opened', given, principal);
    if (ended) await recordSession(uow, 'session.closed', given, principal);
    return !existing || ended;
  };
}

/** Derived, because exports do not contain it and importing twice must not make two. */
function ledgerOf(hasher: Hasher, sessionId: string): string {
  return hasher.hex(`ledger:${sessionId}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
