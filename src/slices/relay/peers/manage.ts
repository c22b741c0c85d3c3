import type { Principal } from '../../../spine/identity/principal.ts';
import { requireReachable } from '../../../spine/outbound/address-guard.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { relayErrors } from '../errors.ts';
import type { RelayDeps } from '../ports.ts';
import type { PeerSettings, PeerView } from '../schema.ts';
import { PEER_REACH } from './connections.ts';
import type { PeerDirectory } from './directory.ts';
import { deletePeer, type Peer, selectPeers, upsertPeer } from './store.ts';

export interface Peers {
  /** Registers a peer, or changes how it is reached. */
  register(
    principal: Principal,
    peer: PeerSettings & { readonly id: string; readonly url: string },
  ): Promise<PeerView>;
  remove(uow: UnitOfWork, principal: Principal, peerId: string): Promise<void>;
  /** With what their cards say, which may take seconds; or without. */
  list(projectId: string, withCards: boolean): Promise<PeerView[]>;
  /** Stores the peers that the settings name, where they are not yet as the settings say. */
  seed(named: Readonly<Record<string, string>>): Promise<void>;
}

export interface PeersDeps
  extends Pick<RelayDeps, 'db' | 'clock' | 'record' | 'defaultProject' | 'loopback'> {
  readonly directory: PeerDirectory;
}

export function createPeers({ db, clock, record, directory, defaultProject, loopback }: PeersDeps): Peers {
  async function viewOf(peer: Peer, withCard: boolean): Promise<PeerView> {
    const { projectId: _, ...own } = peer;
    if (!withCard) return own;
    const { interfaces, name, error } = await directory.describe(peer);
    return { ...own, name, interfaces: [...interfaces], ...(error !== undefined && { card_error: error }) };
  }

  return {
    async register(principal, input) {
      if (input.access === 'open' && !loopback) throw relayErrors.peer_open_refused({ pointer: '/access' });
      try {
        requireReachable(new URL(input.url), PEER_REACH);
      } catch (cause) {
        throw relayErrors.peer_address_refused({ pointer: '/url', cause });
      }
      const peer: Peer = { ...input, projectId: principal.defaultProject, source: 'call' };
      await db.write(async (uow) => {
        await upsertPeer(uow, peer, clock.now());
        await record(uow, {
          projectId: peer.projectId,
          actor: principal.actor,
          type: 'peer.registered',
          payload: {
            peer_id: peer.id,
            url: peer.url,
            role: peer.role ?? null,
            access: peer.access ?? 'key',
            governed: peer.governed === true || peer.governed_action !== undefined,
          },
        });
      });
      directory.forget(peer);
      return viewOf(peer, false);
    },
    async remove(uow, principal, peerId) {
      const projectId = principal.defaultProject;
      if (!(await deletePeer(uow, projectId, peerId))) return;
      await record(uow, {
        projectId,
        actor: principal.actor,
        type: 'peer.removed',
        payload: { peer_id: peerId },
      });
      uow.afterCommit(() => directory.forget({ projectId, id: peerId }));
    },
    async list(projectId, withCards) {
      const found = await db.read((reader) => selectPeers(reader, projectId));
      return Promise.all(found.map((peer) => viewOf(peer, withCards)));
    },
    async seed(named) {
      if (Object.keys(named).length === 0) return;
      const stored = await db.read((reader) => selectPeers(reader, defaultProject));
      const known = new Map(stored.map((peer) => [peer.id, peer]));
      const access = loopback ? 'open' : 'key';
      const missing = Object.entries(named).filter(([id, url]) => {
        const peer = known.get(id);
        return peer?.url !== url || peer.access !== access;
      });
      if (missing.length === 0) return;
      await db.write(async (uow) => {
        for (const [id, url] of missing) {
          const peer: Peer = {
            ...known.get(id),
            projectId: defaultProject,
            id,
            url,
            access,
            source: 'setting',
          };
          await upsertPeer(uow, peer, clock.now());
        }
      });
      for (const [id] of missing) directory.forget({ projectId: defaultProject, id });
    },
  };
}
