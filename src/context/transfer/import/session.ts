import { subjectOf } from '../../../identity/access.ts';
import { insertSession, markEnded, selectSession } from '../../../identity/sessions/session-store.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { isUuidShaped } from '../../../kernel/ids.ts';
import type { ContextParts } from '../../context.ts';
import { insertForeignSession } from '../../projects/foreign-sessions.ts';
import { type ImportLine, microsOf, parsed, requireOwnProject } from './line.ts';
import { sessionLine } from './lines.ts';

export function sessionImport({ hasher, journal }: Pick<ContextParts, 'hasher' | 'journal'>): ImportLine {
  return async (uow, line, principal) => {
    const given = parsed(sessionLine, line);
    const projectId = String(given.project_id);
    await requireOwnProject(uow, principal, projectId);
    const sessionId = String(given.session_id);
    if (!isUuidShaped(sessionId)) {
      await insertForeignSession(uow, { projectId, sessionId, callsign: given.callsign ?? null, line });
      return true;
    }
    if (await selectSession(uow, sessionId)) return false;
    const actor = { id: String(given.actor_id), type: given.actor_type };
    const ledgerChainId = ledgerOf(hasher, sessionId);
    await insertSession(uow, {
      sessionId,
      projectId,
      callsign: given.callsign ?? null,
      actor,
      agentId: null,
      goal: null,
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
    if (given.ended_at) {
      const end = { at: given.ended_at, micros: microsOf(given.ended_at), reason: 'completed' as const };
      await markEnded(uow, sessionId, end);
    }
    return true;
  };
}

/** The export does not say it, and importing twice must not make two. */
function ledgerOf(hasher: Hasher, sessionId: string): string {
  return hasher.hex(`ledger:${sessionId}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
