import { by, listOf, type Provenance, source, thing } from '../../spine/journal/provenance.ts';

export const agentsProvenance: Provenance = {
  account({ event_type, payload }) {
    switch (event_type) {
      case 'commit.made':
        return {
          words: 'committed in the session',
          about: thing('commit', payload.commit_id),
          from: [
            ...source('session', 'session', payload.session_id),
            ...source('told in', 'package', payload.package_id),
            ...listOf(payload.calls).flatMap((span) => source('call', 'request', span)),
          ],
          ...by(payload.actor_id),
        };
      case 'call.answered_in_client':
        return {
          words: 'answered in the client; the person is not proven',
          about: thing('call', payload.call),
          from: [],
        };
      default:
        return undefined;
    }
  },
};
