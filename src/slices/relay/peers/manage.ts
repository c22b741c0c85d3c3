import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { formatMicros } from '../../../kernel/instant.ts';
import { subjectOf } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { requireReachable } from '../../../spine/outbound/address-guard.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { relayErrors } from '../errors.ts';
import type { RelayDeps } from '../ports.ts';
import { PEER_REACH } from './connections.ts';
import type { CredentialVault } from './credentials/vault.ts';
import type { PeerDirectory } from './directory.ts';
import type { PeerHealth } from './health.ts';
import { isGoverned } from './rules.ts';
import type { NewPeer, PeerView } from './schema.ts';
import {
  deleteCredential,
  deletePeer,
  type Peer,
  selectPeer,
  selectPeers,
  upsertCredential,
  upsertPeer,
} from './store.ts';

export interface Peers {
  /** Registers a peer, or changes how it is reached. */
  register(principal: Principal, peer: NewPeer): Promise<PeerView>;
  remove(uow: UnitOfWork, principal: Principal, peerId: string): Promise<void>;
  /** With what their cards say, which may take seconds; or without. */
  list(projectId: string, withCards: boolean): Promise<PeerView[]>;
  /** Stores the peers that the settings name, where they are not yet as the settings say. */
  seed(named: Readonly<Record<string, string>>): Promise<void>;
}

export interface PeersDeps
  extends Pick<RelayDeps, 'db' | 'clock' | 'record' | 'defaultProject' | 'loopback'> {
  readonly directory: PeerDirectory;
  readonly health: PeerHealth;
  readonly vault: CredentialVault;
}

export function createPeers(deps: PeersDeps): Peers {
  const { db, clock, record, directory, health, vault, defaultProject, loopback } = deps;

  async function viewOf(peer: Peer, withCard: boolean): Promise<PeerView> {
    const { projectId: _, sealed, ...own } = peer;
    const described = withCard ? await directory.describe(peer) : undefined;
    return {
      ...own,
      ...(sealed && {
        credential: { type: sealed.type, set_at: formatMicros(sealed.setAt), set_by: sealed.setBy },
      }),
      health: health.of(peer),
      ...(described && { name: described.name, interfaces: [...described.interfaces] }),
      ...(described?.error !== undefined && { card_error: described.error }),
    };
  }

  /** A credential belongs to the host that it was given for: whoever moves the peer elsewhere gives it anew. */
  async function moveCredential(uow: UnitOfWork, peer: Peer, before: Peer | undefined): Promise<void> {
    if (before?.sealed && hostOf(before) !== hostOf(peer))
      await deleteCredential(uow, peer.projectId, peer.id);
  }

  return {
    async register(principal, { credential, ...input }) {
      if (input.access === 'open' && !loopback) throw relayErrors.peer_open_refused({ pointer: '/access' });
      requirePeerAddress(input.url, '/url');
      if (credential?.type === 'oauth2') requirePeerAddress(credential.token_url, '/credential/token_url');
      requireTls({ ...input, credential });
      const peer: Peer = { ...input, projectId: principal.defaultProject, source: 'call' };
      const { projectId, id } = peer;
      const stored = await db.write(async (uow) => {
        const before = await selectPeer(uow, projectId, id);
        await upsertPeer(uow, peer, clock.now());
        if (credential === null) await deleteCredential(uow, projectId, id);
        else if (credential)
          await upsertCredential(
            uow,
            projectId,
            id,
            vault.seal(peer, credential, subjectOf(principal.actor)),
          );
        else await moveCredential(uow, peer, before);
        const now = (await selectPeer(uow, projectId, id)) ?? peer;
        await record(uow, {
          projectId,
          actor: principal.actor,
          type: 'peer.registered',
          payload: {
            peer_id: id,
            url: peer.url,
            role: peer.role ?? null,
            access: peer.access ?? 'key',
            governed: isGoverned(peer),
            credential: now.sealed?.type ?? null,
          },
        });
        return now;
      });
      directory.forget(peer);
      health.forget(peer);
      return viewOf(stored, false);
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
          const before = known.get(id);
          const peer: Peer = {
            ...before,
            projectId: defaultProject,
            id,
            url,
            access,
            source: 'setting',
          };
          await upsertPeer(uow, peer, clock.now());
          await moveCredential(uow, peer, before);
        }
      });
      for (const [id] of missing) directory.forget({ projectId: defaultProject, id });
    },
  };
}

/** Of the address of a gRPC agent, `origin` says nothing. */
function hostOf({ url }: Pick<Peer, 'url'>): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

function requirePeerAddress(url: string, pointer: string): void {
  try {
    requireReachable(new URL(url.replace(/^grpc/, 'http')), PEER_REACH);
  } catch (cause) {
    throw relayErrors.peer_address_refused({ pointer, cause });
  }
}

/** Found out when it is registered, not with the first message. */
function requireTls({ ca, credential, url }: Pick<NewPeer, 'ca' | 'credential' | 'url'>): void {
  const own = credential?.type === 'mtls' ? credential : undefined;
  if (own && !/^(https|grpcs):/.test(url))
    throw relayErrors.peer_credential_unfit({
      pointer: '/url',
      message: 'A client certificate needs https or grpcs.',
    });
  try {
    if (ca !== undefined) new X509Certificate(ca);
    if (own) createSecureContext({ cert: own.certificate, key: own.key });
  } catch (cause) {
    throw relayErrors.peer_credential_unfit({ pointer: own ? '/credential' : '/ca', cause });
  }
}
