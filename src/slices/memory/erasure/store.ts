import type { Leftover, Reader, SqlValue, UnitOfWork } from '../../../spine/storage/database.ts';
import type { MemoryType } from '../categories.ts';
import type { ErasureScope, ErasureState } from './rules.ts';

export interface Erasure {
  readonly erasureId: string;
  readonly projectId: string;
  readonly profileDid: string;
  /** Whose profile it was: the profile itself may be gone. */
  readonly ownerActor: string;
  readonly scope: ErasureScope;
  readonly requestedBy: string;
  readonly requestedAt: string;
  readonly state: ErasureState;
  readonly memories: number;
  readonly proposals: number;
  readonly unmerged: number;
  readonly removedAt: string | null;
  readonly finishedAt: string | null;
  readonly remains: readonly Leftover[];
}

interface ErasureRow {
  readonly erasure_id: string;
  readonly project_id: string;
  readonly profile_did: string;
  readonly owner_actor: string;
  readonly what: ErasureScope['what'];
  readonly target: string;
  readonly requested_by: string;
  readonly requested_at: string;
  readonly state: ErasureState;
  readonly memories: number;
  readonly proposals: number;
  readonly unmerged: number;
  readonly removed_at: string | null;
  readonly finished_at: string | null;
  readonly remains: string;
}

const COLUMNS = `erasure_id, project_id, profile_did, owner_actor, what, target, requested_by, requested_at, state,
  memories, proposals, unmerged, removed_at, finished_at, remains`;

const erasureOf = (row: ErasureRow): Erasure => ({
  erasureId: row.erasure_id,
  projectId: row.project_id,
  profileDid: row.profile_did,
  ownerActor: row.owner_actor,
  scope: { what: row.what, target: row.target } as ErasureScope,
  requestedBy: row.requested_by,
  requestedAt: row.requested_at,
  state: row.state,
  memories: row.memories,
  proposals: row.proposals,
  unmerged: row.unmerged,
  removedAt: row.removed_at,
  finishedAt: row.finished_at,
  remains: JSON.parse(row.remains) as Leftover[],
});

export async function insertErasure(
  uow: UnitOfWork,
  erasure: Pick<
    Erasure,
    'erasureId' | 'projectId' | 'profileDid' | 'ownerActor' | 'scope' | 'requestedBy' | 'requestedAt'
  >,
  now: number,
): Promise<void> {
  await uow.run(
    `insert into memory_erasures (erasure_id, project_id, profile_did, owner_actor, what, target, requested_by,
       requested_at, requested_us, state, memories, proposals, unmerged, remains)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'removing', 0, 0, 0, '[]')`,
    [
      erasure.erasureId,
      erasure.projectId,
      erasure.profileDid,
      erasure.ownerActor,
      erasure.scope.what,
      erasure.scope.target,
      erasure.requestedBy,
      erasure.requestedAt,
      now,
    ],
  );
}

export async function selectErasure(reader: Reader, erasureId: string): Promise<Erasure | undefined> {
  const row = await reader.get<ErasureRow>(`select ${COLUMNS} from memory_erasures where erasure_id = ?`, [
    erasureId,
  ]);
  return row && erasureOf(row);
}

export interface ErasureFilter {
  readonly projectId?: string;
  readonly profileDid?: string | undefined;
  readonly ownerActor?: string;
  readonly scope?: ErasureScope;
  readonly state?: ErasureState;
  readonly limit: number;
}

/** The newest first. */
export async function selectErasures(reader: Reader, filter: ErasureFilter): Promise<Erasure[]> {
  const where: string[] = ['1 = 1'];
  const params: SqlValue[] = [];
  const only = (column: string, value: SqlValue | undefined) => {
    if (value === undefined) return;
    where.push(`${column} = ?`);
    params.push(value);
  };
  only('project_id', filter.projectId);
  only('profile_did', filter.profileDid);
  only('owner_actor', filter.ownerActor);
  only('what', filter.scope?.what);
  only('target', filter.scope?.target);
  only('state', filter.state);
  const rows = await reader.all<ErasureRow>(
    `select ${COLUMNS} from memory_erasures where ${where.join(' and ')}
     order by requested_us desc, erasure_id desc limit ?`,
    [...params, filter.limit],
  );
  return rows.map(erasureOf);
}

export interface RemovedCounts {
  readonly memories: number;
  readonly proposals: number;
  readonly unmerged: number;
}

export async function addRemoved(uow: UnitOfWork, erasureId: string, counts: RemovedCounts): Promise<void> {
  await uow.run(
    `update memory_erasures set memories = memories + ?, proposals = proposals + ?, unmerged = unmerged + ?
     where erasure_id = ?`,
    [counts.memories, counts.proposals, counts.unmerged, erasureId],
  );
}

export async function markRemoved(uow: UnitOfWork, erasureId: string, at: string): Promise<void> {
  await uow.run(
    "update memory_erasures set state = 'removed', removed_at = ? where erasure_id = ? and state = 'removing'",
    [at, erasureId],
  );
}

/** What is left of it; nothing left ends it. */
export async function markCompacted(
  uow: UnitOfWork,
  erasureId: string,
  remains: readonly Leftover[],
  at: string,
): Promise<void> {
  const done = remains.length === 0;
  await uow.run(
    `update memory_erasures set state = ?, finished_at = ?, remains = ? where erasure_id = ? and state = 'removed'`,
    [done ? 'done' : 'removed', done ? at : null, JSON.stringify(remains), erasureId],
  );
}

/** Proposals of these places, or of this agent, or all, whose text is not erased yet. */
export interface ProposalTextFilter {
  readonly agentDid?: string;
  readonly places?: readonly { readonly type: MemoryType; readonly category: string | null }[];
}

export async function selectProposalIdsWithText(
  reader: Reader,
  did: string,
  { agentDid, places }: ProposalTextFilter,
  limit: number,
): Promise<string[]> {
  const where = ['p.profile_did = ?'];
  const params: SqlValue[] = [did];
  if (agentDid !== undefined) {
    where.push('p.agent_did = ?');
    params.push(agentDid);
  }
  if (places !== undefined) {
    if (places.length === 0) return [];
    where.push(`(${places.map(() => "(p.type = ? and coalesce(p.category, '') = ?)").join(' or ')})`);
    params.push(...places.flatMap(({ type, category }) => [type, category ?? '']));
  }
  const rows = await reader.all<{ proposal_id: string }>(
    `select p.proposal_id from memory_proposals p
     join memory_texts t on t.profile_did = p.profile_did and t.ref = p.proposal_id
     where ${where.join(' and ')} order by p.seq limit ?`,
    [...params, limit],
  );
  return rows.map(({ proposal_id }) => proposal_id);
}

/** Every type and category that a proposal with a text has. */
export async function selectProposedPlaces(
  reader: Reader,
  did: string,
): Promise<{ readonly type: MemoryType; readonly category: string | null }[]> {
  return reader.all(
    `select distinct p.type, p.category from memory_proposals p
     join memory_texts t on t.profile_did = p.profile_did and t.ref = p.proposal_id where p.profile_did = ?`,
    [did],
  );
}

/** Proposals that made one of these memories, or would change it. */
export async function selectProposalIdsAbout(
  reader: Reader,
  did: string,
  memoryIds: readonly string[],
): Promise<string[]> {
  if (memoryIds.length === 0) return [];
  const some = memoryIds.map(() => '?').join(', ');
  const rows = await reader.all<{ proposal_id: string }>(
    `select proposal_id from memory_proposals
     where profile_did = ? and (created_memory_id in (${some}) or target_memory_id in (${some}))`,
    [did, ...memoryIds, ...memoryIds],
  );
  return rows.map(({ proposal_id }) => proposal_id);
}
