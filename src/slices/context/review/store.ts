import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { PackageKey } from '../packages/link-store.ts';
import { type ReviewEntry, withoutNote } from './rules.ts';

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

/** Reviewers' notes are destroyed with the package they are about. */
export async function forgetNotes(uow: UnitOfWork, key: PackageKey): Promise<void> {
  for (const entry of await selectEntries(uow, key)) {
    if (entry.note === null) continue;
    await uow.run(
      'update package_reviews set entry = ? where project_id = ? and package_id = ? and seq = ?',
      [JSON.stringify(withoutNote(entry)), key.projectId, key.packageId, entry.seq],
    );
  }
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
