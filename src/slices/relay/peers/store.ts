import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { PeerSettings } from '../schema.ts';

export interface Peer extends PeerSettings {
  readonly projectId: string;
  readonly id: string;
  readonly url: string;
  readonly source: 'setting' | 'call';
}

interface PeerRow {
  project_id: string;
  peer_id: string;
  url: string;
  settings: string;
  source: 'setting' | 'call';
}

export async function upsertPeer(uow: UnitOfWork, peer: Peer, now: Micros): Promise<void> {
  const { projectId, id, url, source, ...settings } = peer;
  await uow.run(
    `insert into relay_peers (project_id, peer_id, url, settings, source, created_us) values (?, ?, ?, ?, ?, ?)
      on conflict (project_id, peer_id) do update set url = excluded.url, settings = excluded.settings,
        source = excluded.source`,
    [projectId, id, url, JSON.stringify(settings), source, now],
  );
}

export async function deletePeer(uow: UnitOfWork, projectId: string, peerId: string): Promise<boolean> {
  return (
    (await uow.run('delete from relay_peers where project_id = ? and peer_id = ?', [projectId, peerId])) > 0
  );
}

export async function selectPeer(
  reader: Reader,
  projectId: string,
  peerId: string,
): Promise<Peer | undefined> {
  const row = await reader.get<PeerRow>('select * from relay_peers where project_id = ? and peer_id = ?', [
    projectId,
    peerId,
  ]);
  return row && peerOf(row);
}

export async function selectPeers(reader: Reader, projectId: string): Promise<Peer[]> {
  const rows = await reader.all<PeerRow>('select * from relay_peers where project_id = ? order by peer_id', [
    projectId,
  ]);
  return rows.map(peerOf);
}

function peerOf(row: PeerRow): Peer {
  return {
    ...(JSON.parse(row.settings) as PeerSettings),
    projectId: row.project_id,
    id: row.peer_id,
    url: row.url,
    source: row.source,
  };
}
