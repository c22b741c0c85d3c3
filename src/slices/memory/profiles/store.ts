import { fromHex, toHex } from '../../../kernel/hex.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { PromotionSettings } from '../consolidation/rules.ts';
import type { DecaySettings } from '../memories/rules.ts';
import type { AutoApproval } from '../proposals/rules.ts';
import { putText, selectText } from '../text-store.ts';

/** The owner's settings for the profile; none of it is content. */
export interface ProfileSettings {
  readonly promotion?: PromotionSettings;
  /** Merges exact duplicates at once, instead of suggesting it. */
  readonly mergeExactDuplicates?: boolean;
  readonly autoApproval?: AutoApproval;
  /** Whether what the person says in conversations is proposed; it is, unless they turn it off. */
  readonly capture?: 'off' | 'suggest';
  readonly decay?: DecaySettings;
  /** Refuses unregistered categories. */
  readonly strictCategories?: boolean;
  readonly sensitivity?: Readonly<Record<string, string>>;
  readonly defaultSensitivity?: string;
  /** Actors who may act for the owner: guardians, assistants. */
  readonly delegates?: readonly string[];
}

export interface Profile {
  readonly did: string;
  readonly projectId: string;
  readonly profileType: string;
  readonly ownerActor: string;
  /** Keys the fingerprints of declined content; deleted with the profile. */
  readonly declinedKey: Uint8Array;
  readonly settings: ProfileSettings;
  readonly createdAt: string;
}

interface ProfileRow {
  readonly did: string;
  readonly project_id: string;
  readonly profile_type: string;
  readonly owner_actor: string;
  readonly declined_key: string;
  readonly settings: string;
  readonly created_at: string;
}

const COLUMNS = 'did, project_id, profile_type, owner_actor, declined_key, settings, created_at';

function profileOf(row: ProfileRow): Profile {
  return {
    did: row.did,
    projectId: row.project_id,
    profileType: row.profile_type,
    ownerActor: row.owner_actor,
    declinedKey: fromHex(row.declined_key) ?? new Uint8Array(),
    settings: JSON.parse(row.settings) as ProfileSettings,
    createdAt: row.created_at,
  };
}

/** False where the DID is taken. */
export async function insertProfile(uow: UnitOfWork, profile: Profile, now: number): Promise<boolean> {
  const inserted = await uow.run(
    `insert into memory_profiles (${COLUMNS}, created_us) values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    [
      profile.did,
      profile.projectId,
      profile.profileType,
      profile.ownerActor,
      toHex(profile.declinedKey),
      JSON.stringify(profile.settings),
      profile.createdAt,
      now,
    ],
  );
  return inserted === 1;
}

export async function selectProfile(reader: Reader, did: string): Promise<Profile | undefined> {
  const row = await reader.get<ProfileRow>(`select ${COLUMNS} from memory_profiles where did = ?`, [did]);
  return row && profileOf(row);
}

export async function selectProfiles(reader: Reader, projectId: string): Promise<Profile[]> {
  const rows = await reader.all<ProfileRow>(
    `select ${COLUMNS} from memory_profiles where project_id = ? order by created_us, did limit 200`,
    [projectId],
  );
  return rows.map(profileOf);
}

export async function updateSettings(uow: UnitOfWork, did: string, settings: ProfileSettings): Promise<void> {
  await uow.run('update memory_profiles set settings = ? where did = ?', [JSON.stringify(settings), did]);
}

/** Those that refer to others first. Each is named, so that every deleted row is accounted for. */
const OF_PROFILE = [
  'memory_webhooks',
  'memory_access_items',
  'memory_accesses',
  'memory_receipts',
  'memory_blocks',
  'memory_policies',
  'memory_uses',
  'memory_merges',
  'memory_declined',
  'memory_proposals',
  'memory_items',
  'memory_classes',
  'memory_texts',
];

/** Deletes everything of the profile; the caller clears the search index. */
export async function deleteProfile(uow: UnitOfWork, did: string): Promise<void> {
  await uow.run(
    'delete from memory_deliveries where webhook_id in (select webhook_id from memory_webhooks where profile_did = ?)',
    [did],
  );
  for (const table of OF_PROFILE) await uow.run(`delete from ${table} where profile_did = ?`, [did]);
  await uow.run('delete from memory_profiles where did = ?', [did]);
}

const DOCUMENT_REF = 'profile';

/** The profile's own document, without the memories, proposals and policies that are stored apart from it. */
export async function selectProfileDocument(reader: Reader, profile: Profile): Promise<JsonObject> {
  const text = await selectText(reader, profile.did, DOCUMENT_REF);
  return text
    ? (readJson(text.body) as JsonObject)
    : { id: profile.did, version: '0.1.0', profileType: profile.profileType };
}

/** The salt is used for a new document only. */
export async function putProfileDocument(
  uow: UnitOfWork,
  did: string,
  document: JsonObject,
  newSalt: string,
): Promise<void> {
  const salt = (await selectText(uow, did, DOCUMENT_REF))?.salt ?? newSalt;
  await putText(uow, did, { ref: DOCUMENT_REF, salt, body: writeJson(document) });
}

export async function selectProfileDids(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ did: string }>('select did from memory_profiles');
  return rows.map(({ did }) => did);
}
