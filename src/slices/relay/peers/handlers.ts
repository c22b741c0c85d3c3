import type { Handlers } from '../../../spine/operations/handler.ts';
import type { Peers } from './manage.ts';
import type { peerOperations } from './operations.ts';

export function createPeerHandlers(peers: Peers): Handlers<typeof peerOperations> {
  return {
    'relay.peers': async ({ principal, input: { query } }) => ({
      body: { items: await peers.list(principal.defaultProject, query.cards ?? true) },
    }),
    'relay.peer.register': async ({ principal, input: { body } }) => ({
      body: await peers.register(principal, body),
    }),
    'relay.peer.remove': async (uow, { principal, input: { path } }) => {
      await peers.remove(uow, principal, path.id);
      return { body: null };
    },
  };
}
