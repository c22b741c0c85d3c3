import type { McpDeps } from '../faces/mcp/call.ts';
import { BatonError } from '../kernel/error.ts';
import { canSeeProject, subjectOf } from '../spine/identity/access.ts';
import type { Identity } from '../spine/identity/identity.ts';
import { grantsScope } from '../spine/identity/scopes.ts';
import { selectRef } from '../spine/identity/sessions/session-store.ts';
import type { Database } from '../spine/storage/database.ts';

const SCHEME = 'mcp';

/** Sessions of MCP connections. The actor is part of the name, so that nobody can name the connection of another. */
export function mcpSessions(db: Database, identity: Identity): Pick<McpDeps, 'sessionFor' | 'endSession'> {
  return {
    async sessionFor(principal, connection, projectId) {
      const { actor } = principal;
      if (!canSeeProject(principal, projectId) || !grantsScope(principal.scopes, 'sessions:write')) {
        return undefined;
      }
      const value = `${subjectOf(actor)} ${connection}`;
      const known = await db.read((reader) => selectRef(reader, projectId, SCHEME, value));
      if (known?.status === 'active') return known.sessionId;
      try {
        const ref = { projectId, scheme: SCHEME, value };
        return (await db.write((uow) => identity.liveSessionForRef(uow, ref, { actor }))).sessionId;
      } catch (error) {
        // An archived project can be read without one, and one that is not there says so itself.
        if (error instanceof BatonError && error.status < 500) return undefined;
        throw error;
      }
    },

    async endSession(_, sessionId) {
      await db.write(async (uow) => {
        const session = await identity.getSession(uow, sessionId);
        if (session.status === 'active') await identity.endSession(uow, sessionId, 'completed');
      });
    },
  };
}
