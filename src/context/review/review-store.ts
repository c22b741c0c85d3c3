import type { Reader, UnitOfWork } from '../../storage/database.ts';
import type { PackageKey } from '../packages/link-store.ts';
import type { ReviewEntry } from '../rules/review-entry.ts';

export async function insertEntry(uow: UnitOfWork, entry: ReviewEntry): Promise<void> {
  await uow.run(
    'insert into package_reviews (project_id, package_id, seq, entry, entry_hash) values (?, ?, ?, ?, ?)',
    [entry.project_id, entry.package_id, entry.seq, JSON.stringify(entry), entry.entry_hash],
  );
}

export async function selectEntries(reader: Reader, key: PackageKey): Promise<ReviewEntry[]> {
  const rows = await reader.all<{ entry: string }>(
    'select entry from package_reviews where project_id = ? and package_id = ? order by seq',
    [key.projectId, key.packageId],
  );
  return rows.map((row) => JSON.parse(row.entry) as ReviewEntry);
}

export async function selectLastHash(
  reader: Reader,
  { projectId, packageId }: PackageKey,
  seq: number,
): Promise<string | null> {
  const row = await reader.get<{ entry_hash: string }>(
    'select entry_hash from package_reviews where project_id = ? and package_id = ? and seq = ?',
    [projectId, packageId, seq],
  );
  return row?.entry_hash ?? null;
}
