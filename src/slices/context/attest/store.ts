import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { PackageKey } from '../packages/link-store.ts';

/** Returns false if the same envelope exists already. */
export async function insertAttestation(
  uow: UnitOfWork,
  { projectId, packageId }: PackageKey,
  envelope: string,
  envelopeHash: string,
): Promise<boolean> {
  const inserted = await uow.run(
    `insert into attestations (project_id, package_id, envelope, envelope_hash) values (?, ?, ?, ?)
     on conflict do nothing`,
    [projectId, packageId, envelope, envelopeHash],
  );
  return inserted === 1;
}

export async function selectAttestations(
  reader: Reader,
  { projectId, packageId }: PackageKey,
): Promise<string[]> {
  const rows = await reader.all<{ envelope: string }>(
    'select envelope from attestations where project_id = ? and package_id = ? order by seq',
    [projectId, packageId],
  );
  return rows.map((row) => row.envelope);
}

/** Which of these packages somebody has signed. */
export async function selectSigned(
  reader: Reader,
  projectId: string,
  packageIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (packageIds.length === 0) return new Set();
  const rows = await reader.all<{ package_id: string }>(
    `select distinct package_id from attestations
     where project_id = ? and package_id in (${packageIds.map(() => '?').join(', ')})`,
    [projectId, ...packageIds],
  );
  return new Set(rows.map((row) => row.package_id));
}
