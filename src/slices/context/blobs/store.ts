import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';

export interface Blob {
  readonly sha256: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Returns false if it exists already. */
export async function insertBlob(
  uow: UnitOfWork,
  projectId: string,
  blob: Blob,
  nowMicros: number,
): Promise<boolean> {
  const inserted = await uow.run(
    `insert into blobs (project_id, sha256, size_bytes, media_type, bytes, stored_us) values (?, ?, ?, ?, ?, ?)
     on conflict do nothing`,
    [projectId, blob.sha256, blob.bytes.byteLength, blob.mediaType, blob.bytes, nowMicros],
  );
  return inserted === 1;
}

export async function selectBlob(
  reader: Reader,
  projectId: string,
  sha256: string,
): Promise<Blob | undefined> {
  const row = await reader.get<{ media_type: string; bytes: Uint8Array }>(
    'select media_type, bytes from blobs where project_id = ? and sha256 = ?',
    [projectId, sha256],
  );
  return row && { sha256, mediaType: row.media_type, bytes: row.bytes };
}

/** Those of the hashes that are stored here and that no other package of the project names. */
export async function selectNamedOnlyBy(
  reader: Reader,
  { projectId, packageId }: { readonly projectId: string; readonly packageId: string },
  hashes: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const sha256 of new Set(hashes)) {
    const row = await reader.get(
      `select 1 as found from blobs where project_id = ? and sha256 = ? and not exists
         (select 1 from packages where packages.project_id = blobs.project_id and package_id <> ? and original like ?)`,
      [projectId, sha256, packageId, `%${sha256}%`],
    );
    if (row) found.push(sha256);
  }
  return found;
}

export async function deleteBlob(uow: UnitOfWork, projectId: string, sha256: string): Promise<void> {
  await uow.run('delete from blobs where project_id = ? and sha256 = ?', [projectId, sha256]);
}

/** In the order of their hashes. */
export async function selectBlobPage(
  reader: Reader,
  projectId: string,
  after: string,
  limit: number,
): Promise<{ sha256: string; size_bytes: number; media_type: string }[]> {
  return reader.all(
    `select sha256, size_bytes, media_type from blobs where project_id = ? and sha256 > ? order by sha256 limit ?`,
    [projectId, after, limit],
  );
}
