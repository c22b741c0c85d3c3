import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';

/** A manifest that would be loaded for a gateway, and waits for a person. */
export interface GatewayChange {
  readonly itemId: string;
  readonly projectId: string;
  readonly atlasId: string;
  /** Digest of the version in force when it was asked; null if there was none. */
  readonly replaces: string | null;
  /** JSON text; its version is given when it is loaded. */
  readonly manifest: string;
  /** Of the manifest, whatever its version. */
  readonly digest: string;
  /** JSON text of what the person sees. */
  readonly shown: string;
  readonly status: 'open' | 'accepted' | 'rejected';
  readonly opened: Micros;
}

export async function insertChange(uow: UnitOfWork, change: GatewayChange): Promise<void> {
  await uow.run(
    `insert into governance_gateway_changes (item_id, project_id, atlas_id, replaces, manifest, digest, shown, status,
       opened_us) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      change.itemId,
      change.projectId,
      change.atlasId,
      change.replaces,
      change.manifest,
      change.digest,
      change.shown,
      change.status,
      change.opened,
    ],
  );
}

interface ChangeRow {
  readonly item_id: string;
  readonly project_id: string;
  readonly atlas_id: string;
  readonly replaces: string | null;
  readonly manifest: string;
  readonly digest: string;
  readonly shown: string;
  readonly status: GatewayChange['status'];
  readonly opened_us: number;
}

export async function selectChange(reader: Reader, itemId: string): Promise<GatewayChange | undefined> {
  const row = await reader.get<ChangeRow>(
    `select item_id, project_id, atlas_id, replaces, manifest, digest, shown, status, opened_us
     from governance_gateway_changes where item_id = ?`,
    [itemId],
  );
  return (
    row && {
      itemId: row.item_id,
      projectId: row.project_id,
      atlasId: row.atlas_id,
      replaces: row.replaces,
      manifest: row.manifest,
      digest: row.digest,
      shown: row.shown,
      status: row.status,
      opened: row.opened_us,
    }
  );
}

/** Whether somebody has refused exactly this for the gateway. */
export async function wasRejected(
  reader: Reader,
  { projectId, atlasId, digest }: Pick<GatewayChange, 'projectId' | 'atlasId' | 'digest'>,
): Promise<boolean> {
  const row = await reader.get(
    `select item_id from governance_gateway_changes
     where project_id = ? and atlas_id = ? and digest = ? and status = 'rejected' limit 1`,
    [projectId, atlasId, digest],
  );
  return row !== undefined;
}

export async function markChange(
  uow: UnitOfWork,
  itemId: string,
  status: 'accepted' | 'rejected',
): Promise<void> {
  await uow.run('update governance_gateway_changes set status = ? where item_id = ?', [status, itemId]);
}
