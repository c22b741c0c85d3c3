import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { PeerCredential, PeerSettings } from './schema.ts';

export interface Peer extends PeerSettings {
  readonly projectId: string;
  readonly id: string;
  readonly url: string;
  readonly source: 'setting' | 'call';
  readonly sealed?: SealedCredential | undefined;
}

/** A credential towards a peer as it is stored: its secrets cannot be read without the key of this installation. */
export interface SealedCredential {
  readonly type: PeerCredential['type'];
  readonly text: string;
  readonly setAt: Micros;
  readonly setBy: string;
}

interface PeerRow {
  project_id: string;
  peer_id: string;
  url: string;
  settings: string;
  source: 'setting' | 'call';
  type: PeerCredential['type'] | null;
  sealed: string | null;
  set_us: number | null;
  set_by: string | null;
}

const PEERS = `select p.project_id, p.peer_id, p.url, p.settings, p.source, c.type, c.sealed, c.set_us, c.set_by
  from relay_peers p left join relay_peer_credentials c on c.project_id = p.project_id and c.peer_id = p.peer_id`;

export async function upsertPeer(uow: UnitOfWork, peer: Peer, now: Micros): Promise<void> {
  const { projectId, id, url, source, sealed: _, ...settings } = peer;
  await uow.run(
    `insert into relay_peers (project_id, peer_id, url, settings, source, created_us) values (?, ?, ?, ?, ?, ?)
      on conflict (project_id, peer_id) do update set url = excluded.url, settings = excluded.settings,
        source = excluded.source`,
    [projectId, id, url, JSON.stringify(settings), source, now],
  );
}

export async function deletePeer(uow: UnitOfWork, projectId: string, peerId: string): Promise<boolean> {
  await deleteCredential(uow, projectId, peerId);
  return (
    (await uow.run('delete from relay_peers where project_id = ? and peer_id = ?', [projectId, peerId])) > 0
  );
}

export async function upsertCredential(
  uow: UnitOfWork,
  projectId: string,
  peerId: string,
  { type, text, setAt, setBy }: SealedCredential,
): Promise<void> {
  await uow.run(
    `insert into relay_peer_credentials (project_id, peer_id, type, sealed, set_us, set_by) values (?, ?, ?, ?, ?, ?)
      on conflict (project_id, peer_id) do update set type = excluded.type, sealed = excluded.sealed,
        set_us = excluded.set_us, set_by = excluded.set_by`,
    [projectId, peerId, type, text, setAt, setBy],
  );
}

export async function deleteCredential(uow: UnitOfWork, projectId: string, peerId: string): Promise<void> {
  await uow.run('delete from relay_peer_credentials where project_id = ? and peer_id = ?', [
    projectId,
    peerId,
  ]);
}

export async function selectPeer(
  reader: Reader,
  projectId: string,
  peerId: string,
): Promise<Peer | undefined> {
  const row = await reader.get<PeerRow>(`${PEERS} where p.project_id = ? and p.peer_id = ?`, [
    projectId,
    peerId,
  ]);
  return row && peerOf(row);
}

export async function selectPeers(reader: Reader, projectId: string): Promise<Peer[]> {
  const rows = await reader.all<PeerRow>(`${PEERS} where p.project_id = ? order by p.peer_id`, [projectId]);
  return rows.map(peerOf);
}

/** Of all projects: for what the process does by itself. */
export async function selectEveryPeer(reader: Reader): Promise<Peer[]> {
  const rows = await reader.all<PeerRow>(`${PEERS} order by p.project_id, p.peer_id`);
  return rows.map(peerOf);
}

function peerOf(row: PeerRow): Peer {
  const { type, sealed, set_us, set_by } = row;
  return {
    ...(JSON.parse(row.settings) as PeerSettings),
    projectId: row.project_id,
    id: row.peer_id,
    url: row.url,
    source: row.source,
    ...(type !== null &&
      sealed !== null && {
        sealed: { type, text: sealed, setAt: Number(set_us), setBy: set_by ?? '' },
      }),
  };
}
