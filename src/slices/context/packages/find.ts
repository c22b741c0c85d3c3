import { canSeeProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { requireReadableProject } from '../access.ts';
import { contextErrors } from '../errors.ts';
import { isVisibleTo, selectPackage, selectPackagesById } from './store.ts';
import type { StoredPackage } from './stored-package.ts';

/** The one package with this id that the caller can see; 409 if several projects have one and none is named. */
export async function findPackage(
  reader: Reader,
  principal: Principal,
  packageId: string,
  projectId?: string,
): Promise<StoredPackage> {
  if (projectId !== undefined) {
    await requireReadableProject(reader, principal, projectId);
    const stored = await selectPackage(reader, projectId, packageId);
    if (!stored || !isVisibleTo(stored, principal.actor)) throw notFound(packageId);
    return stored;
  }
  const visible = (await selectPackagesById(reader, packageId)).filter(
    (stored) => canSeeProject(principal, stored.projectId) && isVisibleTo(stored, principal.actor),
  );
  if (visible.length > 1) {
    throw contextErrors.ambiguous_package_id({
      details: { projects: visible.map((stored) => stored.projectId) },
    });
  }
  if (!visible[0]) throw notFound(packageId);
  return visible[0];
}

function notFound(packageId: string) {
  return contextErrors.package_not_found({ details: { package_id: packageId } });
}
