import { by, type Provenance, source, thing } from '../journal/provenance.ts';
import { isSessionOwner } from './sessions/session-access.ts';
import { selectSession } from './sessions/session-store.ts';

export const identityProvenance: Provenance = {
  account({ event_type, sessionId, payload }) {
    switch (event_type) {
      case 'session.opened':
        return {
          words: payload.standing === true ? 'began to work here' : 'started a session',
          about: thing('session', payload.session_id),
          from: [],
          ...by(payload.actor_id),
        };
      case 'session.started':
        return {
          words: 'started a session with a goal',
          about: thing('session', sessionId),
          from: [],
          ...by(payload.agent_id),
        };
      case 'session.spoken_for':
        return {
          words: `speaks in this session for ${payload.agent_id}`,
          about: thing('session', payload.session_id),
          from: [],
          ...by(payload.actor_id),
        };
      case 'session.ended':
        return { words: 'ended the session', about: thing('session', sessionId), from: [] };
      case 'key.created':
        return { words: 'made a key', about: thing('key', payload.key_id), from: [] };
      case 'key.revoked':
        return { words: 'revoked the key', about: thing('key', payload.key_id), from: [] };
      default:
        return undefined;
    }
  },

  async sources(reader, projectId, { kind, id }) {
    if (kind !== 'session') return [];
    const session = await selectSession(reader, id);
    return session?.projectId === projectId ? source('parent', 'session', session.parentSessionId) : [];
  },

  /** A session's goal is its own; of a key nobody is shown more than the digest. */
  async rows(reader, { principal, projectId, thing: { kind, id } }) {
    if (kind === 'key') return [{ table: 'credentials', key: [id], shown: false }];
    const session = kind === 'session' ? await selectSession(reader, id) : undefined;
    if (session === undefined || session.projectId !== projectId) return [];
    return [{ table: 'sessions', key: [id], shown: isSessionOwner(principal, session) }];
  },
};
