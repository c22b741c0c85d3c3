import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { isRegistered, parseCategory, type SensitivityRules } from '../categories.ts';
import { requireDid } from '../did.ts';
import { invalid } from '../errors.ts';
import type { Profile } from '../profiles/store.ts';
import { putCategory, type RegisteredCategory, selectCategories } from './store.ts';

/** What decides the sensitivity of a category in this profile, besides the protocol's own table. */
export async function sensitivityRules(reader: Reader, profile: Profile): Promise<SensitivityRules> {
  const registered = await selectCategories(reader, profile.projectId);
  const { sensitivity: overrides, defaultSensitivity: fallback } = profile.settings;
  return {
    registered: Object.fromEntries(registered.map(({ category, sensitivity }) => [category, sensitivity])),
    ...(overrides && { overrides }),
    ...(fallback !== undefined && { fallback }),
  };
}

/** Throws where the text is no category, or is unregistered in a profile that accepts registered ones only. */
export async function requireCategory(
  reader: Reader,
  profile: Profile,
  text: string | undefined,
): Promise<void> {
  if (text === undefined) return;
  const category = parseCategory(text);
  if (!category) throw invalid('/category', 'This is not a category.');
  if (profile.settings.strictCategories !== true) return;
  const { registered } = await sensitivityRules(reader, profile);
  if (!isRegistered(category, registered))
    throw invalid('/category', 'This profile accepts registered categories only.');
}

export async function registerCategory(
  uow: UnitOfWork,
  projectId: string,
  entry: RegisteredCategory,
): Promise<void> {
  if (parseCategory(entry.category)?.namespace !== 'ext')
    throw invalid('/category', 'Third parties register ext:<vendor>:<category>.');
  requireDid(entry.maintainerDid, '/maintainer_did');
  await putCategory(uow, projectId, entry);
}
