import { asString } from '../../../kernel/json/loose.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { Sensitivity } from '../categories.ts';
import { firstKey, type KeyRing } from './rules.ts';

/** What the owner of the server vouches for; an agent cannot claim it for itself. */
export interface AgentDocument {
  readonly name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly operatorDid?: string | undefined;
  readonly operatorVerified?: boolean | undefined;
  readonly audited?: boolean | undefined;
  readonly trustScore?: number | undefined;
  readonly jurisdiction?: string | undefined;
}

export interface KnownAgent extends AgentDocument {
  readonly did: string;
  readonly projectId: string;
  /** Empty for agents that use one of our credentials. */
  readonly keys: KeyRing;
  readonly createdAt: string;
}

interface AgentRow {
  readonly did: string;
  readonly project_id: string;
  readonly document: string;
  readonly public_key: string | null;
  readonly created_at: string;
}

const COLUMNS = 'did, project_id, document, public_key, created_at';

/** Rows from before keys could rotate have one key, in its column. */
function agentOf(row: AgentRow): KnownAgent {
  const { keys, ...document } = JSON.parse(row.document) as AgentDocument & { keys?: KeyRing };
  return {
    ...document,
    did: row.did,
    projectId: row.project_id,
    keys: keys ?? (row.public_key === null ? [] : [firstKey(row.public_key, row.created_at)]),
    createdAt: row.created_at,
  };
}

/** False where another project has registered the DID: others cannot change its key. */
export async function putAgent(uow: UnitOfWork, agent: KnownAgent): Promise<boolean> {
  const { did, projectId, createdAt, ...document } = agent;
  const newest = agent.keys.findLast(({ revoked }) => revoked === undefined);
  const written = await uow.run(
    `insert into memory_agents (${COLUMNS}) values (?, ?, ?, ?, ?)
     on conflict (did) do update set document = excluded.document, public_key = excluded.public_key
     where memory_agents.project_id = excluded.project_id`,
    [
      did,
      projectId,
      JSON.stringify(document),
      (newest && asString(newest.publicKeyMultibase)) ?? null,
      createdAt,
    ],
  );
  return written === 1;
}

export async function selectAgent(reader: Reader, did: string): Promise<KnownAgent | undefined> {
  const row = await reader.get<AgentRow>(`select ${COLUMNS} from memory_agents where did = ?`, [did]);
  return row && agentOf(row);
}

export async function selectAgents(reader: Reader, projectId: string): Promise<KnownAgent[]> {
  const rows = await reader.all<AgentRow>(
    `select ${COLUMNS} from memory_agents where project_id = ? order by did limit 500`,
    [projectId],
  );
  return rows.map(agentOf);
}

/** False where the nonce was seen before. */
export async function insertNonce(
  uow: UnitOfWork,
  did: string,
  nonce: string,
  now: number,
): Promise<boolean> {
  const inserted = await uow.run(
    'insert into memory_nonces (did, nonce, seen_us) values (?, ?, ?) on conflict do nothing',
    [did, nonce, now],
  );
  return inserted === 1;
}

export async function hasNoncesBefore(reader: Reader, before: number): Promise<boolean> {
  const found = await reader.get('select 1 as found from memory_nonces where seen_us < ? limit 1', [before]);
  return found !== undefined;
}

export async function forgetNonces(uow: UnitOfWork, before: number): Promise<number> {
  return uow.run('delete from memory_nonces where seen_us < ?', [before]);
}

export interface RegisteredCategory {
  readonly category: string;
  readonly version: string;
  readonly specUrl: string | null;
  readonly maintainerDid: string;
  readonly sensitivity: Sensitivity;
}

export async function putCategory(
  uow: UnitOfWork,
  projectId: string,
  entry: RegisteredCategory,
): Promise<void> {
  await uow.run(
    `insert into memory_categories (project_id, category, version, spec_url, maintainer_did, sensitivity)
     values (?, ?, ?, ?, ?, ?) on conflict (project_id, category) do update set version = excluded.version,
       spec_url = excluded.spec_url, maintainer_did = excluded.maintainer_did, sensitivity = excluded.sensitivity`,
    [projectId, entry.category, entry.version, entry.specUrl, entry.maintainerDid, entry.sensitivity],
  );
}

export async function selectCategories(reader: Reader, projectId: string): Promise<RegisteredCategory[]> {
  const rows = await reader.all<{
    category: string;
    version: string;
    spec_url: string | null;
    maintainer_did: string;
    sensitivity: Sensitivity;
  }>(
    `select category, version, spec_url, maintainer_did, sensitivity from memory_categories
     where project_id = ? order by category`,
    [projectId],
  );
  return rows.map((row) => ({
    category: row.category,
    version: row.version,
    specUrl: row.spec_url,
    maintainerDid: row.maintainer_did,
    sensitivity: row.sensitivity,
  }));
}
