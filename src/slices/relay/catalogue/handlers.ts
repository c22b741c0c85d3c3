import type { Handlers } from '../../../spine/operations/handler.ts';
import { requireReachable } from '../../../spine/outbound/address-guard.ts';
import { relayErrors } from '../errors.ts';
import { PEER_REACH, type PeerConnections } from '../peers/connections.ts';
import type { PeerHealth } from '../peers/health.ts';
import { readCardOf } from '../peers/read-card.ts';
import { selectPeer, selectPeers } from '../peers/store.ts';
import type { RelayDeps } from '../ports.ts';
import type { catalogueOperations } from './operations.ts';
import { selectCards, selectCardsShown } from './store.ts';
import { agentView, answers, cardSummary, cardVersions } from './views.ts';

export interface CatalogueHandlerDeps extends Pick<RelayDeps, 'db'> {
  readonly connections: PeerConnections;
  readonly health: PeerHealth;
}

export function createCatalogueHandlers({
  db,
  connections,
  health,
}: CatalogueHandlerDeps): Handlers<typeof catalogueOperations> {
  return {
    'relay.agents': async (reader, { principal, input: { query } }) => {
      const projectId = principal.defaultProject;
      const peers = await selectPeers(reader, projectId);
      const cards = await selectCardsShown(reader, projectId);
      const agents = peers.map((peer) =>
        agentView(
          peer,
          cards.filter(({ peer_id }) => peer_id === peer.id),
          health,
        ),
      );
      return { body: { items: agents.filter((agent) => answers(query, agent)) } };
    },
    'relay.agent.cards': async (reader, { principal, input: { path } }) => {
      const projectId = principal.defaultProject;
      if (!(await selectPeer(reader, projectId, path.id)))
        throw relayErrors.peer_not_found({ details: { agent: path.id } });
      return { body: { items: cardVersions(await selectCards(reader, projectId, path.id)) } };
    },
    'relay.discover': async ({ principal, input: { query } }) => {
      const { url } = query;
      try {
        requireReachable(new URL(url), PEER_REACH);
      } catch (cause) {
        throw relayErrors.peer_address_refused({ pointer: '/url', cause });
      }
      const read = await readCardOf(url, (request) => connections.send(request));
      if ('error' in read) throw relayErrors.card_not_readable({ message: read.error, pointer: '/url' });
      const agent = cardSummary(read.card, new URL(url).hostname);
      const peers = await db.read((reader) => selectPeers(reader, principal.defaultProject));
      const registered = peers.filter((peer) => new URL(peer.url).href === new URL(url).href);
      return {
        body: {
          url,
          suggested_id: suggestedId(agent.name),
          agent,
          registered_as: registered.map(({ id }) => id),
        },
      };
    },
  };
}

/** The name as an id has it. */
function suggestedId(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return plain.slice(0, 64) || 'agent';
}
