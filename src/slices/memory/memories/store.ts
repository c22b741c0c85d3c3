import type { Reader, SqlValue, UnitOfWork } from '../../../spine/storage/database.ts';
import { insertion } from '../../../spine/storage/insertion.ts';
import {
  effectiveSensitivity,
  type MemoryType,
  type Sensitivity,
  type SensitivityRules,
} from '../categories.ts';
import type { ConsentTraits } from '../consent/rules/grant.ts';
import type { MemoryFacets, MemoryStatus } from './rules.ts';

/** Memories that are the same in everything consent depends on, except the status. The sensitivity is the effective one. */
export interface MemoryClass extends Omit<ConsentTraits, 'status'> {
  readonly classId: number;
}

/** How a class is stored: floors may rise after it was written, so the effective sensitivity is found when it is read. */
export interface StoredClass extends Omit<ConsentTraits, 'status'> {
  readonly lowered: boolean;
}

export interface MemoryItem {
  readonly position: number;
  readonly memoryId: string;
  readonly class: MemoryClass;
  readonly status: MemoryStatus;
  readonly confidence: number;
  readonly agentDid: string | null;
  readonly sessionId: string | null;
  readonly learned: number | null;
  /** When it was approved or last confirmed. */
  readonly since: number;
  readonly useCount: number;
  readonly lastUsedAt: string | null;
  readonly pinned: boolean;
  readonly supersededBy: string | null;
}

interface ClassRow {
  readonly class_id: number;
  readonly type: MemoryType;
  readonly category: string;
  readonly sensitivity: Sensitivity;
  readonly lowered: number;
  readonly scope: string;
}

interface ItemRow extends ClassRow {
  readonly position: number;
  readonly memory_id: string;
  readonly status: MemoryStatus;
  readonly confidence: number;
  readonly agent_did: string | null;
  readonly session_id: string | null;
  readonly learned_us: number | null;
  readonly since_us: number;
  readonly use_count: number;
  readonly last_used_at: string | null;
  readonly pinned: number;
  readonly superseded_by: string | null;
}

const CLASS_COLUMNS = 'c.class_id, c.type, c.category, c.sensitivity, c.lowered, c.scope';
const ITEM_COLUMNS = `i.position, i.memory_id, i.status, i.confidence, i.agent_did, i.session_id, i.learned_us,
  i.since_us, i.use_count, i.last_used_at, i.pinned, i.superseded_by, ${CLASS_COLUMNS}`;

function classOf(row: ClassRow, rules: SensitivityRules): MemoryClass {
  const category = row.category === '' ? undefined : row.category;
  const declared = { category, sensitivity: row.sensitivity, lowered: row.lowered === 1 };
  return {
    classId: row.class_id,
    type: row.type,
    category,
    sensitivity: effectiveSensitivity(declared, rules),
    scope: JSON.parse(row.scope) as string[],
  };
}

function itemOf(row: ItemRow, rules: SensitivityRules): MemoryItem {
  return {
    position: row.position,
    memoryId: row.memory_id,
    class: classOf(row, rules),
    status: row.status,
    confidence: row.confidence,
    agentDid: row.agent_did,
    sessionId: row.session_id,
    learned: row.learned_us,
    since: row.since_us,
    useCount: row.use_count,
    lastUsedAt: row.last_used_at,
    pinned: row.pinned === 1,
    supersededBy: row.superseded_by,
  };
}

export async function ensureClass(uow: UnitOfWork, did: string, shared: StoredClass): Promise<number> {
  const key = [
    did,
    shared.type,
    shared.category ?? '',
    shared.sensitivity,
    shared.lowered ? 1 : 0,
    JSON.stringify([...shared.scope].sort()),
  ];
  await uow.run(
    `insert into memory_classes (profile_did, type, category, sensitivity, lowered, scope) values (?, ?, ?, ?, ?, ?)
     on conflict do nothing`,
    key,
  );
  const row = await uow.get<{ class_id: number }>(
    `select class_id from memory_classes
     where profile_did = ? and type = ? and category = ? and sensitivity = ? and lowered = ? and scope = ?`,
    key,
  );
  return (row as { class_id: number }).class_id;
}

export async function selectClasses(
  reader: Reader,
  did: string,
  rules: SensitivityRules,
): Promise<MemoryClass[]> {
  const rows = await reader.all<ClassRow>(
    `select ${CLASS_COLUMNS} from memory_classes c where c.profile_did = ? order by c.class_id`,
    [did],
  );
  return rows.map((row) => classOf(row, rules));
}

export async function putItem(
  uow: UnitOfWork,
  did: string,
  memoryId: string,
  facets: MemoryFacets,
  rest: { readonly classId: number; readonly now: number; readonly pinned: boolean },
): Promise<void> {
  await uow.run(
    `insert into memory_items (profile_did, memory_id, class_id, status, confidence, agent_did, session_id, learned_us,
       since_us, use_count, last_used_at, pinned, superseded_by)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (profile_did, memory_id) do update set class_id = excluded.class_id, status = excluded.status,
       confidence = excluded.confidence, agent_did = excluded.agent_did, session_id = excluded.session_id,
       learned_us = excluded.learned_us, since_us = excluded.since_us, pinned = excluded.pinned,
       superseded_by = excluded.superseded_by`,
    [
      did,
      memoryId,
      rest.classId,
      facets.status,
      facets.confidence,
      facets.agentDid ?? null,
      facets.sessionId ?? null,
      facets.learned ?? null,
      Math.max(facets.approved ?? 0, facets.confirmed ?? 0) || facets.learned || rest.now,
      facets.useCount,
      facets.lastUsed ?? null,
      rest.pinned ? 1 : 0,
      facets.supersededBy ?? null,
    ],
  );
}

export interface ItemFilter {
  readonly classes?: readonly number[];
  readonly statuses?: readonly MemoryStatus[];
  readonly agentDid?: string;
  readonly ids?: readonly string[];
  /** Above both of these, or above either. */
  readonly above?: { readonly confidence: number; readonly uses: number; readonly match: 'all' | 'any' };
  readonly limit?: number;
  readonly offset?: number;
}

export async function selectItems(
  reader: Reader,
  did: string,
  rules: SensitivityRules,
  filter: ItemFilter = {},
): Promise<MemoryItem[]> {
  const where = ['i.profile_did = ?'];
  const params: SqlValue[] = [did];
  const among = (column: string, values: readonly SqlValue[] | undefined) => {
    if (values === undefined) return;
    where.push(values.length === 0 ? '1 = 0' : `${column} in (${values.map(() => '?').join(', ')})`);
    params.push(...values);
  };
  among('i.class_id', filter.classes);
  among('i.status', filter.statuses);
  among('i.memory_id', filter.ids);
  among('i.agent_did', filter.agentDid === undefined ? undefined : [filter.agentDid]);
  if (filter.above) {
    const { confidence, uses, match } = filter.above;
    where.push(`(i.confidence > ? ${match === 'all' ? 'and' : 'or'} i.use_count > ?)`);
    params.push(confidence, uses);
  }
  const page = filter.limit === undefined ? '' : ' limit ? offset ?';
  if (filter.limit !== undefined) params.push(filter.limit, filter.offset ?? 0);
  const rows = await reader.all<ItemRow>(
    `select ${ITEM_COLUMNS} from memory_items i join memory_classes c on c.class_id = i.class_id
     where ${where.join(' and ')} order by i.position${page}`,
    params,
  );
  return rows.map((row) => itemOf(row, rules));
}

export async function selectItem(
  reader: Reader,
  did: string,
  rules: SensitivityRules,
  memoryId: string,
): Promise<MemoryItem | undefined> {
  return (await selectItems(reader, did, rules, { ids: [memoryId] }))[0];
}

export async function deleteItem(uow: UnitOfWork, did: string, memoryId: string): Promise<void> {
  for (const table of ['memory_access_items', 'memory_uses', 'memory_items']) {
    await uow.run(`delete from ${table} where profile_did = ? and memory_id = ?`, [did, memoryId]);
  }
}

export interface Use {
  readonly did: string;
  readonly agentDid: string;
  readonly session: string;
  readonly day: string;
}

const useRows = insertion({
  into: 'memory_uses',
  columns: ['profile_did', 'memory_id', 'agent_did', 'session_key', 'day'],
  unless: 'on conflict do nothing',
  returning: 'memory_id',
});

/** Returns those not counted in this session before; the caller has applied the daily limit. */
export async function insertUses(uow: UnitOfWork, use: Use, ids: readonly string[]): Promise<string[]> {
  const rows = await useRows.returning<{ memory_id: string }>(
    uow,
    ids.map((id) => [use.did, id, use.agentDid, use.session, use.day]),
  );
  return rows.map(({ memory_id }) => memory_id);
}

export async function countUses(
  reader: Reader,
  did: string,
  agentDid: string,
  day: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.all<{ memory_id: string; uses: number }>(
    `select memory_id, count(*) as uses from memory_uses
     where profile_did = ? and agent_did = ? and day = ? and memory_id in (${ids.map(() => '?').join(', ')})
     group by memory_id`,
    [did, agentDid, day, ...ids],
  );
  return new Map(rows.map(({ memory_id, uses }) => [memory_id, Number(uses)]));
}

export async function addUses(
  uow: UnitOfWork,
  did: string,
  ids: readonly string[],
  at: string,
): Promise<void> {
  if (ids.length === 0) return;
  await uow.run(
    `update memory_items set use_count = use_count + 1, last_used_at = ?
     where profile_did = ? and memory_id in (${ids.map(() => '?').join(', ')})`,
    [at, did, ...ids],
  );
}

const PROFILES_LOOKED_AT = 20;

/** The profiles of a project that have a memory of this id; if none has any more, those that may have had it. */
export async function selectHolders(reader: Reader, projectId: string, memoryId: string): Promise<string[]> {
  const holding = await reader.all<{ did: string }>(
    `select p.did from memory_profiles p join memory_items i on i.profile_did = p.did
     where p.project_id = ? and i.memory_id = ? order by p.did`,
    [projectId, memoryId],
  );
  const all = () =>
    reader.all<{ did: string }>(
      `select did from memory_profiles where project_id = ? order by did limit ${PROFILES_LOOKED_AT}`,
      [projectId],
    );
  return (holding.length > 0 ? holding : await all()).map(({ did }) => did);
}

interface SearchableRow {
  readonly project_id: string;
  readonly did: string;
  readonly memory_id: string;
  readonly class_id: number;
  readonly learned_us: number | null;
  readonly body: string;
}

/** Memories that search knows, in the order of their keys: those that were approved. */
export function selectSearchable(
  reader: Reader,
  after: readonly [did: string, memoryId: string] | undefined,
  limit: number,
): Promise<SearchableRow[]> {
  return reader.all(
    `select p.project_id, p.did, i.memory_id, i.class_id, i.learned_us, t.body from memory_items i
     join memory_profiles p on p.did = i.profile_did
     join memory_texts t on t.profile_did = i.profile_did and t.ref = i.memory_id
     where i.status = 'approved' ${after ? 'and (i.profile_did, i.memory_id) > (?, ?)' : ''}
     order by i.profile_did, i.memory_id limit ?`,
    [...(after ?? []), limit],
  );
}
